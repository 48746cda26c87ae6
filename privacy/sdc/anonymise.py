"""k-anonymise a DataFrame in one call, and measure the risk and the information loss of a table.

Measures of re-identification risk: prosecutor risk, sample uniques, unicity and singling-out sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy import validation
from privacy.arrays import Whole
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError, plain, shown_list
from privacy.library.shown_tables import Tabled, data_frame
from privacy.numeric_text import finite_number
from privacy.sdc.beginnings import beginnings
from privacy.sdc.blocks import in_blocks
from privacy.sdc.check_k import check_k
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy, flat_hierarchy, hierarchy_of, paths_hierarchy
from privacy.sdc.information_loss import Loss, loss
from privacy.sdc.joined_classes import Protected, join_until_all
from privacy.sdc.k_member import k_member
from privacy.sdc.panels import panel_check
from privacy.sdc.published_labels import label_column
from privacy.sdc.record_owners import owners_of, repeated_columns
from privacy.sdc.reidentification_risk import Risk, risk
from privacy.sdc.requirements import ModelMeasures, Requirement, measure_models
from privacy.sdc.search_kernels import pays_to_compile
from privacy.sdc.table import Column, Table
from privacy.sdc.unit import size_text, units_text
from privacy.sdc.weights import WAYS, average_weights, round_weights, total_ratios
from privacy.tables.columns import ReadTable
from privacy.tables.date_spans import SPANS, span_groups
from privacy.tables.decisions import Decisions
from privacy.tables.frames import frame_table, read_frame
from privacy.tables.missing_texts import is_missing_word
from privacy.tables.reader import Reading, as_read, read_decisions

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_SIDES: Final = 2
"""Number of categories that have no groups but all of them."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(Tabled):
    """Privacy of a published table, measured on the table itself, and the information lost.

    Parameters
    ----------
    k : int
        Number of people in the smallest class; of records, if `people` is None.
    classes, records : int
    people : int or None
        Number of people, if a column that identifies them was named. Then k, l and all risks count people.
    repeated : dict of str to int
        Columns that were left out and repeat, with their numbers of values. If one of them identifies a
        person, records were counted instead of people: name it as `respondent`.
    models : dict of str to ModelMeasures
        l, t and the other models of each sensitive column.
    loss : Loss
        ``loss.ncp``, from 0 (nothing changed) to 1 (nothing left), also ``by_column``.
    before, after : Risk
        Probabilities that a record is linked to its owner by the original, and by the published,
        quasi-identifiers.
    left_out : tuple of str
        Columns without a role, which are not published.
    decisions : Decisions
        What was decided about the texts of the table.
    dropped : int
        Records that were left out because a value was missing.
    weight_totals : dict of str to float
        Total of each published sampling weight, divided by the original one.
    flat : tuple of str
        Quasi-identifiers with categories but without a hierarchy: a group in which they differ gets ``*``.
    """

    k: int
    classes: int
    records: int
    models: Mapping[str, ModelMeasures]
    loss: Loss
    before: Risk
    after: Risk
    left_out: tuple[str, ...]
    people: int | None = None
    repeated: Mapping[str, int] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=Decisions)
    dropped: int = 0
    weight_totals: Mapping[str, float] = field(default_factory=dict)
    flat: tuple[str, ...] = ()

    @property
    def l(self) -> int | None:  # noqa: E743 - the name in the literature
        """Smallest number of distinct sensitive values in a class; None without a sensitive column."""
        return min((model.distinct_l for model in self.models.values()), default=None)

    def to_frame(self) -> DataFrame:
        """Return the risks before and after and the information loss, one figure per row."""
        rows = {
            "smallest class": (round(1 / self.before.prosecutor_highest), self.k),
            f"{self._unit} alone": (self.before.sample_uniques, self.after.sample_uniques),
            "prosecutor risk, highest": (self.before.prosecutor_highest, self.after.prosecutor_highest),
            "prosecutor risk, mean": (self.before.prosecutor_mean, self.after.prosecutor_mean),
            f"share at risk above {self.after.threshold:g}": (self.before.at_risk, self.after.at_risk),
            "information lost (NCP)": (0.0, self.loss.ncp),
        }
        before, after = zip(*rows.values(), strict=True)
        return data_frame({"before": before, "after": after}, index=list(rows), name="figure")

    @property
    def _unit(self) -> str:
        return "records" if self.people is None else "people"

    @property
    def _size(self) -> str:
        return size_text(self.records, self.people)

    def summary(self) -> str:
        """Return the report as text of several lines."""
        lines = [
            f"{self._size} in {counted(self.classes, 'class')}, the smallest of "
            f"{units_text(self.k, self.people)}",
            f"information lost: {100 * self.loss.ncp:.1f}% ("
            + ", ".join(f"{name} {100 * loss:.1f}%" for name, loss in self.loss.by_column.items())
            + ")",
            f"a record is linked with a probability of at most {self.after.prosecutor_highest:.3g} "
            f"(before: {self.before.prosecutor_highest:.3g}), {self.after.prosecutor_mean:.3g} on average "
            f"(before: {self.before.prosecutor_mean:.3g}); alone: "
            f"{units_text(self.after.sample_uniques, self.people)} (before: {self.before.sample_uniques:,})",
        ]
        lines += [
            f"{name}: {model.distinct_l} or more values in each class (l), entropy l {model.entropy_l:.3g}, "
            f"t {model.t:.3g}, a value of at most {100 * model.alpha:.3g}%"
            for name, model in self.models.items()
        ]
        if not self.models:
            lines.append("no column is sensitive, so classes with a single value are not checked")
        if self.left_out:
            lines.append(f"left out, because they have no role: {', '.join(self.left_out)}")
        if self.people is None:
            lines.append("counted in records: each counts as one person")
        if self.repeated:
            listed = ", ".join(
                f"{name} ({counted(values, 'value')})" for name, values in self.repeated.items()
            )
            lines.append(
                f"these columns were left out and repeat: {listed}. If one of them, or several together, "
                "identify a person, pass them as respondent to count people"
            )
        if self.flat:
            lines.append(
                f"without a hierarchy, a class with different categories gets * in {', '.join(self.flat)}; "
                f"pass hierarchies={{{self.flat[0]!r}: ...}} to publish groups of categories instead"
            )
        lines += [
            f"the published weights {name} add up to {ratio:.4g} times the original ones"
            for name, ratio in self.weight_totals.items()
        ]
        if self.dropped:
            lines.append(f"{counted(self.dropped, 'record')} without a value left out")
        return "\n".join([*lines, *map(str, self.decisions)])

    def __repr__(self) -> str:
        is_unit_shown = self.people is not None or self.repeated
        k = units_text(self.k, self.people) if is_unit_shown else self.k
        return f"<{self._size}, k = {k}, information lost {100 * self.loss.ncp:.1f}%>"


def anonymise(
    frame: DataFrame,
    *,
    quasi_identifiers: Sequence[str],
    k: int = 5,
    sensitive: Sequence[str] = (),
    l: int = 1,  # noqa: E741 - the name in the literature
    insensitive: Sequence[str] = (),
    respondent: str | Sequence[str] = (),
    records_are_people: bool = False,
    weights: str | Sequence[str] = (),
    weights_as: str = "mean",
    hierarchies: Mapping[str, Any] | None = None,
    missing: str = "refuse",
    month_first: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[DataFrame, Report]:
    """Generalise quasi-identifiers until each person's records equal those of k - 1 others.

    Parameters
    ----------
    frame : DataFrame
        One record per row. Without `respondent`, each counts as a different person.
    quasi_identifiers : sequence of str
        Columns that an attacker may know about a person. Numbers become intervals; other values are
        generalised by their hierarchy.
    k : int
        Smallest number of people in a class, from 1 to the number of people.
    sensitive : sequence of str
        Columns that are published unchanged but protected by `l`.
    l : int
        Smallest number of distinct values of each sensitive column in a class, 1 or more.
    insensitive : sequence of str
        Columns that are published unchanged.
    respondent : str or sequence of str
        Column that identifies a person, or several that do so together, if people have several records. They
        are not published. Spellings that differ only in capitals, blanks or the way a number is written are
        one person. All records of a person get the same labels, and k, l and risks count people.
    records_are_people : bool
        Confirms that each record belongs to a different person, although a column looks like people.
    weights : str or sequence of str
        Sampling weights, published as `weights_as` says.
    weights_as : {"mean", "rounded"}
        Publish the mean of the class, which keeps totals; or the rounded mean of neighbouring weights that
        `k` people of the class share, among whom `l` holds too, as `privacy.sdc.weights.round_weights` does.
    hierarchies : mapping of column name to Hierarchy, mapping or DataFrame, optional
        Hierarchies of quasi-identifiers, as for `privacy.sdc.hierarchy.hierarchy_of`. Without one,
        numbers become intervals, months become quarters, years or decades, codes are grouped by their
        beginnings, and other values become ``*``.
    missing : {"refuse", "drop", "value"}
        What to do with records without a value: refuse the table, leave them out, or treat "missing" as a
        value. Numbers cannot be missing, so with "value" such records are left out.
    month_first : bool
        Whether 3/4/2021 is in March, if nothing in the column decides it.
    progress : callable, optional
        Called regularly with (placed records, records) of the current block; it may raise an exception to
        stop.

    Returns
    -------
    (DataFrame, Report)
        Rows in the order of `frame`, without dropped ones. The index is new, because an index can name
        people. Columns without a role are left out and listed in the report.

    Raises
    ------
    PrivacyError
        ``frame``: no rows, unknown, duplicate or repeated columns, missing values, a quasi-identifier or
        `respondent` with one value; ``k``, ``l``, ``time_stamp``, ``free_text``, ``singles_out``,
        ``coverage``.

    Notes
    -----
    Classes grow around the densest combinations and add the records that widen them least (greedy k-member
    clustering). Classes with fewer than l values are repaired afterwards. k, l and risks are measured on the
    published labels.

    References
    ----------
    Samarati and Sweeney 1998; Machanavajjhala et al. 2007; Byun et al. 2007.

    Examples
    --------
    >>> import pandas
    >>> people = pandas.DataFrame({"age": [31, 34, 38, 52, 57, 59], "ill": [1, 0, 0, 1, 0, 1]})
    >>> published, report = anonymise(people, quasi_identifiers=["age"], sensitive=["ill"], k=3)
    >>> published["age"].tolist()
    ['[31,38]', '[31,38]', '[31,38]', '[52,59]', '[52,59]', '[52,59]']
    >>> report.k, report.l, report.before.sample_uniques
    (3, 2, 6)
    >>> visits = pandas.concat([people, people], ignore_index=True).assign(nr=[*range(6), *range(6)])
    >>> columns = {"quasi_identifiers": ["age"], "sensitive": ["ill"]}
    >>> anonymise(visits, **columns, k=2)[1]
    <12 records, k = 2 records, information lost 0.0%>
    >>> anonymise(visits, **columns, k=2, respondent="nr")[1]
    <12 records of 6 people, k = 2 people, information lost 22.6%>
    """
    validation.one_of(weights_as, "weights_as", allowed=WAYS, code="weights")
    frame = read_frame(frame)
    roles = _roles(quasi_identifiers, sensitive, insensitive, weights)
    read = frame_table(frame, roles)
    readings = _readings(read, roles, hierarchies or {}, month_first)
    names = [respondent] if isinstance(respondent, str) else [*respondent]
    owners, n_people = owners_of(read, names, roles, frame.index)
    if n_people is None and not records_are_people:
        panel_check(read, roles)
    table = _table(read, roles, readings, missing, frame.index)
    owners = None if owners is None else owners[table.source_rows]
    trees = _trees(table, roles, hierarchies or {})
    space = Space.of(table, trees)
    classes = _classes(space, table, k, l, owners, progress)
    texts = space.labels(space.boxes(classes.number, classes.count))
    number = classes.number.tolist()
    labels = {name: [own[each] for each in number] for name, own in zip(space.names, texts, strict=True)}
    published_classes = Classes.of_columns(
        [label_column(name, "quasi_identifier", own) for name, own in labels.items()]
    )
    rows = table.source_rows
    weighted = replace(table, columns=(*label_columns(labels), *table.with_role("weight")))
    if weights_as == "mean":
        weighted = average_weights(weighted)
    else:
        bounds = Requirement(k=k, distinct_l=l)
        goals = [Protected(column=column, requirement=bounds, people=owners) for column in table.sensitive]
        weighted = round_weights(weighted, k, owners, goals)
    labels |= {column.name: [float(text) for text in column.texts] for column in weighted.with_role("weight")}
    result = data_frame(
        {
            name: labels[name] if name in labels else _published(frame, read, readings[name], name, rows)
            for name in read.header
            if name in roles
        }
    )
    models = {
        column.name: measure_models(ClassMatrix.of(published_classes, column, owners), column.name)
        for column in table.sensitive
    }
    left_out = tuple(name for name in read.header if name not in roles)
    repeated = () if n_people is not None else repeated_columns(map(read.column, left_out))
    return result, Report(
        k=int(published_classes.crowds(owners).min()),
        classes=published_classes.count,
        records=len(table),
        models=models,
        loss=loss(space, classes),
        before=risk(Classes.of_columns(table.quasi_identifiers).crowds(owners)),
        after=risk(published_classes.crowds(owners)),
        left_out=left_out,
        people=n_people,
        repeated={each.columns[0]: each.values for each in repeated},
        decisions=read_decisions(read, readings),
        dropped=table.dropped,
        weight_totals=total_ratios(table, weighted),
        flat=tuple(name for name, tree in trees.items() if _is_flat(name, tree, hierarchies or {})),
    )


def _is_flat(name: str, tree: Hierarchy, given: Mapping[str, Any]) -> bool:
    """Return whether no one gave groups of more than two categories."""
    return name not in given and tree.height == 1 and len(tree.labels[0]) > _SIDES


def label_columns(labels: Mapping[str, list[str]]) -> list[Column]:
    """Return generalised columns from the labels of their records.

    Parameters
    ----------
    labels : mapping of str to list of str
        Generalised columns.
    """
    return [label_column(name, "quasi_identifier", own) for name, own in labels.items()]


def _published(frame: Any, read: ReadTable, reading: Reading, name: str, rows: Whole) -> Any:
    """Return a published column: texts as they were read, and other values as in the frame."""
    place = [str(each) for each in frame.columns].index(name)
    series = frame.iloc[:, place]
    has_texts = all(isinstance(value, str) for value in series.dropna().unique())
    if not has_texts and reading.kind not in SPANS and not reading.spellings:
        return series.to_numpy()[rows]
    if reading.kind in SPANS:
        texts = as_read(read, {name: reading}).column(name).texts
        return [texts[row] or None for row in rows.tolist()]
    values = reading.values(read.column(name))
    return [values[row] for row in rows.tolist()]


def _roles(
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    insensitive: Sequence[str],
    weights: Sequence[str],
) -> dict[str, str]:
    roles: dict[str, str] = {}
    for role, names in (
        ("quasi_identifier", quasi_identifiers),
        ("sensitive", sensitive),
        ("insensitive", insensitive),
        ("weight", weights),
    ):
        for name in [names] if isinstance(names, str) else names:
            if name in roles:
                raise PrivacyError("frame.twice", name)
            roles[str(name)] = role
    if "quasi_identifier" not in roles.values():
        raise PrivacyError("no_quasi_identifier.space")
    return roles


def _readings(
    read: ReadTable, roles: Mapping[str, str], hierarchies: Mapping[str, Any], month_first: bool
) -> dict[str, Reading]:
    """Decide what the texts of the columns with a role mean."""
    for name in roles:
        if name not in read.header:
            raise PrivacyError("frame.unknown", name, names=shown_list(read.header[:20]))
    for name in hierarchies:
        if roles.get(name) != "quasi_identifier":
            known = shown_list([name for name, role in roles.items() if role == "quasi_identifier"])
            raise PrivacyError("hierarchy.column", name, names=known)
    readings = {}
    for name, role in roles.items():
        column = read.column(name)
        own = "categorical" if name in hierarchies else "numeric" if role == "weight" else ""
        reading = Reading.of(column, month_first=month_first, kind=own)
        if reading.kind == "numeric" and reading.kinds[0] != "numeric":
            text = next(text for text in column.values if finite_number(text) is None)
            raise PrivacyError("not_a_number.column", text, rule=name)
        readings[name] = reading
    return readings


def _trees(table: Table, roles: Mapping[str, str], hierarchies: Mapping[str, Any]) -> dict[str, Hierarchy]:
    trees = {name: hierarchy_of(name, own) for name, own in hierarchies.items()}
    for column in table.quasi_identifiers:
        if column.numbers is not None or column.name in trees:
            continue
        groups = {value: span_groups(value) for value in column.values if value}
        if groups and all(groups.values()):
            spans = {value: above or () for value, above in groups.items()}
            trees[column.name] = paths_hierarchy(
                column.name, {**spans, **dict.fromkeys(set(column.values) - spans.keys(), ())}
            )
        elif above := beginnings([value for value in column.values if value]):
            trees[column.name] = paths_hierarchy(
                column.name, {value: (above[value],) if value else () for value in column.values}
            )
        else:
            trees[column.name] = flat_hierarchy(column.name, column.values)
    return trees


def _table(
    read: ReadTable, roles: Mapping[str, str], readings: Mapping[str, Reading], missing: str, index: Any
) -> Table:
    """Return the columns with a role as microdata."""
    as_decided = as_read(read, readings)
    rules = []
    for name, role in roles.items():
        column, kind = as_decided.column(name), readings[name].kind
        lacking = column.counts.get("", 0)
        if lacking and missing == "refuse":
            row = int(np.argmax(column.codes == column.values.index("")))
            text = read.column(name).texts[row]
            if text and finite_number(text) is None and not is_missing_word(text):
                raise PrivacyError("not_a_number.column", text, rule=name)
            label = plain(index[row])
            raise PrivacyError("frame.missing", text, column=name, count=lacking, n=len(read), row=label)
        if role == "quasi_identifier" and len(column.values) == 1:
            raise PrivacyError("frame.one_value", column.values[0], column=name)
        is_number = kind in ("numeric", "year")
        policy = "drop" if missing == "value" and is_number else missing
        rules.append(
            ColumnRule(name=name, role=role, kind="numeric" if is_number else "categorical", missing=policy)
        )
    columns = [as_decided.column(name) for name in roles]
    return Table.from_codes(list(roles), [(column.values, column.codes) for column in columns], rules)


def _classes(
    space: Space,
    table: Table,
    k: int,
    l_value: int,
    owners: Whole | None,
    progress: Callable[[int, int], None] | None,
) -> Classes:
    """Build classes for the first sensitive column, then join them until the others also have l values.

    A person's first record is grouped, and their other records follow it.
    """
    whole, first = space, table.sensitive[0] if table.sensitive else None
    if owners is not None:
        firsts = np.unique(owners, return_index=True)[1]
        space, first = space.take(firsts), None if first is None else first.take(firsts)
    check_k(k, len(space), l_value)

    is_compiled = pays_to_compile(len(distinct_rows(space.codes)[0]), len(space), l_value)

    def group(part: Space, rows: Whole) -> Classes:
        return k_member(
            part,
            k,
            sensitive=None if first is None else first.take(rows),
            l_value=l_value,
            compiled=is_compiled,
            progress=progress,
        )

    values = None if first is None else first.codes
    classes = in_blocks(space, group, values=values, l_value=l_value)
    if owners is not None:
        classes = Classes.from_numbers(classes.number[owners])
    # Later records of a person can add values to a class, or one value that everyone in it has.
    others = [
        Protected(column=column, requirement=Requirement(k=k, distinct_l=l_value), people=owners)
        for column in (table.sensitive[1:] if owners is None else table.sensitive)
    ]
    return join_until_all(whole, classes, others) if others else classes
