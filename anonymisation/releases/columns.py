"""Columns of a table as its user reads them, and examples of their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from anonymisation.releases.plan import NUMBERS
from privacy.arrays import Whole
from privacy.numeric_text import number_text
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.dates import SPANS, dates_read, is_ambiguous
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


_EXAMPLES: Final = 3
_SAMPLE_SIZE: Final = 20_000
"""Number of records in which to look for columns that determine another column."""


def profile_of(column: ReadColumn, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """Return examples and ambiguous texts of a column. They contain values, so they are sealed.

    Parameters
    ----------
    column : ReadColumn
    proposal : mapping
        The column's kind and missing texts, as stored in a release.
    """
    missing = {"", *proposal["missing_texts"]}
    texts = [text for text in column.values if text not in missing]
    reading = reading_chosen(column, proposal)
    read = reading.applied(column)
    counts = {text: n for text, n in read.counts.items() if text not in missing}
    glance: dict[str, Any] = {"ambiguous": "", "changed": ""}
    if proposal["kind"] in NUMBERS and counts:
        numbers = np.repeat([float(text) for text in counts], list(counts.values()))
        least, middle, most = (number_text(float(f"{end:.12g}")) for end in np.quantile(numbers, (0, 0.5, 1)))
        glance["span"] = [least, middle, most]
        glance["changed"] = next((text for text in texts if any(sign in text for sign in ", ’'")), "")
    else:
        most_common = sorted(counts.items(), key=lambda item: -item[1])
        glance["examples"] = [
            [f"{text} = {read.value_labels[text]}" if text in read.value_labels else text, n]
            for text, n in most_common[:_EXAMPLES]
        ]
        joined = next(iter(reading.spellings.items()), None)
        glance["joined"] = list(joined) if joined is not None else []
        glance["spellings"] = _two_spellings(counts)
    if proposal["kind"] in SPANS and (ambiguous := is_ambiguous(texts)):
        glance["ambiguous"] = ambiguous
        # Read the date with the day first, then with the month first.
        both = [dates_read(texts, month_first=first) or {} for first in (False, True)]
        glance["days"] = [days[ambiguous].isoformat() for days in both]
    return glance


def _two_spellings(texts: Iterable[str]) -> list[str]:
    """Return the first two texts that differ only in capitals and blanks.

    Examples
    --------
    >>> _two_spellings(["flu", "cold", "Flu"]), _two_spellings(["flu", "cold"])
    (['flu', 'Flu'], [])
    """
    first: dict[str, str] = {}
    for text in texts:
        other = first.setdefault(" ".join(text.casefold().split()), text)
        if other != text:
            return [other, text]
    return []


def sample_of(column: ReadColumn) -> Whole:
    """Return the codes of a sample of a column's records, spread evenly over the table."""
    return column.codes[:: max(1, len(column.codes) // _SAMPLE_SIZE)].astype(np.int64)
