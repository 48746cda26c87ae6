"""Sheets with columns for the smallest and the largest number of an answer, written as one column.

*How old? | years | 18 | 99* becomes *How old? | 18-99 years*, which the reader of sheets knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.layouts.item_tables import SIGNS, blocks_of, is_text

_NUMBER: Final = re.compile(r"\d{1,6}")
_UNIT: Final = re.compile(r"[^\W\d_]{1,20}")
_LEAST_ROWS: Final = 3
_LEAST_SPANS: Final = 2
_MOST_POINTS: Final = 5
"""Numbers up to it may be points of two answers."""


def join_ends(lines: Sequence[str]) -> list[str]:
    """Return lines in which two columns of numbers, one for each end of a range, are one column.

    A unit in the column before them is put behind the range.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> join_ends(["question;unit;from;to", "Age?;years;18;99", "Weight?;kg;40;250", "Name?;;;"])
    ['question;from-to', 'Age?;18-99 years', 'Weight?;40-250 kg', 'Name?;']
    """
    found = [*lines]
    for sign in SIGNS:
        for rows in blocks_of(lines, sign):
            width = max(map(len, rows.values()))
            padded = {at: [*row, *[""] * (width - len(row))] for at, row in rows.items()}
            low = next((at for at in range(1, width - 1) if _are_ends([*padded.values()], at)), 0)
            if low:
                for at, row in _joined(padded, low).items():
                    found[at] = sign.join(row)
    return found


def _are_ends(rows: Sequence[Sequence[str]], low: int) -> bool:
    """Return whether a column and the one behind it hold the ends of ranges, below two headings."""
    header, *body = rows
    pairs = [(row[low], row[low + 1]) for row in body]
    filled = [pair for pair in pairs if any(pair)]
    if len(rows) < _LEAST_ROWS or not all(map(_NUMBER.fullmatch, [end for pair in filled for end in pair])):
        return False
    spans = {(int(first), int(last)) for first, last in filled}
    are_spans = all(first < last for first, last in spans) and len(spans) >= _LEAST_SPANS
    are_headed = (
        is_text(header[low]) and is_text(header[low + 1]) and all(is_text(row[0] + row[1]) for row in body)
    )
    return are_spans and are_headed and max(last for _first, last in spans) > _MOST_POINTS


def _joined(rows: dict[int, list[str]], low: int) -> dict[int, list[str]]:
    """Return rows with one column in place of the ends of a range, and of a unit before them."""
    header, *body = rows.values()
    has_unit = low > 1 and all(
        _UNIT.fullmatch(row[low - 1]) if row[low] else not row[low - 1] for row in body
    )
    joined = {}
    for at, row in rows.items():
        span = "-".join(filter(None, row[low : low + 2]))
        unit = row[low - 1] if has_unit and row is not header else ""
        joined[at] = [*row[: low - has_unit], f"{span} {unit}".strip(), *row[low + 2 :]]
    return joined
