"""The unit of analysis: find out which records belong to one person, so that bounds can count people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import scipy

from privacy.arrays import Whole
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.sdc.panels import Panel
from privacy.sdc.record_owners import Repeated, keys_of, repeated_pair
from privacy.sdc.table import Table
from privacy.tables.columns import ReadColumn, ReadTable, agreement

RECORDS: Final = "records"
ALIKE: Final = "alike"
"""Statements that a publisher can make about a table: every record belongs to a different person, or records
that are equal in every column belong to one person."""
NAMED: Final = "named"
UNIQUE: Final = "unique"
UNREPEATED: Final = "unrepeated"
SURVEY: Final = "survey"
"""Other reasons to count people or records: columns that the publisher named repeat, or do not; no column
that is left out repeats; each row of a survey is one response."""

DEPENDENCE: Final = 2
"""Ask the publisher if equal records are more than this many times as frequent as in independent columns."""
_SURELY_MORE: Final = 0.01
"""Ask the publisher if the probability of so many equal records by chance is below this."""
_LISTED: Final = 4
"""Largest number of columns that a question about people lists."""


def units_text(number: int, people: int | None) -> str:
    """Return a number of people, or of records if people are not counted.

    Parameters
    ----------
    number : int
    people : int or None
        Number of people of the table; None if records are counted.

    Examples
    --------
    >>> units_text(1, 80), units_text(2, None)
    ('1 person', '2 records')
    """
    return counted(number, "record" if people is None else "person")


def size_text(records: int, people: int | None) -> str:
    """Return the number of records of a table, and of its people.

    Parameters
    ----------
    records : int
    people : int or None
        None if records are counted.

    Examples
    --------
    >>> size_text(2, 1), size_text(1, None)
    ('2 records of 1 person', '1 record')
    """
    return counted(records, "record") + ("" if people is None else f" of {counted(people, 'person')}")


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """The people of a table in which people have several records.

    Parameters
    ----------
    columns : tuple of str
        Columns whose values together distinguish people; empty if equal records belong to one person.
    number : int64 array, shape (records,)
        Person of each record that was read, 0 .. count-1.
    merged : int
        Number of spellings that were read as another spelling of the same person.
    """

    columns: tuple[str, ...]
    number: Whole
    merged: int = 0

    @property
    def count(self) -> int:
        """Number of people."""
        return int(self.number.max()) + 1

    def of(self, table: Table) -> Whole | None:
        """Return the person of each record of a table; None if no person has more than one left in it."""
        owners, number = np.unique(self.number[table.source_rows], return_inverse=True)
        return None if len(owners) == len(table) else number.astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Counting:
    """What the figures of a release count, and who or what decided it.

    Parameters
    ----------
    why : str
        `NAMED`, `UNIQUE`, `ALIKE`, `RECORDS`, `UNREPEATED` or `SURVEY`.
    people : People or None
        None if every record belongs to a different person.
    others : tuple of Repeated
        Columns that are left out, repeat, and by this decision say nothing about people.
    """

    why: str
    people: People | None = None
    others: tuple[Repeated, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The decision as JSON, for the publisher."""
        people = self.people
        return {
            "unit": "records" if people is None else "people",
            "why": self.why,
            "columns": [] if people is None else list(people.columns),
            "merged": 0 if people is None else people.merged,
            "others": [[" + ".join(other.columns), other.values] for other in self.others],
        }

    @property
    def public(self) -> dict[str, str]:
        """The decision as JSON, for readers of the table; it names no column that is left out."""
        return {"unit": self.document["unit"], "why": self.why}

    @property
    def sentence(self) -> str:
        """The decision in a sentence, in English, for readers of the table."""
        return f"Bounds count {self.public['unit']}: {_DECISIONS[self.why]}."

    def notes(self) -> Iterator[str]:
        """Yield sentences in English for the publisher, which name columns that are left out."""
        if self.people is not None and self.people.merged:
            names = " + ".join(self.people.columns)
            yield (
                f"{counted(self.people.merged, 'spelling')} in {names}: equal to another one except for "
                "capitals, blanks or the way a number is written. These count as the same person."
            )
        if self.others:
            listed = ", ".join(
                f"{' + '.join(each.columns)} ({counted(each.values, 'value')})" for each in self.others
            )
            yield f"As you decided, these columns repeat but do not distinguish people: {listed}."


_DECISIONS: Final = {
    UNIQUE: "what distinguishes people differs in every record",
    NAMED: "the publisher named what distinguishes people, which is not published",
    ALIKE: "the publisher stated that equal records, and no others, belong to one person",
    RECORDS: "the publisher stated that each record belongs to a different person",
    UNREPEATED: "no column that was left out repeats, so each record counts as one person",
    SURVEY: "each is one response to the survey",
}


def counting_of(
    table: ReadTable,
    found: Sequence[Repeated],
    *,
    record_numbers: Whole | None = None,
    agreements: Iterable[float] | None = None,
    statement: str = "",
    columns: Sequence[str] = (),
    panel: Panel | None = None,
) -> Counting:
    """Return whether a release of a table counts people or records.

    Only the publisher knows which records belong to one person, so names of columns decide nothing. If a
    column that is left out repeats, or if equal records are too frequent, and the publisher has not decided,
    they are asked.

    Parameters
    ----------
    table : ReadTable
        At least the columns named in `columns`, or the `PAIRED` first columns of `found`.
    found : sequence of Repeated
        The columns that are left out and repeat, from `repeated_columns`.
    record_numbers : int64 array, shape (n,), or None
        Numbers that are the same for records that are equal in every column; None to compute them from
        `table`.
    agreements : iterable of float or None
        `agreement` of every column; None to compute it from `table`.
    statement : str
        `RECORDS` or `ALIKE`; "" if not stated.
    columns : sequence of str
        The columns that the publisher named to distinguish people, if any; several name a person together.
    panel : Panel or None
        Columns that look like people, if any, left out or published.

    Raises
    ------
    PrivacyError
        ``people.empty``: a record has no value in a column that distinguishes people; ``people.both``: the
        named column contradicts the statement; ``people.one``: it has one value; ``people.repeated``: a
        column that is left out repeats; ``people.constant``: a published column looks like people;
        ``people.alike``: more records are equal than coincidence explains.
    """
    others = tuple(found)
    if columns:
        people = _people_by([table.column(name) for name in columns])
        rest = tuple(each for each in others if not set(each.columns) <= set(columns))
        if people is None:
            return Counting(why=UNIQUE, others=rest)
        if statement == RECORDS:
            name = " + ".join(columns)
            raise PrivacyError("people.both", people.count, name=name, records=len(table))
        return Counting(why=NAMED, people=people, others=rest)
    if statement == RECORDS:
        return Counting(why=RECORDS, others=others)
    number = table.record_numbers() if record_numbers is None else record_numbers
    if statement == ALIKE:
        equal = len(number) and number.max() + 1 < len(number)
        return Counting(why=ALIKE, people=People(columns=(), number=number) if equal else None, others=others)
    if others:
        pair = repeated_pair(table, others)
        raise _question(others if pair is None else (*others, pair), len(table), panel)
    if panel is not None:
        one, other = panel.constant
        name = " + ".join(panel.columns)
        records = len(table)
        raise PrivacyError("people.constant", panel.values, name=name, records=records, one=one, other=other)
    _equal_check(number, [agreement(each) for each in table.columns] if agreements is None else agreements)
    return Counting(why=UNREPEATED)


def _question(found: Sequence[Repeated], records: int, panel: Panel | None) -> PrivacyError:
    """Return the question which of the repeating columns, if any, identifies a person, with the evidence."""
    first = found[0]
    if panel is not None and (own := [each for each in found if set(each.columns) == set(panel.columns)]):
        name, (one, other) = " + ".join(panel.columns), panel.constant
        return PrivacyError(
            "people.repeated.constant",
            own[0].values,
            name=name,
            records=records,
            most=own[0].most,
            one=one,
            other=other,
        )
    if len(found) == 1:
        return PrivacyError(
            "people.repeated", first.values, name=first.columns[0], records=records, most=first.most
        )
    # The finest column alone could be the person, and so could the pair.
    singles = [each for each in found if len(each.columns) == 1]
    shown = [*singles[:_LISTED], *(each for each in found if len(each.columns) > 1)]
    listed = "; ".join(f"{' + '.join(each.columns)}: {each.values} × {each.most}" for each in shown)
    if (more := len(singles) - _LISTED) > 0:
        listed += f"; … (+{more})"
    return PrivacyError("people.repeated.several", listed, records=records, name=first.columns[0])


def _people_by(columns: Sequence[ReadColumn]) -> People | None:
    number, merged = keys_of(columns)
    name = " + ".join(column.name for column in columns)
    if empty := int((number < 0).sum()):
        raise PrivacyError("people.empty", empty, name=name)
    count = int(number.max()) + 1
    if count == len(number):
        return None
    if count == 1:
        raise PrivacyError("people.one", len(number), name=name)
    return People(columns=tuple(column.name for column in columns), number=number, merged=merged)


def _equal_check(number: Whole, agreements: Iterable[float]) -> None:
    """Refuse to guess if more pairs of records are equal than the shares of the values explain."""
    counts = np.bincount(number)
    found = int((counts * (counts - 1) // 2).sum())
    expected = math.prod(agreements) * len(number) * (len(number) - 1) / 2
    # Columns depend on each other, so equal records are more frequent than in independent columns.
    if found and scipy.special.gammainc(found, DEPENDENCE * expected) < _SURELY_MORE:
        equal = int(counts[counts > 1].sum())
        raise PrivacyError("people.alike", equal, records=len(number))
