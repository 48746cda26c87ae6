"""Making a release by global recoding: one node of the lattice for all records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.made import Made, ReportProgress, column_measures
from privacy.arrays import Array, Whole
from privacy.sdc import Classes, Hierarchy, Lattice, Requirement, Table, verify
from privacy.sdc.hierarchy import NodeReport, preferred
from privacy.sdc.labels import label_column
from privacy.sdc.lattice import lattice_tradeoff
from privacy.sdc.risk import Loss, discernibility
from surveys.errors.error import SurveyError

__all__ = ["global_recoding"]


def global_recoding(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
    own: Array | None,
    progress: ReportProgress,
) -> Made:
    """Search the lattice, choose a node and publish its labels; suppressed records are left out.

    The nodes are compared with the chosen one, as many as `lattice_tradeoff` looks at.

    Parameters
    ----------
    table, hierarchies, config
        What to release, and how.
    weights : mapping or None
        Of the loss, by column.
    own : float64 array, shape (n, d), or None
        In their place those of each record, which the nodes are judged by.
    progress : callable
        Called with (stage, done, total).

    Raises
    ------
    PrivacyError
        When a column has no hierarchy, the lattice is too large, or no node keeps every model.
    """
    allowed = config.max_suppressed
    most = int(allowed * len(table)) if isinstance(allowed, float) and allowed < 1 else int(allowed)
    lattice = Lattice(table, hierarchies, k=config.k, max_suppressed=most, weights=weights, own=own)
    progress("lattice", 0, 0)
    node = _satisfying(lattice, lattice.search(), table, config, hierarchies)
    rows = lattice.kept_rows(node.levels)
    published = table.take(rows)
    columns = []
    for column in published.columns:
        if column.role == "quasi_identifier":
            original = table.column(column.name)
            texts = lattice.labels(node.levels, original)
            columns.append(
                label_column(
                    column.name, column.role, [texts[code] for code in original.codes[rows].tolist()]
                )
            )
        else:
            columns.append(column)
    released = Table(columns=tuple(columns), source_rows=published.source_rows)
    sizes = Classes.of_columns(released.quasi_identifiers).sizes
    return Made(
        algorithm="samarati",
        source=table,
        released=released,
        rows=rows,
        loss=_global_loss(lattice, node, sizes, len(table), weights if own is not None else None),
        config=config,
        weights=weights,
        notes=(f"{node.suppressed} records were suppressed; at most {most} were allowed.",),
        lattice=lattice,
        node=node,
        own_ilp=None if own is None else node.ilp,
        tradeoff=lattice_tradeoff(
            lattice,
            node,
            threshold=config.threshold,
            progress=lambda done, total: progress("lattice", done, total),
        ),
    )


def _satisfying(
    lattice: Lattice,
    lowest: Sequence[NodeReport],
    table: Table,
    config: ReleaseConfig,
    hierarchies: Mapping[str, Hierarchy],
) -> NodeReport:
    """Choose among the good nodes whose classes keep the other models too.

    Those of the least height where there are any; with ``search = "all"`` every one that coarsens no other.
    """
    only_k: Requirement = replace(
        config.requirement, **{name: None for name in vars(config.requirement) if name != "k"}
    )
    if config.requirement == only_k and not config.own:
        return _chosen(lattice, lattice.minimal() if config.search == "all" else lowest, config)
    nodes: list[NodeReport] = []
    for height in range(lowest[0].height, sum(lattice.heights) + 1):
        for levels in lattice.nodes_at(height):
            if any(_coarsens(levels, node.levels) for node in nodes) or not lattice.good(levels):
                continue
            rows = lattice.kept_rows(levels)
            classes = Classes.from_numbers(lattice.class_numbers(levels)[rows])
            columns = [column.take(rows) for column in table.sensitive]
            for column in columns:
                # Without missing values, and as somebody reads it who takes "missing" for a value.
                readings = [column, column.whole] if column.missing else [column]
                wanted = config.requirement_of(column.name)
                measures = [column_measures(classes, read, columns, hierarchies, config) for read in readings]
                if not all(verdict.holds for measured in measures for verdict in verify(measured, wanted)):
                    break
            else:
                nodes.append(lattice.report(levels))
        if nodes and config.search != "all":
            break
    if nodes:
        return _chosen(lattice, nodes, config)
    raise SurveyError("requirement.lattice", config.asked_of(column.name for column in table.sensitive))


def _coarsens(levels: Sequence[int], other: Sequence[int]) -> bool:
    """Say whether a node generalises every column at least as far as another."""
    return all(level >= least for level, least in zip(levels, other, strict=True))


def _chosen(lattice: Lattice, nodes: Sequence[NodeReport], config: ReleaseConfig) -> NodeReport:
    weights = [float(config.column_weights.get(name, 1.0)) for name in lattice.names]
    return preferred(nodes, config.preferences, column_weights=weights, heights=lattice.heights)


def _global_loss(
    lattice: Lattice, node: NodeReport, sizes: Whole, n: int, weights: Mapping[str, float] | None
) -> Loss:
    """Measure global recoding by its labels, by the same definition as the boxes of local recoding.

    With weights the node was judged by others, those of each record's own value.
    """
    by_column = lattice.column_losses(node.levels)
    ilp = node.ilp if weights is None else n * sum(weights[name] * loss for name, loss in by_column.items())
    return Loss(
        ncp=float(np.mean(list(by_column.values()))),
        ilp=ilp,
        ilp_share=ilp / n,
        discernibility=discernibility(sizes, suppressed=node.suppressed),
        n_classes=len(sizes),
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        mean_size=float(sizes.mean()),
        by_column=by_column,
        suppressed=node.suppressed,
    )
