"""Make a release: local or global recoding of a table until every requested model holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from anonymisation.microdata.build import Build, column_measures, domains_of, ground_of, measures_of
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.expert_matrix import matrix_of
from privacy.arrays import Array, Whole
from privacy.sdc.blocks import BLOCK_FROM, in_blocks
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.classes import Classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.ilp import ilp_l_diversity
from privacy.sdc.information_loss import Loss, loss, loss_by_sensitive_value
from privacy.sdc.joined_classes import Protected, join_until_all
from privacy.sdc.k_member import k_member
from privacy.sdc.ka_cluster import ka_cluster
from privacy.sdc.lattice import Lattice, NodeReport
from privacy.sdc.lattice_tradeoff import lattice_tradeoff
from privacy.sdc.published_labels import label_column
from privacy.sdc.requirements import ModelMeasures, Requirement, Verdict, verify
from privacy.sdc.search_kernels import pays_to_compile
from privacy.sdc.table import Column, Table, without_sensitive
from privacy.sdc.utility_matrix import axis_weights, own_weights, utility_matrix
from privacy.sdc.weights import average_weights, round_weights, total_ratios
from surveys.errors.error import SurveyError

ReportProgress = Callable[[str, int, int], None]


def global_recoding(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
    own: Array | None,
    progress: ReportProgress,
) -> Build:
    """Search the lattice, choose a node and publish its labels; suppressed records are left out.

    `lattice_tradeoff` compares other nodes with the chosen one.

    Parameters
    ----------
    table, hierarchies, config
        Input and settings of the release.
    weights : mapping or None
        Weights of the loss, by column.
    own : float64 array, shape (n, d), or None
        Weights of each record, used instead of `weights` to compare nodes.
    progress : callable
        Called with (stage, done, total).

    Raises
    ------
    PrivacyError
        A column has no hierarchy, the lattice is too large, or no node satisfies every model.
    """
    allowed = config.max_suppressed
    most = int(allowed * len(table)) if isinstance(allowed, float) and allowed < 1 else int(allowed)
    lattice = Lattice(table, hierarchies, k=config.k, max_suppressed=most, weights=weights, own=own)
    progress("lattice", 0, 0)
    node = _satisfying(lattice, lattice.search(), table, config, hierarchies)
    rows = lattice.kept_rows(node.levels)
    kept_table = table.take(rows)
    labels = {}
    for original in table.quasi_identifiers:
        texts = lattice.labels(node.levels, original)
        labels[original.name] = [texts[code] for code in original.codes[rows].tolist()]
    result = _label_columns(kept_table.columns, labels, kept_table.source_rows)
    sizes = Classes.of_columns(result.quasi_identifiers).sizes
    return Build(
        source=table,
        table=result,
        rows=rows,
        loss=_global_loss(lattice, node, sizes, len(table), weights if own is not None else None),
        config=config,
        weights=weights,
        notes=(f"Suppressed records: {node.suppressed}; at most {most} were allowed.",),
        lattice=lattice,
        node=node,
        own_ilp=None if own is None else node.ilp,
        tradeoff=lattice_tradeoff(
            lattice, node, progress=lambda done, total: progress("lattice", done, total)
        ),
    )


def _satisfying(
    lattice: Lattice,
    lowest: Sequence[NodeReport],
    table: Table,
    config: ReleaseConfig,
    hierarchies: Mapping[str, Hierarchy],
) -> NodeReport:
    """Choose the node of least loss among those that satisfy all models.

    Candidates are the lowest such nodes, or with ``search = "all"`` all that do not coarsen another one.
    """
    only_k: Requirement = replace(
        config.requirement, **{name: None for name in vars(config.requirement) if name != "k"}
    )
    if config.requirement == only_k and not config.own:
        return _least_loss(lattice.minimal() if config.search == "all" else lowest)
    nodes: list[NodeReport] = []
    for height in range(lowest[0].height, sum(lattice.heights) + 1):
        for levels in lattice.nodes_at(height):
            if any(_coarsens(levels, node.levels) for node in nodes) or not lattice.good(levels):
                continue
            rows = lattice.kept_rows(levels)
            classes = Classes.from_numbers(lattice.class_numbers(levels)[rows])
            columns = [column.take(rows) for column in table.sensitive]
            for column in columns:
                # Check both readings: missing values left out, and "missing" counted as a value.
                readings = [column, column.whole] if column.missing else [column]
                goal = config.requirement_of(column.name)
                measures = [column_measures(classes, read, columns, hierarchies, config) for read in readings]
                if not all(verdict.holds for measure in measures for verdict in verify(measure, goal)):
                    break
            else:
                nodes.append(lattice.report(levels))
        if nodes and config.search != "all":
            break
    if nodes:
        return _least_loss(nodes)
    raise SurveyError("requirement.lattice", config.asked_of(column.name for column in table.sensitive))


def _least_loss(nodes: Sequence[NodeReport]) -> NodeReport:
    return min(nodes, key=lambda node: (node.ilp, node.levels))


def _coarsens(levels: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether a node generalises every column at least as far as another."""
    return all(level >= least for level, least in zip(levels, other, strict=True))


def _global_loss(
    lattice: Lattice, node: NodeReport, sizes: Whole, n: int, weights: Mapping[str, float] | None
) -> Loss:
    """Measure the loss of global recoding from its labels, as local recoding measures it from its boxes.

    If weights are given, the loss is recomputed, because the node's own loss uses weights by record.
    """
    by_column = lattice.column_losses(node.levels)
    ilp = node.ilp if weights is None else n * sum(weights[name] * loss for name, loss in by_column.items())
    return Loss.of(float(np.mean(list(by_column.values()))), by_column, ilp, sizes, node.suppressed)


def release_make(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    *,
    previous_class: Whole | None = None,
    people: Whole | None = None,
    progress: ReportProgress = lambda stage, done, total: None,
) -> Build:
    """Group, generalise and verify.

    Parameters
    ----------
    table, hierarchies, config
        Input and settings of the release.
    previous_class : int64 array, shape (n,), or None
        Each record's class in an earlier release, -1 for new people. Earlier classes stay together. New
        people form classes of their own, or are held back while they are too few. With ``config.coarsen``,
        whole earlier classes are joined, and no new people are allowed.
    people : int64 array, shape (n,), or None
        Person of each record, 0 .. count-1, if people can have several. All records of a person get the same
        class, and every bound holds for people and for records.
    progress : callable
        Called with (stage, done, total).

    Raises
    ------
    PrivacyError
        The configuration cannot be met. A returned release satisfies every required model.
    """
    began = time.perf_counter()
    domains = domains_of(table, hierarchies, config)
    notes = [text for column in table.columns for text in config.coding_of(column.name)]
    if people is not None:
        _check_people(table, people, config, previous_class)
        notes.append(f"Bounds count people: {int(people.max()) + 1} people have the {len(table)} records.")
    if previous_class is not None:
        if config.algorithm not in ("tight", "bottom-up"):
            raise SurveyError("extend", config.algorithm)
        new = int((previous_class < 0).sum())
        if config.coarsen and new:
            raise SurveyError("coarsen.new", new)
        notes.append(
            "Each group merges whole groups of an earlier release."
            if config.coarsen
            else "Groups of an earlier release are kept; new people form their own groups."
        )
        codes = _publishable_rows(table, previous_class, config)
        if held_back := len(table) - len(codes):
            notes.append(f"{held_back} new people are held back until they fill their own classes.")
        table, previous_class = table.take(codes), previous_class[codes]
    weights = _weights(table, hierarchies, config)
    # Weights by record and quasi-identifier. Searches with one weight per column use the mean.
    own_weights = _own_weights(table, hierarchies, config) if config.own_values else None
    if own_weights is not None:
        names = [column.name for column in table.quasi_identifiers]
        weights = dict(zip(names, own_weights.mean(axis=0).tolist(), strict=True))
    if config.algorithm == "samarati":
        made = global_recoding(table, hierarchies, config, weights, own_weights, progress)
    else:
        made = _local(table, hierarchies, config, weights, progress, previous_class, people)
        if own_weights is not None:
            space = Space.of(table, hierarchies)
            order = [space.names.index(axis.name) for axis in space.axes]
            loss = loss_by_sensitive_value(space, made.classes, np.arange(len(table)), own_weights[:, order])
            made = replace(made, own_ilp=loss)
    if made.table.with_role("weight"):
        made, note = _with_weights(made, hierarchies, config)
        notes.append(note)
    if len(table.sensitive) > 1:
        notes.extend(_certainty_notes(made))
    if made.owners is not None:
        # The sizes of classes count people, like every other figure.
        crowds = made.classes.crowds(made.owners)
        least, most, mean = int(crowds.min()), int(crowds.max()), float(crowds.mean())
        made = replace(made, loss=replace(made.loss, smallest=least, largest=most, mean_size=mean))
    measures = measures_of(made.table, hierarchies, config, made.owners)
    if people is not None or any(column.missing for column in made.table.sensitive):
        # Check again for readers of the file, who count records and may count a missing value as a value.
        columns = tuple(column.whole for column in made.table.columns)
        _verdicts(measures_of(replace(made.table, columns=columns), hierarchies, config), config)
    return replace(
        made,
        domains=domains,
        notes=(*made.notes, *notes),
        measures=measures,
        verdicts=_verdicts(measures, config),
        seconds=time.perf_counter() - began,
    )


def _with_weights(
    made: Build, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig
) -> tuple[Build, str]:
    """Return the release with sampling weights as they are published, and a note about them."""
    table, listed = made.table, ", ".join(column.name for column in made.table.with_role("weight"))
    if config.weights_as == "mean":
        note = f"Sampling weights ({listed}) are the mean of each class, so totals of classes stay."
        return replace(made, table=average_weights(table)), note
    goals = _protection_goals(table.columns, hierarchies, config, made.owners)
    rounded = round_weights(table, config.k, made.owners, goals)
    totals = ", ".join(f"{name}: {ratio:.4g}" for name, ratio in total_ratios(table, rounded).items())
    return replace(made, table=rounded), (
        f"Sampling weights ({listed}) are rounded. At least k people of a class share each published weight, "
        "and the bounds of sensitive columns hold among them, too. Published totals divided by original "
        f"ones: {totals}."
    )


def _certainty_notes(result: Build) -> Iterator[str]:
    """Yield notes on how much a person's other sensitive columns reveal about each sensitive column."""
    if result.config.multi_attribute:
        yield (
            "The bounds of each sensitive column also hold against someone who knows all other "
            "sensitive columns."
        )
    for column in result.table.sensitive:
        other_columns = [other for other in result.table.sensitive if other is not column]
        if certain := result.certain_of(column, other_columns):
            yield (
                f"Someone who also knows a person's other sensitive columns becomes certain of {column.name} "
                f"for at most {certain} of {result.published_people or len(result.table)}."
            )


def _check_people(table: Table, people: Whole, config: ReleaseConfig, previous_class: Whole | None) -> None:
    """Refuse settings that are not supported if people have several records."""
    count = int(people.max()) + 1
    if config.algorithm not in ("tight", "bottom-up"):
        raise SurveyError("people.algorithm", config.algorithm)
    if previous_class is not None:
        raise SurveyError("people.earlier", len(table) - count)
    if config.k > count:
        raise SurveyError("people.k", config.k, n=count, records=len(table))
    if config.multi_attribute and len(table.sensitive) > 1:
        for column in table.sensitive:
            if len(distinct_rows([people, column.codes])[0]) > count:
                raise SurveyError("people.beside", name=column.name)


def _verdicts(measures: Sequence[ModelMeasures], config: ReleaseConfig) -> tuple[Verdict, ...]:
    """Compare the reached models with the required ones, and refuse a release that fails one."""
    verdicts = tuple(
        verdict
        for measure in measures
        for verdict in verify(measure, config.requirement_of(measure.sensitive))
    )
    for verdict in verdicts:
        if not verdict.holds:
            raise SurveyError(
                "requirement.reached",
                verdict.reached,
                chosen=config.algorithm,
                sensitive=verdict.sensitive,
                model=verdict.model,
                asked=verdict.asked,
            )
    return verdicts


def _weights(
    table: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig
) -> dict[str, float] | None:
    names = [column.name for column in table.quasi_identifiers]
    if config.column_weights:
        return {name: float(config.column_weights.get(name, 1.0)) for name in names}
    # The algorithm of Zhu et al. 2010 always uses weights computed from the table.
    if not config.by_table and config.matrix is None and config.algorithm != "ilp":
        return None
    is_global = config.algorithm == "samarati"
    if not table.sensitive or (is_global and any(name not in hierarchies for name in names)):
        return None
    space = Space.of(table, hierarchies)
    return axis_weights(_utilities(space, table, config), space)


def _own_weights(table: Table, hierarchies: Mapping[str, Hierarchy], config: ReleaseConfig) -> Array:
    """Return the weights of each record's loss, which depend on its own sensitive value; shape (n, d)."""
    if not table.sensitive:
        raise SurveyError("no_sensitive.making", ("own_values",), asked="own_values")
    space = Space.of(table, hierarchies)
    utilities = _utilities(space, table, config)
    names = [axis.name for axis in space.axes]
    weights = own_weights(utilities, [config.column_weights.get(name, 1.0) for name in names])
    order = [names.index(column.name) for column in table.quasi_identifiers]
    return weights[table.sensitive[0].codes][:, order]


def _utilities(space: Space, table: Table, config: ReleaseConfig) -> Array:
    sensitive = table.sensitive[0]
    if config.matrix is None:
        return utility_matrix(space, sensitive)
    return matrix_of(config.matrix, sensitive, [axis.name for axis in space.axes])


def _publishable_rows(table: Table, previous_class: Whole, config: ReleaseConfig) -> Whole:
    """Return the records that can be published: all, or only earlier people if there are too few new ones."""
    new = np.flatnonzero(previous_class < 0)
    enough = len(new) >= max(config.k, config.l_value)
    for column in table.sensitive:
        enough = enough and len(np.unique(column.codes[new])) >= config.l_of(column.name)
    return np.arange(len(table)) if enough or not len(new) else np.flatnonzero(previous_class >= 0)


def _extend_classes(space: Space, previous_class: Whole, group: Callable[[Space, Whole], Classes]) -> Classes:
    """Keep the earlier classes as they are, and group the new people among themselves."""
    new = np.flatnonzero(previous_class < 0)
    number = previous_class.copy()
    if len(new):
        number[new] = group(space.take(new), new).number + previous_class.max() + 1
    return Classes.from_numbers(number)


@dataclass
class _Grouped:
    """Classes of records and, for some algorithms, the changed sensitive values."""

    classes: Classes
    values: npt.NDArray[np.int32] | None
    changed: int = 0
    notes: list[str] = field(default_factory=list)


def _local(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
    progress: ReportProgress,
    previous_class: Whole | None,
    people: Whole | None,
) -> Build:
    """Group the records, join classes until every model holds, and generalise each class to its box."""
    space = Space.of(table, hierarchies)
    sensitive = table.sensitive[0] if table.sensitive else None
    if sensitive is None and config.requirement.models != ("k",):
        raise SurveyError(
            "no_sensitive.making", config.requirement.models, asked=", ".join(config.requirement.models)
        )
    if config.algorithm in ("tight", "bottom-up"):
        groups = _neighbours(space, sensitive, config, weights, progress, previous_class, people)
    elif sensitive is None:
        raise SurveyError("no_sensitive.clusters", config.algorithm)
    else:
        groups = _clusters(space, table, sensitive, config, weights)
    columns = [
        replace(column, codes=groups.values) if column is sensitive and groups.values is not None else column
        for column in table.columns
    ]
    goals = _protection_goals(columns, hierarchies, config, people)
    if not goals and config.coarsen:
        # Only k is required, so a placeholder column with a single value is enough.
        goals = [Protected(column=without_sensitive(len(table)), requirement=config.requirement)]
    progress("models", 0, 1)
    classes = join_until_all(space, groups.classes, goals, weights) if goals else groups.classes
    # Label each quasi-identifier with the box of its class.
    number = classes.number.tolist()
    of_classes = zip(space.names, space.labels(space.boxes(classes.number, classes.count)), strict=True)
    labels = {name: [texts[each] for each in number] for name, texts in of_classes}
    return Build(
        source=table,
        table=_label_columns(columns, labels, table.source_rows),
        rows=np.arange(len(table)),
        people=people,
        loss=loss(space, classes, weights=weights),
        changed=groups.changed,
        config=config,
        weights=weights,
        notes=(*(f"{name} has a single value." for name in space.constant), *groups.notes),
    )


def _neighbours(
    space: Space,
    sensitive: Column | None,
    config: ReleaseConfig,
    weights: Mapping[str, float] | None,
    progress: ReportProgress,
    previous_class: Whole | None,
    people: Whole | None,
) -> _Grouped:
    """Group similar records: all at once, in blocks of neighbours, or next to earlier classes.

    A person's first record is grouped, and their other records follow it.
    """
    codes_before = None if sensitive is None else sensitive.codes
    if people is not None:
        first = np.unique(people, return_index=True)[1]
        space, sensitive = space.take(first), None if sensitive is None else sensitive.take(first)
    n = len(space)
    l_value = config.l_of(sensitive.name) if sensitive is not None else 1
    values = None if sensitive is None else sensitive.codes

    is_compiled = pays_to_compile(len(distinct_rows(space.codes)[0]), n, l_value)

    def group(part: Space, rows: Whole) -> Classes:
        progress("grouping", int(rows[0]) if len(rows) < n else 0, n)
        if config.algorithm == "bottom-up":
            return bottom_up(part, config.k, weights)
        column = None if sensitive is None else sensitive.take(rows)
        return k_member(
            part,
            config.k,
            weights,
            sensitive=column,
            l_value=l_value,
            compiled=is_compiled,
            progress=lambda done, total: progress("grouping", done, total),
        )

    if previous_class is not None:
        if config.coarsen:
            return _Grouped(Classes.from_numbers(previous_class), values)
        return _Grouped(_extend_classes(space, previous_class, group), values)
    note = f"More than {BLOCK_FROM} records: grouped in blocks of neighbours, which loses slightly more."
    classes = in_blocks(space, group, values=values, l_value=l_value)
    if people is not None:
        classes = Classes.from_numbers(classes.number[people])
    return _Grouped(classes, codes_before, notes=[note] if n > BLOCK_FROM else [])


def _clusters(
    space: Space, table: Table, sensitive: Column, config: ReleaseConfig, weights: Mapping[str, float] | None
) -> _Grouped:
    """Group records within clusters of sensitive values, at random or by ILP l-diversity."""
    rng = np.random.default_rng(config.seed)
    if config.algorithm == "kacluk":
        note = (
            "KACLUK forms random groups within clusters of sensitive values, which loses a lot "
            "of information."
        )
        classes = ka_cluster(space, sensitive, config.k, rng=rng).classes
        return _Grouped(classes, sensitive.codes, notes=[note])
    clusters = ilp_l_diversity(
        space,
        sensitive,
        k=config.k,
        l_value=config.l_of(sensitive.name),
        rng=rng,
        matrix=_utilities(space, table, config),
        weights=weights,
    )
    return _Grouped(clusters.classes, clusters.values, int(clusters.changed.sum()), [clusters.warning])


def _protection_goals(
    columns: Sequence[Column],
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    people: Whole | None,
) -> list[Protected]:
    """Return the goals of each sensitive column, for records as a reader counts them and for people."""
    sensitive = [column for column in columns if column.role == "sensitive"]
    goals = []
    for column in sensitive:
        tree = hierarchies.get(column.name)
        goal = Protected(
            column=column.whole,
            requirement=config.requirement_of(column.name),
            ground=ground_of(config.ground, column),
            hierarchy=None if tree is None else tree.for_values(column.values),
            beside=tuple(other for other in sensitive if config.multi_attribute and other is not column),
        )
        goals.append(goal)
        if people is not None or column.missing:
            real = None if tree is None else tree.for_values(column.real)
            goals.append(replace(goal, column=column, hierarchy=real, people=people))
    return goals


def _label_columns(columns: Sequence[Column], labels: Mapping[str, list[str]], source_rows: Whole) -> Table:
    """Return a table whose quasi-identifiers are replaced by each record's labels."""
    published = (
        label_column(column.name, column.role, labels[column.name]) if column.name in labels else column
        for column in columns
    )
    return Table(columns=tuple(published), source_rows=source_rows)
