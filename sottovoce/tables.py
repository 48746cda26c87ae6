"""Read, publish, check and attack tables from files or data frames, in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

from privacy.errors import PrivacyError
from privacy.sdc import table_attack, verification
from privacy.sdc.anonymise import Report
from privacy.sdc.anonymise import anonymise as anonymise_frame
from privacy.sdc.proposals import propose, with_panel
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.date_spans import SPANS
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.estimation import ReadFile
from privacy.tables.frames import frame_table, read_frame
from privacy.tables.missing_texts import declared_missing
from privacy.tables.reader import Reading, read_decisions
from privacy.tables.row_numbers import numbers_rows
from privacy.tables.table_file import file_table

if TYPE_CHECKING:
    from pandas import DataFrame


def read_table(
    table: Any, *, sheet: str = "", missing: Sequence[Any] | None = None, month_first: bool = False
) -> ReadFile:
    """Read a file or a data frame as the pages do, and say what was decided.

    Titles above the header and row numbers are left out, numbers with commas and dates are read, and texts
    such as "NA", -99 or 999 become missing where nothing else is near.

    Parameters
    ----------
    table : path or DataFrame
        CSV, Excel, SPSS, Stata or Parquet; a frame of pandas, polars or Arrow.
    sheet : str
        Sheet of a workbook that has several.
    missing : sequence, optional
        Values that mean "missing", instead of the proposed ones.
    month_first : bool
        Whether 3/4/2021 is in March, if nothing in the column decides it.

    Returns
    -------
    (DataFrame, Decisions, dict of str to str)
        Print the decisions to read them, a sentence per line. Roles are proposals, as for `anonymise`.

    Raises
    ------
    PrivacyError
        ``table_file``, ``frame``.

    Examples
    --------
    >>> raw = pandas.DataFrame({"age": ["31", "NA", "45", "1,050"], "ill": ["flu", "flu", "Flu", "cold"]})
    >>> frame, decisions, roles = read_table(raw)
    >>> frame.age.tolist(), roles
    ([31.0, nan, 45.0, 1050.0], {'age': 'quasi_identifier', 'ill': 'sensitive'})
    >>> print(decisions)
    “age”: NA means a missing value (1 record).
    “age”: “1,050” was read as the number 1050.
    “ill”: “Flu” was read as “flu” (1 record).
    """
    read = _opened(table, sheet)
    texts = None if missing is None else [str(value) for value in missing]
    readings = {
        column.name: Reading.of(column, missing=texts, month_first=month_first)
        for column in read.columns
        if not numbers_rows(column)
    }
    proposals = with_panel(read, [propose(column, texts, month_first=month_first) for column in read.columns])
    numbered = [Decision.of("rows", name=column.name) for column in read.columns if numbers_rows(column)]
    said = [*numbered, *read_decisions(read, readings)]
    for panel in (each["panel"] for each in proposals if "panel" in each):
        one, other = panel["constant"]
        person = Decision.of("person", name=" + ".join(panel["columns"]), one=one, other=other)
        said += [] if person in said else [person]
    columns = {
        column.name: _series(column, readings[column.name])
        for column in read.columns
        if column.name in readings
    }
    roles = {each["name"]: each["role"] for each in proposals}
    return ReadFile(frame=pandas.DataFrame(columns), decisions=Decisions(said), roles=roles)


def _series(column: ReadColumn, reading: Reading) -> Any:
    """Return a column as numbers, dates or texts; None if missing."""
    values = reading.values(column)
    if reading.kind in SPANS:
        return pandas.to_datetime(values)
    return pandas.to_numeric(values) if reading.kind == "numeric" else values


def _opened(table: Any, sheet: str = "") -> ReadTable:
    if not isinstance(table, str | Path):
        return name_columns(frame_table(table))
    path = Path(table)
    try:
        with path.open("rb") as file:
            return name_columns(file_table(path.name, file, sheet=sheet))
    except OSError as error:
        raise PrivacyError("table_file.missing", str(path), path=path, error=error.strerror) from error


def anonymise(table: Any, *, sheet: str = "", **options: Any) -> tuple[DataFrame, Report]:
    """Publish a file or a data frame, as `privacy.sdc.anonymise.anonymise` does."""
    if not isinstance(table, str | Path):
        return anonymise_frame(table, **options)
    read = _opened(table, sheet)
    texts = {}
    for column in read.columns:
        # A frame cannot declare missing codes, as files of SPSS do.
        own = column.with_texts(dict.fromkeys(declared_missing(column), ""))
        texts[column.name] = [text or None for text in own.texts]
    frame, report = anonymise_frame(pandas.DataFrame(texts), **options)
    return frame, replace(report, decisions=Decisions([*read.decisions, *report.decisions]))


def verify(table: Any, *, sheet: str = "", respondent: Any = (), **options: Any) -> verification.Check:
    """Check a published file or data frame, as `privacy.sdc.verification.verify` does.

    `respondent` can also be the person of each record, as a Series or list, because the published table does
    not contain it.
    """
    read, person = _with_person(_opened(table, sheet), respondent)
    return verification.verify(read, respondent=person, **options)


def attack(
    table: Any, *, sheet: str = "", respondent: Any = (), people: Any = None, **options: Any
) -> table_attack.Attack:
    """Attack a published file or data frame, as `privacy.sdc.table_attack.attack` does.

    `people` is a file or data frame, too, and `respondent` as for `verify`.
    """
    read, person = _with_person(_opened(table, sheet), respondent)
    known = None if people is None else _opened(people)
    return table_attack.attack(read, respondent=person, people=known, **options)


_PERSON = "person of each record"


def _with_person(read: ReadTable, respondent: Any) -> tuple[ReadTable, Any]:
    """Return the table with a column of persons if they were given one for each record."""
    if isinstance(respondent, str) or (
        isinstance(respondent, list | tuple) and all(name in read.header for name in respondent)
    ):
        return read, respondent
    series = pandas.Series(list(read_frame(respondent) if hasattr(respondent, "dtype") else respondent))
    if len(series) != len(read):
        raise PrivacyError("answers.rows", len(series), name="respondent", n=len(read))
    column = frame_table(pandas.DataFrame({_PERSON: series})).columns[0]
    return replace(read, columns=(*read.columns, column)), _PERSON
