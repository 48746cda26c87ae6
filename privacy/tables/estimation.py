"""Read tables for estimates: answers and predictors from frames or opened files, and what was decided."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from privacy.errors import PrivacyError
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.date_spans import SPANS
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.frames import column_of, read_frame
from privacy.tables.missing_texts import is_missing_word, proposed_texts
from privacy.tables.reader import Reading, read_decisions, yes_or_no
from privacy.tables.row_numbers import numbers_rows
from privacy.tables.table_file import file_table

IsReport: TypeAlias = Callable[[Any], bool]
"""Whether a value is a report of a question."""
_KEPT: Final = 20_000
"""Columns with more different numbers have measurements, which are not searched for codes."""


class ReadFile(NamedTuple):
    """A table, what was decided when it was read, and the proposed role of each column."""

    frame: Any
    decisions: Decisions
    roles: dict[str, str]


def estimation_frame(
    table: Any,
    *,
    reports: Mapping[Any, IsReport | None] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> tuple[Any, Decisions]:
    """Return a table as a pandas DataFrame for estimates, and what was decided about it.

    Files and columns of texts are read as everywhere else: "1,5" is a number, "NA" is missing, and spellings
    that differ only in capitals are one value. Numbers, dates and categories of a data frame stay, because
    someone chose their type; a number that looks like a code for "missing" is named.

    Parameters
    ----------
    table : DataFrame, `ReadFile` or binary file
        A file is open for reading, and the ending of its ``name`` determines its format.
    reports : mapping of hashable to callable or None, optional
        Columns of disguised answers, each with a function that says whether a value is a report; None to
        leave the column as it is. A report is never read as missing.
    kinds : mapping of str to str, optional
        Kinds of columns that are known, as in `privacy.tables.values.VALUE_KINDS`. The kind of every other
        column is guessed: two different numbers, for example, usually mean yes and no.

    Raises
    ------
    PrivacyError
        ``frame``: not a table, or the path of a file. ``table_file``.

    Examples
    --------
    >>> import pandas
    >>> raw = pandas.DataFrame({"cheat": ["Y", "no", "n/a"], "pay": ["1,5", "2,5", "10,0"]})
    >>> frame, decisions = estimation_frame(raw, reports={"cheat": ("yes", "no").__contains__})
    >>> frame.cheat.tolist(), frame.pay.tolist()
    (['yes', 'no', nan], [1.5, 2.5, 10.0])
    >>> print(decisions)
    “cheat”: “Y” was read as “yes” (1 record).
    “cheat”: n/a means a missing value (1 record).
    “pay”: “1,5” was read as the number 1.5.
    """
    import pandas

    said: list[Decision] = []
    if isinstance(table, str) or hasattr(table, "__fspath__"):
        raise PrivacyError("frame.path", str(table))
    if isinstance(table, ReadFile):
        frame, said, declared = table.frame, [*table.decisions], {}
        table = None
    elif hasattr(table, "read"):
        read = name_columns(file_table(str(getattr(table, "name", "")), table))
        said = [*read.decisions]
        texts = {column.name: column.texts for column in read.columns if not numbers_rows(column)}
        frame = pandas.DataFrame({name: [text or None for text in own] for name, own in texts.items()})
        declared = {column.name: column for column in read.columns}
    else:
        frame, declared = read_frame(table), {}
    if not isinstance(frame, pandas.DataFrame) or not len(frame) or not frame.columns.is_unique:
        # Functions that need such columns refuse the table by name.
        return frame, Decisions(said)
    changed = {}
    for name in frame.columns:
        own = frame[name]
        kind = (kinds or {}).get(str(name), "")
        # The reader of a table took two numbers for yes and no, and codes for categories.
        is_to_read = (table is not None or kind == "numeric") and _has_texts(own)
        if reports is not None and name in reports:
            is_report = reports[name]
            new, about = (None, []) if is_report is None else _answers(str(name), own, is_report)
            if is_report is None and (name in declared or (kind == "numeric" and is_to_read)):
                new = _sent_numbers(declared.get(name) or column_of(str(name), own), kind)
        elif is_to_read:
            new, about = _read(declared.get(name) or column_of(str(name), own), kind)
        elif table is None:
            continue
        else:
            new, about = None, [*_codes(str(name), own)]
        said += about
        if new is not None:
            changed[name] = pandas.Series(new, index=frame.index)
    if changed:
        frame = frame.copy(deep=False)
        for name, series in changed.items():
            frame[name] = series
    return frame, Decisions(said)


def weight_kinds(weights: Any) -> dict[str, str]:
    """Return the kind of a column of weights, which are numbers even if there are only two different ones.

    Parameters
    ----------
    weights : hashable or None
        Name of a column. Other values, such as a Series of weights, have no kind to read.

    Examples
    --------
    >>> weight_kinds("w"), weight_kinds(None)
    ({'w': 'numeric'}, {})
    """
    return {} if weights is None or not isinstance(weights, Hashable) else {str(weights): "numeric"}


def _has_texts(series: Any) -> bool:
    """Return whether all values of a column are texts, or missing."""
    if series.dtype.name == "category" or series.dtype.kind not in "OSU":
        return False
    return all(isinstance(value, str) for value in series.dropna().unique())


def _read(column: ReadColumn, kind: str) -> tuple[list[Any], list[Decision]]:
    """Return the values of a column of texts, and what was decided."""
    reading = Reading.of(column, kind=kind)
    table = ReadTable(columns=(column,), lines=np.arange(len(column.codes)))
    said = [*read_decisions(table, {column.name: reading})]
    values = reading.values(column)
    return [day and day.isoformat() for day in values] if reading.kind in SPANS else values, said


def _sent_numbers(column: ReadColumn, kind: str) -> list[Any] | None:
    """Return the numbers that devices sent, none of which means "missing"; None if they are not numbers."""
    reading = Reading.of(column, kind=kind, missing=(), as_written=True)
    is_numeric = reading.kind == "numeric" and "numeric" in reading.kinds
    return reading.values(column) if is_numeric else None


def _answers(name: str, series: Any, is_report: IsReport) -> tuple[list[Any] | None, list[Decision]]:
    """Return answers with yes and no in their usual spelling, and None for texts that mean "missing"."""
    distinct = [value for value in series.dropna().unique().tolist() if not is_report(value)]
    if not distinct or series.dtype.name == "category":
        return None, []
    counts = column_of(name, series).counts
    lacking = set(proposed_texts(counts))
    new: dict[Any, Any] = {}
    said, words = [], []
    for value in distinct:
        (text,) = column_of(name, series.iloc[:1].map(lambda _old, own=value: own)).values
        if isinstance(value, str) and (plain := yes_or_no(text)) and is_report(plain):
            new[value] = plain
            said.append(Decision.of("spelling", name=name, text=text, value=plain, count=counts[text]))
        elif not text or is_missing_word(text) or text in lacking:
            new[value] = None
            words += [text] if text else []
    if words:
        listed = ", ".join(words)
        said.append(Decision.of("missing", name=name, text=listed, count=sum(map(counts.__getitem__, words))))
    return ([new.get(value, value) for value in series.tolist()] if new else None), said


def _codes(name: str, series: Any) -> list[Decision]:
    """Say which numbers of a column look like codes for "missing"."""
    if series.dtype.kind not in "iuf" or (distinct := series.dropna().unique()).size > _KEPT:
        return []
    counts = column_of(name, series).counts if len(distinct) else {}
    codes = [text for text in proposed_texts(counts) if text]
    if not codes:
        return []
    listed = ", ".join(codes)
    return [Decision.of("kept", name=name, text=listed, count=sum(map(counts.__getitem__, codes)))]
