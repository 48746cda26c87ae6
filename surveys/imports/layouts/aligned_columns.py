"""Columns in front of which the longest row has only two blanks, and all other rows have more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_WIDE: Final = re.compile(r"(?<=\S) {3,80}(?=\S)")
_TWO: Final = re.compile(r"(?<=\S) {2}(?=\S)")
_LEAST: Final = 2
"""Other rows with wide blanks before the same column."""


def widen_gaps(lines: Sequence[str]) -> list[str]:
    """Widen two blanks in front of a column that starts at the same place, and looks alike, in other rows.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> rows = ["1. I sing.       0 1 2", "2. I walk.       0 1 2", "3. I cook often.  0 1 2"]
    >>> widen_gaps(rows)[2]
    '3. I cook often.   0 1 2'
    >>> widen_gaps(["One. Two.", "Three.  Four.", "Five.   Six."])[1]
    'Three.  Four.'
    """
    starts = Counter(
        (match.end(), _shape(line[match.end() :])) for line in lines if (match := _WIDE.search(line))
    )
    found = []
    for line in lines:
        match = _TWO.search(line)
        is_column = match is not None and starts[match.end(), _shape(line[match.end() :])] >= _LEAST
        found.append(f"{line[: match.end()]} {line[match.end() :]}" if match and is_column else line)
    return found


def _shape(cells: str) -> str:
    """Return cells with one blank between them, and the same digit in place of all."""
    return re.sub(r"\d", "9", " ".join(cells.split()))
