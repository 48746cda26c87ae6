"""k-anonymise a DataFrame in one call, and audit the table before publication."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.library.frames import data_frame, pick, read_column
from privacy.sdc.classes import Classes, ClassMatrix, in_blocks
from privacy.sdc.generalisation_cost import Space, distinct_rows
from privacy.sdc.hierarchy import Hierarchy, flat_hierarchy
from privacy.sdc.k_member import k_member, pays_to_compile
from privacy.sdc.labels import label_column
from privacy.sdc.requirements import ModelMeasures, Protected, Requirement, join_until_all, measure_models
from privacy.sdc.risk import Loss, Risk, loss, risk
from privacy.sdc.table import ColumnRule, Table
from privacy.validation import number_text

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame
from privacy.library.frames import Tabled


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(Tabled):
    """Privacy that a published table reaches, measured on the table itself, and the information lost.

    Parameters
    ----------
    k : int
        Records of the smallest class.
    classes, records : int
    models : dict of str to ModelMeasures
        l, t and the other models of each sensitive column.
    loss : Loss
        ``loss.ncp``, from 0 (nothing changed) to 1 (nothing left), also ``by_column``.
    before, after : Risk
        Probabilities that a record is linked to its owner, by the quasi-identifiers as they were and as
        published.
    left_out : tuple of str
        Columns without a role, which are not published.
    """

    k: int
    classes: int
    records: int
    models: Mapping[str, ModelMeasures]
    loss: Loss
    before: Risk
    after: Risk
    left_out: tuple[str, ...]

    @property
    def l(self) -> int | None:  # noqa: E743 - the field's name for it
        """Fewest distinct values of a sensitive column in a class; None without a sensitive column."""
        return min((model.distinct_l for model in self.models.values()), default=None)

    def to_frame(self) -> DataFrame:
        """Return the risks before and after, and the loss, one figure a row."""
        rows = {
            "smallest class": (round(1 / self.before.prosecutor_highest), self.k),
            "records alone": (self.before.sample_uniques, self.after.sample_uniques),
            "prosecutor risk, highest": (self.before.prosecutor_highest, self.after.prosecutor_highest),
            "prosecutor risk, mean": (self.before.prosecutor_mean, self.after.prosecutor_mean),
            f"share at risk above {self.after.threshold:g}": (self.before.at_risk, self.after.at_risk),
            "information lost (NCP)": (0.0, self.loss.ncp),
        }
        before, after = zip(*rows.values(), strict=True)
        return data_frame({"before": before, "after": after}, index=list(rows), name="figure")

    def summary(self) -> str:
        """Return the report in lines."""
        lines = [
            f"{self.records:,} records in {self.classes:,} classes, the smallest of {self.k}",
            f"information lost: {100 * self.loss.ncp:.1f}% ("
            + ", ".join(f"{name} {100 * loss:.1f}%" for name, loss in self.loss.by_column.items())
            + ")",
            f"a record is linked with a probability of at most {self.after.prosecutor_highest:.3g} "
            f"(before: {self.before.prosecutor_highest:.3g}), {self.after.prosecutor_mean:.3g} on average "
            f"(before: {self.before.prosecutor_mean:.3g}); alone: {self.after.sample_uniques:,} records "
            f"(before: {self.before.sample_uniques:,})",
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
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.records:,} records, k = {self.k}, information lost {100 * self.loss.ncp:.1f}%>"


def anonymise(
    frame: DataFrame,
    *,
    quasi_identifiers: Sequence[str],
    k: int = 5,
    sensitive: Sequence[str] = (),
    l: int = 1,  # noqa: E741 - the field's name for it
    insensitive: Sequence[str] = (),
    hierarchies: Mapping[str, Hierarchy] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[DataFrame, Report]:
    """Generalise quasi-identifiers until each record has k - 1 others like it.

    Parameters
    ----------
    frame : DataFrame
        One record per row, each of a different person: records are counted.
    quasi_identifiers : sequence of str
        Columns that someone may know of a person. Numbers become intervals, other values climb their
        hierarchy.
    k : int
        Records of a class at least, 1 to the number of records.
    sensitive : sequence of str
        Columns that are published as they are, and protected by `l`.
    l : int
        Different values of each sensitive column in a class at least.
    insensitive : sequence of str
        Columns that are published as they are.
    hierarchies : mapping of column name to Hierarchy, optional
        Hierarchies of non-numeric quasi-identifiers; one without is kept or becomes ``*``.

    progress : callable, optional
        Called with (records placed, records) of the block at hand now and then; it may raise to stop.

    Returns
    -------
    (DataFrame, Report)
        Rows in the order of `frame`, numbered anew: an index can name people. Columns without a role are
        left out, and the report lists them.

    Raises
    ------
    PrivacyError
        ``frame``: no rows, unknown, duplicate or twice named columns, missing values, a quasi-identifier
        with one value; ``k``, ``l``, ``time_stamp``, ``free_text``, ``singles_out``, ``coverage``.

    Notes
    -----
    Classes grow around the densest combinations and add the records that widen them least (greedy k-member
    clustering with l built in). k, l and risks are measured on the published labels.

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
    """
    roles = _roles(frame, quasi_identifiers, sensitive, insensitive)
    table = _table(frame, roles)
    trees = dict(hierarchies or {})
    for column in table.quasi_identifiers:
        if column.numbers is None:
            trees.setdefault(column.name, flat_hierarchy(column.name, column.values))
    space = Space.of(table, trees)
    classes = _classes(space, table, k, l, progress)
    texts = space.labels(space.boxes(classes.number, classes.count))
    number = classes.number.tolist()
    labels = {name: [own[each] for each in number] for name, own in zip(space.names, texts, strict=True)}
    published = data_frame(
        {name: labels[name] if name in labels else frame[name].to_numpy() for name in frame if name in roles}
    )
    published_classes = Classes.of_columns(
        [label_column(name, "quasi_identifier", own) for name, own in labels.items()]
    )
    models = {
        column.name: measure_models(ClassMatrix.of(published_classes, column), column.name)
        for column in table.sensitive
    }
    return published, Report(
        k=int(published_classes.sizes.min()),
        classes=published_classes.count,
        records=len(table),
        models=models,
        loss=loss(space, classes),
        before=risk(Classes.of_columns(table.quasi_identifiers).sizes),
        after=risk(published_classes.sizes),
        left_out=tuple(str(name) for name in frame if name not in roles),
    )


def _roles(
    frame: DataFrame, quasi_identifiers: Sequence[str], sensitive: Sequence[str], insensitive: Sequence[str]
) -> dict[str, str]:
    roles: dict[str, str] = {}
    for role, names in (
        ("quasi_identifier", quasi_identifiers),
        ("sensitive", sensitive),
        ("insensitive", insensitive),
    ):
        for name in [names] if isinstance(names, str) else names:
            if name in roles:
                raise PrivacyError("frame.twice", name)
            roles[name] = role
    if "quasi_identifier" not in roles.values():
        raise PrivacyError("no_quasi_identifier.space")
    pick(frame, list(roles))
    return roles


def _table(frame: DataFrame, roles: Mapping[str, str]) -> Table:
    """Read the columns that have a role as microdata, numbers as numbers."""
    rules, texts = [], []
    for name, role in roles.items():
        numeric, values = read_column(frame, name)
        if role == "quasi_identifier" and len(set(values)) == 1:
            raise PrivacyError("frame.one_value", values[0], column=name)
        rules.append(ColumnRule(name=name, role=role, kind="numeric" if numeric else "categorical"))
        texts.append([_text(value, numeric) for value in values])
    return Table.from_rows(list(roles), zip(*texts, strict=True), rules)


def _text(value: Any, numeric: bool) -> str:
    # An infinite number is refused by the table, by its name.
    return number_text(value) if numeric and math.isfinite(value) else str(value)


def _classes(
    space: Space, table: Table, k: int, l_value: int, progress: Callable[[int, int], None] | None
) -> Classes:
    """Group with the first sensitive column built in, then join until the others have l values too."""
    first = table.sensitive[0] if table.sensitive else None

    compiled = pays_to_compile(len(distinct_rows(space.codes)[0]), len(space), l_value)

    def group(part: Space, rows: Whole) -> Classes:
        return k_member(
            part,
            k,
            sensitive=None if first is None else first.take(rows),
            l_value=l_value,
            compiled=compiled,
            progress=progress,
        )

    values = None if first is None else first.codes
    classes = in_blocks(space, group, values=values, l_value=l_value)
    others = [
        Protected(column=column, requirement=Requirement(k=k, distinct_l=l_value))
        for column in table.sensitive[1:]
    ]
    return join_until_all(space, classes, others) if others else classes
