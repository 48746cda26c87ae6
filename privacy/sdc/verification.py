"""Check a table without changing it: which models hold, and who stands out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.arrays import Whole
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError, shown_list
from privacy.library.shown_tables import Tabled, data_frame
from privacy.sdc.attacks import background_knowledge, homogeneous
from privacy.sdc.classes import Classes, ClassMatrix, split_classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.hierarchy import SUPPRESSED, Hierarchy, hierarchy_of
from privacy.sdc.leakage import leakage
from privacy.sdc.published_table import published_table
from privacy.sdc.reidentification_risk import risk
from privacy.sdc.requirements import ModelMeasures, Requirement, Verdict, measure_models
from privacy.sdc.requirements import verify as verdicts_of
from privacy.sdc.suppressed_rows import without_suppressed
from privacy.sdc.table import Column, Table, without_sensitive
from privacy.sdc.unit import units_text
from privacy.tables.columns import ReadTable
from privacy.tables.decisions import Decisions

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, repr=False)
class Check(Tabled):
    """Models that a table reaches, compared with the required ones.

    Parameters
    ----------
    records, suppressed, classes : int
    people : int or None
        None if records were counted.
    alone : mapping of str to int
        Columns that were not checked and single people out, with the number of people, or records, whose
        value no one else has.
    alone_in_class : mapping of str to int
        The same for people whose value no one else in their class has, if these are more.
    repeated : mapping of str to int
        If records were counted: columns that were not checked and repeat, with their numbers of values. One
        of them may identify a person.
    missing : mapping of str to mapping of str to int
        Records of each text that counted as missing, by sensitive column.
    measures, verdicts
        Models that each sensitive column reaches, and the required ones.
    details : mapping
        Risk, classes of one value, exclusions until certain, and information, by sensitive column.
    decisions : Decisions
        What was decided when the table was read.
    """

    records: int
    people: int | None
    suppressed: int
    classes: int
    alone: Mapping[str, int]
    alone_in_class: Mapping[str, int]
    repeated: Mapping[str, int]
    missing: Mapping[str, Mapping[str, int]]
    measures: tuple[ModelMeasures, ...]
    verdicts: tuple[Verdict, ...]
    details: Mapping[str, Any]
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def k(self) -> int:
        """Number of people, or records, in the smallest class."""
        return int(self.measures[0].k or 0)

    @property
    def l(self) -> int | None:  # noqa: E743 - the name in the literature
        """Smallest number of distinct sensitive values in a class; None without a sensitive column."""
        if not self.details["information"]:
            return None
        return min(each.distinct_l for each in self.measures)

    @property
    def unit(self) -> str:
        """What was counted: "people" or "records"."""
        return "records" if self.people is None else "people"

    def to_frame(self) -> DataFrame:
        """Return the figures of each sensitive column."""
        names = ("k", "distinct_l", "entropy_l", "alpha", "t", "basic_beta", "delta")
        rows = {name: [getattr(each, name) for each in self.measures] for name in names}
        return data_frame(rows, index=[each.sensitive for each in self.measures], name="column")

    def lines(self) -> Iterator[str]:
        """Yield the check as text."""
        classes = counted(self.classes, "class")
        yield f"{counted(self.records, 'record')}, {self.suppressed:,} suppressed, {classes}"
        for name, counts in self.missing.items():
            texts = ", ".join(f'"{text}" ({n})' for text, n in counts.items())
            yield f"{name}: counted as missing: {texts}"
        for verdict in self.verdicts:
            answer = "holds" if verdict.holds else "FAILS"
            figures = f"required {verdict.asked:g}, reached {verdict.reached:.6g}"
            yield f"{verdict.sensitive}: {verdict.model} {figures}: {answer}"
        if self.people is not None:
            yield f"Counted in people: the records belong to {counted(self.people, 'person')}."
        else:
            yield (
                "Counted in records. If people have several, name the column that identifies them "
                "(respondent)."
            )
        if self.repeated:
            listed = ", ".join(
                f"{name} ({counted(values, 'value')})" for name, values in self.repeated.items()
            )
            yield f"Columns that were not checked and repeat: {listed}."
        if self.alone:
            listed = _listed(self.alone, self.people)
            yield f"Columns that were not checked and single out {self.unit}: {listed}."
        if self.alone_in_class:
            listed = _listed(self.alone_in_class, self.people)
            yield f"Together with the quasi-identifiers, these columns single out {self.unit}: {listed}."

    def summary(self) -> str:
        """Return the check as text of several lines, with the reached k and l."""
        reached = f"smallest class: {units_text(self.k, self.people)}"
        reached += "" if self.l is None else f", with {self.l} or more sensitive values"
        return "\n".join([*self.lines(), reached, *map(str, self.decisions)])

    def __repr__(self) -> str:
        l_text = "" if self.l is None else f", l = {self.l}"
        return f"<{counted(self.records, 'record')}, k = {units_text(self.k, self.people)}{l_text}>"

    @property
    def holds(self) -> bool:
        """Whether every required model holds."""
        return all(verdict.holds for verdict in self.verdicts)

    def plain(self) -> dict[str, Any]:
        """Return the check in a form that JSON can encode."""
        return {
            "holds": self.holds,
            "records": self.records,
            "people": self.people,
            "suppressed": self.suppressed,
            "classes": self.classes,
            "alone": self.alone,
            "alone_in_class": self.alone_in_class,
            **({"repeated": self.repeated} if self.people is None else {}),
            "missing": self.missing,
            "verdicts": [figures_of(verdict) for verdict in self.verdicts],
            "reached": [figures_of(measure) for measure in self.measures],
            **self.details,
        }


def figures_of(measures: ModelMeasures | Verdict) -> dict[str, Any]:
    """Return all figures that are not None, in a form that JSON can encode: "infinite" replaces infinity.

    Parameters
    ----------
    measures : ModelMeasures or Verdict
    """
    return {
        name: "infinite" if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(measures).items()
        if value is not None
    }


def table_check(
    table: Table,
    requirement: Requirement,
    *,
    ground: str,
    hierarchies: Mapping[str, Hierarchy],
    strict_attributes: bool,
    owners: Whole | None = None,
    decisions: Decisions | None = None,
) -> Check:
    """Measure every model on a table, and compare the results with the requirement.

    `owners` are the persons of the records, if a person can have several; then every figure counts people.

    Fully suppressed records are counted separately and form no class. For a table without a
    sensitive column, only k is measured.

    Parameters
    ----------
    table : Table
    requirement : Requirement
        Required models.
    ground : str
        As for `verify`.
    hierarchies : mapping of str to Hierarchy
        Of sensitive columns.
    strict_attributes : bool
        Whether other sensitive columns count as known.
    owners : int64 array or None
        Person of each record; None if each is of a different person.
    decisions : Decisions or None
        What was decided when the table was read.
    """
    kept_table, people = without_suppressed(table, owners)
    sensitive = kept_table.sensitive
    if not sensitive:
        if set(requirement.models) - {"k"}:
            raise PrivacyError(
                "no_sensitive.checking", requirement.models, asked=", ".join(requirement.models)
            )
        sensitive = (without_sensitive(len(kept_table)),)
    plain = Classes.of_columns(kept_table.quasi_identifiers)
    measures: list[ModelMeasures] = []
    verdicts: list[Verdict] = []
    details: dict[str, dict[str, Any]] = {
        "risk": asdict(risk(plain.crowds(people))),
        "one_value_classes": {},
        "exclusions_until_certain": {},
        "information": {},
    }
    for column in sensitive:
        others = [other for other in sensitive if strict_attributes and other is not column]
        matrix = ClassMatrix.of(split_classes(plain, others), column, people)
        tree = hierarchies.get(column.name)
        result = measure_models(
            matrix,
            column.name,
            ground=ground,
            hierarchy=tree.for_values(column.real) if tree is not None else None,
            recursive_l=requirement.recursive_l,
            rho1=requirement.rho1,
        )
        # Knowing a sensitive value does not change the classes, so k is taken from all of them.
        result = replace(result, k=int(plain.crowds(people).min()))
        measures.append(result)
        verdicts += verdicts_of(result, requirement)
        if kept_table.sensitive:
            for name, detail in _disclosure_risks(matrix, column.real).items():
                details[name][column.name] = detail
    unchecked = [column for column in kept_table.columns if column.role == "insensitive"]
    alone = {column.name: count_alone(column, people) for column in unchecked}
    in_class = {column.name: count_alone(column, people, plain) for column in unchecked}
    repeats = (_repeated_values(column) for column in unchecked) if owners is None else ()
    return Check(
        records=len(table),
        alone={name: count for name, count in alone.items() if count},
        alone_in_class={name: count for name, count in in_class.items() if count > alone[name]},
        repeated=dict(sorted(filter(None, repeats), key=lambda each: -each[1])),
        decisions=decisions or Decisions(),
        people=None if owners is None else len(np.unique(owners)),
        suppressed=len(table) - len(kept_table),
        classes=plain.count,
        missing={column.name: _missing(column) for column in kept_table.sensitive if column.missing},
        measures=tuple(measures),
        verdicts=tuple(verdicts),
        details=details,
    )


def _listed(counts: Mapping[str, int], people: int | None) -> str:
    return ", ".join(f"{name} ({units_text(n, people)})" for name, n in counts.items())


def _missing(column: Column) -> dict[str, int]:
    """Count the records of each text that counts as missing."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    return {text: n for text, n in zip(column.values, counts, strict=True) if text in column.missing and n}


def _disclosure_risks(matrix: ClassMatrix, values: Sequence[str]) -> dict[str, Any]:
    """Return how much the classes disclose about one sensitive column."""
    alone = homogeneous(matrix, values)
    return {
        "one_value_classes": {
            "classes": len(alone),
            "records": sum(cls.size for cls in alone),
            "share_of_classes": len(alone) / matrix.n_classes,
        },
        "exclusions_until_certain": background_knowledge(matrix).weakest,
        "information": asdict(leakage(matrix)),
    }


def count_alone(column: Column, people: Whole | None, classes: Classes | None = None) -> int:
    """Count the people, or records, with a value that no one else has, in the table or in their class.

    Parameters
    ----------
    column : Column
        Empty and suppressed cells do not count.
    people : int array of shape (N,) or None
        The person of each record; None counts records.
    classes : Classes or None
        None compares with the whole table.
    """
    is_value = np.array([value not in ("", SUPPRESSED) for value in column.values])
    rows = np.flatnonzero(is_value[column.codes])
    if not len(rows):
        return 0
    owners = rows if people is None else people[rows]
    codes = column.codes[rows].astype(np.int64)
    if classes is not None:
        codes = distinct_rows([classes.number[rows], codes])[1]
    pairs = np.unique(np.stack([codes, owners]), axis=1)
    counts = np.bincount(pairs[0])
    return len(np.unique(pairs[1][counts[pairs[0]] == 1]))


def _repeated_values(column: Column) -> tuple[str, int] | None:
    counts = np.bincount(column.codes, minlength=len(column.values))
    real = [count for value, count in zip(column.values, counts.tolist(), strict=True) if value]
    return (column.name, len(real)) if len(real) > 1 and max(real) > 1 else None


def verify(
    read: ReadTable,
    *,
    quasi_identifiers: str | Sequence[str],
    sensitive: str | Sequence[str] = (),
    respondent: str | Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    ground: str = "equal",
    multi_attribute: bool = False,
    **bounds: float,
) -> Check:
    """Measure a table, published or not, without changing it.

    Parameters
    ----------
    read : ReadTable
    quasi_identifiers, sensitive, respondent : str or sequence of str
        Columns that others may know, columns that no one may learn, and columns that identify a person.
    hierarchies : mapping of column name to Hierarchy, mapping or DataFrame, optional
        Of sensitive columns, if `ground` is "hierarchical".
    ground : {"equal", "ordered", "hierarchical"}
        How t measures distances between sensitive values.
    multi_attribute : bool
        Whether other sensitive columns count as known.
    **bounds : float
        Required models: ``k``, ``l``, ``entropy_l``, ``c`` with ``recursive_l``, ``alpha``, ``t``,
        ``basic_beta``, ``enhanced_beta``, ``delta``, ``rho1`` with ``rho2``.

    Raises
    ------
    PrivacyError
        The errors of `published_table`; ``requirement``: an unknown model.

    Examples
    --------
    >>> rows = [["a", "flu", "1"], ["a", "cold", "2"], ["b", "flu", "3"], ["b", "flu", "3"]]
    >>> table = ReadTable.of_rows(["town", "ill", "room"], rows)
    >>> check = verify(table, quasi_identifiers="town", sensitive="ill", k=2)
    >>> check.k, check.l, check.holds, check.alone
    (2, 1, True, {'room': 2})
    """
    quasi, protected, person = map(column_names, (quasi_identifiers, sensitive, respondent))
    asked: dict[str, Any] = {"distinct_l" if name == "l" else name: bound for name, bound in bounds.items()}
    if unknown := asked.keys() - Requirement.__dataclass_fields__.keys():
        known = shown_list([*Requirement.__dataclass_fields__])
        raise PrivacyError("requirement.name", min(unknown), names=known)
    numeric = protected if ground == "ordered" else ()
    table, owners = published_table(
        read, quasi_identifiers=quasi, sensitive=protected, numeric=numeric, respondent=person
    )
    trees = {name: hierarchy_of(name, own) for name, own in (hierarchies or {}).items()}
    return table_check(
        table,
        Requirement(**asked),
        ground=ground,
        hierarchies=trees,
        strict_attributes=multi_attribute,
        owners=owners,
        decisions=read.decisions,
    )


def column_names(names: str | Sequence[str]) -> list[str]:
    """Return the names of columns.

    Parameters
    ----------
    names : str or sequence of str
        One name, or several.

    Examples
    --------
    >>> column_names("town"), column_names(["town", "age"])
    (['town'], ['town', 'age'])
    """
    return [names] if isinstance(names, str) else [str(name) for name in names]
