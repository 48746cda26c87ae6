"""Propose the role of each column of a table, and how its texts are read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from privacy.errors import PrivacyError
from privacy.numeric_text import finite_number
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.panels import Panel, panel_of, same_people
from privacy.sdc.record_owners import repeated_columns
from privacy.sdc.unsafe_columns import refuse_unsafe
from privacy.tables.columns import ReadColumn, ReadTable, agreement
from privacy.tables.names import (
    KNOWN,
    PERHAPS_WEIGHTS,
    SENSITIVE,
    WEIGHTS,
    has_private_words,
    identifies,
    is_about,
    is_of_design,
    is_sensitive,
    says,
)
from privacy.tables.reader import Reading, spellings_of
from privacy.tables.row_numbers import numbers_rows

_ALL: Final = ("identifier", "quasi_identifier", "sensitive", "insensitive")
_FEWEST_MARKS: Final = 3
"""Fewest columns y81, y82, ... that mark the values of one column."""
_MOST_CHOICES: Final = 12
"""Most values of a column of choices."""
_FEWEST_WEIGHTS: Final = 5
_NEAR_ONE: Final = 0.25
"""Weights that are scaled have a mean of 1; here it is of the different ones."""


def propose(
    column: ReadColumn,
    missing_texts: Collection[str] | None = None,
    *,
    month_first: bool = False,
    as_written: bool = False,
) -> dict[str, Any]:
    """Propose the role of one column.

    Parameters
    ----------
    column : ReadColumn
    missing_texts : collection of str or None
        Texts that mean "missing", in addition to empty cells; None for the proposed texts and those that the
        file declares.
    month_first : bool
        As in `privacy.tables.dates.dates_read`.
    as_written : bool
        Whether spellings that differ only in capitals and blanks stay different values.

    Returns
    -------
    dict
        The proposal in the form that a release stores, with counts but no values: ``name``; ``label``, the
        file's description; ``role``, as in `privacy.sdc.ColumnRule`, and ``roles`` to choose from (only one
        if the column cannot be published); ``reason``, the key of a sentence that explains the role; ``kind``
        and possible ``kinds``, from `privacy.tables.values.VALUE_KINDS`; ``distinct`` and ``missing``, both
        counts; ``policy`` for records without a value, ``value`` or ``drop``; ``questions``, texts that may
        mean "missing" with their numbers of records; ``missing_texts``, those that are read as missing;
        ``month_first``; ``as_written``, and ``spellings``, the records whose text is another spelling;
        ``may_identify``, whether the column can distinguish people if it is left out
        (otherwise it is not read then); ``repeats``, if values repeat and may be
        people with several records, the counts of `Repeated` (otherwise empty); ``agreement``, the share of
        pairs of records that have the same value.

    Notes
    -----
    The first rule that applies decides. Columns that cannot be published (time stamps, free text) must be
    left out. Then the name decides. A column of texts with a different value for nearly every person
    identifies people. A column with a single value is harmless. Everything else counts as something that an
    attacker may know.

    Examples
    --------
    >>> columns = ReadTable.of_rows(
    ...     ["Patient ID", "diagnosis", "age", "born"],
    ...     [["1", "flu", "41", "1980-02-03"], ["2", "cold", "NA", "4/5/1981"], ["3", "flu", "1,038", ""]],
    ... ).columns
    >>> [propose(column)["role"] for column in columns[:2]]
    ['identifier', 'sensitive']
    >>> age, born = map(propose, columns[2:])
    >>> age["kind"], age["missing"], age["missing_texts"], born["kind"], born["kinds"]
    ('categorical', 1, ['NA'], 'year', ['month', 'quarter', 'year', 'categorical'])
    """
    name, counts = column.name, column.counts
    reading = Reading.of(column, missing=missing_texts, month_first=month_first, as_written=as_written)
    n = sum(counts.values())
    missing = sum(counts.get(text, 0) for text in {"", *reading.missing})
    read = reading.applied(column)
    values = [text for text in read.values if text and text not in reading.missing]
    role, reason, roles = (
        ("identifier", "row_number", _ALL)
        if numbers_rows(column)
        else _role(column, values, n, "numeric" in reading.kinds, has_gaps=missing > 0)
    )
    asked_about = reading.missing if role == "identifier" else reading.asked
    return {
        "name": name,
        "label": column.label,
        "role": role,
        "reason": reason,
        "kind": "numeric" if role == "weight" else reading.kind,
        "kinds": list(reading.kinds),
        "distinct": len(values),
        "missing": missing,
        "roles": list(roles),
        "policy": "drop" if role == "weight" or reading.kind in ("numeric", "year") else "value",
        # In an identifier, a number such as 99 does not mean "missing".
        "questions": {text: counts.get(text, 0) for text in asked_about},
        "missing_texts": list(reading.missing),
        "as_written": as_written,
        "spellings": sum(counts[text] for text in spellings_of(column)),
        "may_identify": reason != "row_number" and may_identify(name, len(counts), n),
        "repeats": repeats_of(column),
        "month_first": month_first,
        "agreement": agreement(column),
    }


def with_panel(table: ReadTable, columns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Propose to leave out the columns that look like people by what they contain, and to protect one.

    Parameters
    ----------
    table : ReadTable
    columns : sequence of mapping of str to object
    """
    panel = panel_of(table)
    found = [dict(column) for column in columns]
    names = () if panel is None else (*panel.columns, *same_people(table, panel))
    for column in found:
        if panel is not None and column["name"] in names:
            # As JSON reads it back.
            column["panel"] = json.loads(json.dumps(asdict(panel)))
            if column["role"] != "identifier" and "identifier" in column["roles"]:
                column |= {"role": "identifier", "reason": "person"}
    return _with_sensitive(table, found)


def _with_sensitive(table: ReadTable, columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Propose to protect columns that no name explains, because of their place.

    Tables begin or end with what a study measured. So the first column of the table is proposed if nothing
    explains it. If nothing else says what is private, so are the first and the last unexplained column. In a
    table without known names, which may be in another language, only the last one is.
    """
    names = {column["name"].lower() for column in columns}
    unexplained = [
        column["reason"] == "known_perhaps"
        and "sensitive" in column["roles"]
        and not is_of_design(column["name"])
        and not _is_derived(column, names)
        and not _are_all_different(table.column(column["name"]).values, len(table))
        for column in columns
    ]
    places = [place for place, is_so in enumerate(unexplained) if is_so]
    first = next((place for place, own in enumerate(columns) if own["role"] != "identifier"), -1)
    is_understood = any(column["reason"] == "known_name" for column in columns)
    chosen = {first} & set(places) if is_understood else set()
    if not any(column["role"] == "sensitive" for column in columns):
        chosen.update(places[:1] * is_understood + places[-1:])
    for place in chosen:
        columns[place] |= {"role": "sensitive", "reason": "sensitive_perhaps"}
    return columns


def _is_derived(column: Mapping[str, Any], names: Collection[str]) -> bool:
    """Return whether a column repeats another one, as its square or logarithm, or marks one of its values.

    Examples
    --------
    >>> names = {"pay", "paysq", "lpay", "y81", "y82", "y83"}
    >>> sorted(name for name in names if _is_derived({"name": name, "distinct": 2}, names))
    ['lpay', 'paysq', 'y81', 'y82', 'y83']
    """
    name = column["name"].lower()
    bases = {name.removesuffix("sq"), *(name.removeprefix(sign) for sign in ("log", "ln", "l"))}
    stem = name.rstrip("0123456789")
    siblings = sum(other.rstrip("0123456789") == stem for other in names)
    is_mark = stem != name and column["distinct"] == 2 and siblings >= _FEWEST_MARKS
    return is_mark or not (bases - {name}).isdisjoint(names)


def proposed_panel(columns: Iterable[Mapping[str, Any]]) -> Panel | None:
    """Return the columns that look like people, from their proposals.

    Parameters
    ----------
    columns : iterable of mapping of str to object
    """
    panel = next((column["panel"] for column in columns if "panel" in column), None)
    if panel is None:
        return None
    return Panel(columns=tuple(panel["columns"]), values=panel["values"], constant=tuple(panel["constant"]))


def may_identify(name: str, distinct: int, n: int) -> bool:
    """Return whether a column can identify people, by its name or because nearly all values differ.

    Parameters
    ----------
    name : str
        Name of a column.
    distinct : int
        Number of distinct values.
    n : int
        Number of records.
    """
    return identifies(name) or _mostly_differ(distinct, n)


def _mostly_differ(distinct: int, n: int) -> bool:
    """Return whether this many values of n records may be one for each person."""
    return distinct >= UNSAFE_LEAST_VALUES and distinct > UNSAFE_SHARE * n


def is_identifying(name: str, values: Sequence[str], n: int) -> bool:
    """Return whether a column that is left out identifies people, and not a day, a remark or a region.

    Parameters
    ----------
    name : str
        Name of a column.
    values : sequence of str
    n : int
        Number of records.
    """
    if identifies(name) or not may_identify(name, len(values), n):
        return identifies(name)
    if all(finite_number(value) is not None for value in values):
        return False
    try:
        refuse_unsafe(ColumnRule(name=name, role="quasi_identifier"), values, n)
    except PrivacyError:
        return False
    return True


def repeats_of(column: ReadColumn) -> list[list[int]]:
    """Return the numbers of `Repeated` for a column, in a list; empty if its values do not repeat.

    Parameters
    ----------
    column : ReadColumn
    """
    return [[each.values, each.records, each.most] for each in repeated_columns([column])]


def _numbers_records(values: Sequence[str], n: int) -> bool:
    """Return whether the numbers are 0 to n - 1 or 1 to n, each once: they number the records."""
    if not _are_all_different(values, n):
        return False
    numbers = {int(text) for text in values}
    return len(numbers) == n and min(numbers) in (0, 1) and max(numbers) - min(numbers) == n - 1


def _are_all_different(values: Sequence[str], n: int) -> bool:
    """Return whether nearly every record has a different whole number."""
    return _mostly_differ(len(values), n) and all(text.isascii() and text.isdecimal() for text in values)


def _role(
    column: ReadColumn, values: list[str], n: int, numeric: bool, *, has_gaps: bool
) -> tuple[str, str, tuple[str, ...]]:
    name = column.name
    if not values:
        return "identifier", "empty", ("identifier",)
    refusals = _refused_roles(name, values, n, "numeric" if numeric else "categorical")
    allowed = tuple(role for role in _ALL if role not in refusals)
    if "quasi_identifier" in refusals:
        return "identifier", refusals["quasi_identifier"], ("identifier",)
    if numeric and _is_weight(name, values):
        return "weight", "weight_name", (*allowed, "weight")
    if numeric:
        allowed = (*allowed, "weight")
    if says(name, SENSITIVE) and "sensitive" in allowed:
        return "sensitive", "sensitive_name", allowed
    # Checked before identifiers, because "postal code" contains "code" but is known, not identifying.
    if is_about(name, KNOWN):
        return "quasi_identifier", "known_name", allowed
    if identifies(name):
        return "identifier", "identifying_name", allowed
    if not numeric and _mostly_differ(len(values), n):
        return "identifier", "own_value", allowed
    if "sensitive" in allowed and (is_sensitive(name) or has_private_words(_described(column, values))):
        return "sensitive", "sensitive_name", allowed
    if numeric and not has_gaps and _numbers_records(values, n):
        return "identifier", "own_value", allowed
    if len(values) == 1 and not has_gaps:
        return "insensitive", "one_value", allowed
    return "quasi_identifier", "known_perhaps", allowed


def _described(column: ReadColumn, values: Sequence[str]) -> list[str]:
    """Return the texts that say what a column is about: its label, and the texts of choices."""
    texts = [column.value_labels.get(value, value) for value in values]
    return [column.label, *(texts if 1 < len(texts) <= _MOST_CHOICES else [])]


def _is_weight(name: str, values: Sequence[str]) -> bool:
    """Return whether a column of numbers has sampling weights; body weights do not have a mean of 1."""
    numbers = np.array([float(text) for text in values if finite_number(text) is not None])
    if len(numbers) < _FEWEST_WEIGHTS or (numbers <= 0).any():
        return False
    return says(name, WEIGHTS) or (says(name, PERHAPS_WEIGHTS) and abs(float(numbers.mean()) - 1) < _NEAR_ONE)


def _refused_roles(name: str, values: list[str], n: int, kind: str) -> dict[str, str]:
    """Return the roles in which a column cannot be published, each with its error code."""
    refusals = {}
    for role in ("quasi_identifier", "sensitive", "insensitive"):
        try:
            refuse_unsafe(ColumnRule(name=name, role=role, kind=kind), values, n)
        except PrivacyError as error:
            refusals[role] = error.code
    return refusals
