"""Making a release: from a table and a configuration to published columns that keep every model asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from privacy.release import (
    Classes,
    ClassMatrix,
    Hierarchy,
    Lattice,
    ReleaseError,
    Requirement,
    Space,
    Table,
    axis_weights,
    bottom_up,
    entropy_frontier,
    expert_matrix,
    ilp_l_diversity,
    in_blocks,
    join_until,
    kacluk,
    measure_models,
    most_diverse,
    tight,
    utility_matrix,
    value_weights,
    verify,
)
from privacy.release.blocking import BLOCK_FROM
from privacy.release.lattice import NodeReport, SamaratiResult
from privacy.release.metrics import Loss, discernibility, loss
from privacy.release.models import ModelMeasures, Verdict
from privacy.release.published import label_column
from privacy.release.table import Column
from surveys.release.config import ReleaseConfig

__all__ = ["Made", "Watch", "release_make"]

Whole = npt.NDArray[np.int64]
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """A release in memory.

    Parameters
    ----------
    source : Table
        What was read.
    released : Table
        The published columns, records in the order of the source; nothing of it is shuffled yet.
    rows : int64 array
        Records of the source that are published.
    loss : Loss
        What generalising took.
    measures, verdicts
        Per sensitive column, from the published labels.
    changed : int
        Records whose sensitive value was changed.
    seconds : float
        Time of grouping.
    notes : tuple of str
        What the report must say.
    lattice, search, node
        Of global recoding, else None.
    frontier : tuple of (float, float)
        (ILP, entropy l) of the partitions that were walked when an ILP was given to spend on diversity.
    """

    algorithm: str
    source: Table
    released: Table
    rows: Whole
    loss: Loss
    measures: tuple[ModelMeasures, ...]
    verdicts: tuple[Verdict, ...]
    changed: int
    seconds: float
    weights: Mapping[str, float] | None
    notes: tuple[str, ...] = ()
    lattice: Lattice | None = None
    search: SamaratiResult | None = None
    node: NodeReport | None = None
    frontier: tuple[tuple[float, float], ...] = ()

    @property
    def classes(self) -> Classes:
        """Classes of the published labels."""
        return Classes.of_columns(self.released.quasi_identifiers)


def release_make(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    *,
    algorithm: str | None = None,
    watch: Watch = lambda stage, done, total: None,
) -> Made:
    """Group, generalise and verify.

    Raises
    ------
    ReleaseError
        When the configuration cannot be met; nothing is returned that does not keep every model asked for.
    """
    chosen = algorithm or config.algorithm
    began = time.perf_counter()
    weights = _weights(table, hierarchies, config, chosen)
    if chosen == "samarati":
        made = _global(table, hierarchies, config, weights)
    else:
        made = _local(table, hierarchies, config, weights, chosen, watch)
    measures = measures_of(made.released, hierarchies, config.ground)
    verdicts = tuple(verdict for measure in measures for verdict in verify(measure, config.requirement))
    for verdict in verdicts:
        if not verdict.holds:
            raise ReleaseError(
                "requirement",
                f"the {chosen} release of {verdict.sensitive!r} reaches "
                f"{verdict.model} = {verdict.reached:.6g}, not {verdict.asked:g}",
                verdict.reached,
                "ask for less, coarsen or drop a quasi-identifier, or choose the tight algorithm",
            )
    return replace(made, measures=measures, verdicts=verdicts, seconds=time.perf_counter() - began)


def measures_of(
    released: Table, hierarchies: Mapping[str, Hierarchy], ground: str
) -> tuple[ModelMeasures, ...]:
    """Measure every sensitive column within the published classes; without one only k has a meaning."""
    classes = Classes.of_columns(released.quasi_identifiers)
    columns = released.sensitive or (_nothing(len(released)),)
    found = []
    for column in columns:
        tree = hierarchies.get(column.name)
        fitting = tree.for_values(column.values) if tree is not None and ground == "hierarchical" else None
        used = "equal" if ground == "ordered" and column.numbers is None else ground
        found.append(
            measure_models(ClassMatrix.of(classes, column), column.name, ground=used, hierarchy=fitting)
        )
    return tuple(found)


def _nothing(n: int) -> Column:
    """Stand in for a sensitive column in a table that has none."""
    return Column(
        name="(none)", role="sensitive", kind="categorical", values=("",), codes=np.zeros(n, dtype=np.int32)
    )


def _weights(
    table: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig, algorithm: str
) -> dict[str, float] | None:
    names = [column.name for column in table.quasi_identifiers]
    if config.column_weights:
        return {name: float(config.column_weights.get(name, 1.0)) for name in names}
    if not table.sensitive or (algorithm == "samarati" and any(name not in hierarchies for name in names)):
        return None
    space = Space.of(table, hierarchies)
    return axis_weights(value_weights(_utilities(space, table, config), reading=config.reading), space)


def _utilities(space: Space, table: Table, config: ReleaseConfig) -> npt.NDArray[np.float64]:
    sensitive = table.sensitive[0]
    if not config.utility_matrix:
        return utility_matrix(space, sensitive)
    rows = []
    for value in sensitive.values:
        given = config.utility_matrix.get(value)
        if given is None:
            raise ReleaseError(
                "utility_matrix",
                f"release.utility_matrix has no row for {value!r} of {sensitive.name!r}",
                value,
                "give a row for every sensitive value",
            )
        rows.append([given.get(axis.name, -1.0) for axis in space.axes])
    return expert_matrix(rows, n_values=len(sensitive.values), n_axes=len(space.axes))


def _local(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
    algorithm: str,
    watch: Watch,
) -> Made:
    space = Space.of(table, hierarchies)
    sensitive = table.sensitive[0] if table.sensitive else None
    l_value = config.l_value if sensitive is not None else 1
    if sensitive is None and config.requirement.asked != ("k",):
        raise ReleaseError(
            "no_sensitive",
            f"{', '.join(config.requirement.asked)} are asked for and no column is sensitive",
            config.requirement.asked,
            'give a column the role "sensitive" or ask for k only',
        )
    notes: list[str] = [f"{name} has a single value." for name in space.constant]
    values = None if sensitive is None else sensitive.codes
    changed = np.zeros(len(table), dtype=bool)
    rng = np.random.default_rng(config.seed)
    if algorithm in ("tight", "bottom-up"):

        def group(part: Space, rows: Whole) -> Classes:
            watch("grouping", int(rows[0]) if len(rows) < len(table) else 0, len(table))
            if algorithm == "bottom-up":
                return bottom_up(part, config.k, weights).classes
            column = None if sensitive is None else sensitive.take(rows)
            return tight(
                part,
                config.k,
                weights,
                sensitive=column,
                l_value=l_value,
                watch=lambda done, total: watch("grouping", done, total),
            )

        if len(table) > BLOCK_FROM:
            notes.append(f"More than {BLOCK_FROM} records: grouped in blocks of neighbours, at some loss.")
            classes = in_blocks(space, group, values=values, l_value=l_value)
        else:
            classes = group(space, np.arange(len(table)))
    elif sensitive is None:
        raise ReleaseError(
            "no_sensitive",
            f"the {algorithm} algorithm clusters sensitive values and no column is sensitive",
            algorithm,
            "choose the tight algorithm",
        )
    elif algorithm == "kacluk":
        classes = kacluk(space, sensitive, config.k, rng=rng).classes
        notes.append("KACLUK groups at random within clusters of sensitive values; its loss is large.")
    else:
        made = ilp_l_diversity(
            space,
            sensitive,
            k=config.k,
            l_value=l_value,
            rng=rng,
            matrix=_utilities(space, table, config),
            weights=weights,
        )
        classes, values, changed = made.classes, made.values, made.changed
        notes.append(made.warning)
    columns = list(table.columns)
    if sensitive is not None:
        columns = [
            replace(column, codes=values) if column is sensitive and values is not None else column
            for column in columns
        ]
    for column in (column for column in columns if column.role == "sensitive"):
        tree = hierarchies.get(column.name)
        watch("models", 0, 1)
        classes = join_until(
            space,
            classes,
            column,
            config.requirement,
            weights,
            ground="equal" if config.ground == "ordered" and column.numbers is None else config.ground,
            hierarchy=None if tree is None else tree.for_values(column.values),
        )
    points: tuple[tuple[float, float], ...] = ()
    if config.max_ilp_share is not None and sensitive is not None:
        column = columns[[each.name for each in columns].index(sensitive.name)]
        walked = entropy_frontier(space, classes, column, weights)
        points = tuple((point.ilp, point.entropy_l) for point in walked)
        classes = most_diverse(walked, ilp=config.max_ilp_share * len(table)).classes
    labels = space.labels(space.boxes(classes.number, classes.count))
    published = dict(zip(space.names, labels, strict=True))
    released = Table(
        columns=tuple(
            label_column(
                column.name,
                column.role,
                [published[column.name][number] for number in classes.number.tolist()],
            )
            if column.role == "quasi_identifier"
            else column
            for column in columns
        ),
        source_rows=table.source_rows,
    )
    return Made(
        algorithm=algorithm,
        source=table,
        released=released,
        rows=np.arange(len(table)),
        loss=loss(space, classes, weights=weights),
        measures=(),
        verdicts=(),
        changed=int(changed.sum()),
        seconds=0.0,
        weights=weights,
        notes=tuple(notes),
        frontier=points,
    )


def _global(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
) -> Made:
    allowed = config.max_suppressed
    most = int(allowed * len(table)) if isinstance(allowed, float) and allowed < 1 else int(allowed)
    lattice = Lattice(table, hierarchies, k=config.k, max_suppressed=most, weights=weights)
    search = lattice.search()
    node = _satisfying(lattice, search, table, config, hierarchies)
    rows = lattice.kept_rows(node.levels)
    kept = table.take(rows)
    columns = []
    for column in kept.columns:
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
    released = Table(columns=tuple(columns), source_rows=kept.source_rows)
    sizes = Classes.of_columns(released.quasi_identifiers).sizes
    return Made(
        algorithm="samarati",
        source=table,
        released=released,
        rows=rows,
        loss=_global_loss(lattice, node, sizes, len(table)),
        measures=(),
        verdicts=(),
        changed=0,
        seconds=0.0,
        weights=weights,
        notes=(f"{node.suppressed} records were suppressed; at most {most} were allowed.",),
        lattice=lattice,
        search=search,
        node=node,
    )


def _satisfying(
    lattice: Lattice,
    search: SamaratiResult,
    table: Table,
    config: ReleaseConfig,
    hierarchies: Mapping[str, Hierarchy],
) -> NodeReport:
    """Choose among the good nodes of the least height whose classes keep the other models too."""
    only_k: Requirement = replace(
        config.requirement, **{name: None for name in vars(config.requirement) if name != "k"}
    )
    if config.requirement == only_k:
        return lattice.choose(search.nodes, config.preferences, column_weights=config.column_weights or None)
    for height in range(search.height, sum(lattice.heights) + 1):
        found = []
        for levels in lattice.nodes_at(height):
            if not lattice.good(levels):
                continue
            rows = lattice.kept_rows(levels)
            classes = Classes.from_numbers(lattice.class_numbers(levels)[rows])
            for column in table.sensitive:
                matrix = ClassMatrix.of(classes, column.take(rows))
                tree = hierarchies.get(column.name)
                ground = "equal" if config.ground == "ordered" and column.numbers is None else config.ground
                fitting = (
                    tree.for_values(column.take(rows).values) if tree and ground == "hierarchical" else None
                )
                measured = measure_models(
                    matrix,
                    column.name,
                    ground=ground,
                    hierarchy=fitting,
                    recursive_l=config.requirement.recursive_l,
                )
                if not all(verdict.holds for verdict in verify(measured, config.requirement)):
                    break
            else:
                found.append(lattice.report(levels))
        if found:
            return lattice.choose(found, config.preferences, column_weights=config.column_weights or None)
    raise ReleaseError(
        "requirement",
        "no generalisation in the lattice keeps the models asked for",
        config.requirement.asked,
        "ask for less or choose the tight algorithm",
    )


def _global_loss(lattice: Lattice, node: NodeReport, sizes: Whole, n: int) -> Loss:
    """Measure global recoding by its labels, by the same definition as the boxes of local recoding."""
    by_column = lattice.column_losses(node.levels)
    return Loss(
        ncp=float(np.mean(list(by_column.values()))),
        ilp=node.ilp,
        ilp_share=node.ilp / n,
        discernibility=discernibility(sizes, suppressed=node.suppressed, n=n),
        n_classes=len(sizes),
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        mean_size=float(sizes.mean()),
        by_column=by_column,
        suppressed=node.suppressed,
    )
