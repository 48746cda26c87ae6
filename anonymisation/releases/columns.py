"""Columns of a table as its user reads them, and examples of their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.reader import Reading, as_read


def reading_chosen(column: ReadColumn, about: Mapping[str, Any]) -> Reading:
    """Return the reading of a column that the user chose; drafts of earlier programs join no spellings."""
    return Reading.of(
        column,
        kind=about["kind"],
        missing=about["missing_texts"],
        month_first=about["month_first"],
        as_written=about.get("as_written", True),
    )


def as_chosen(table: ReadTable, columns: Iterable[Mapping[str, Any]]) -> ReadTable:
    """Return the table with each column read as the user chose; missing values become empty texts."""
    choices = {column["name"]: column for column in columns}
    return as_read(table, {each.name: reading_chosen(each, choices[each.name]) for each in table.columns})
