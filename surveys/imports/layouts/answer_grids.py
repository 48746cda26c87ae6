"""Tables whose cells only show where to answer: *never | often* above *I eat alone | O | O*.

A cell may hold a box, a letter in place of a circle, a dot, or nothing. Between cells are bars, tabs,
semicolons, commas or wide blanks. All are written with tabs and boxes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.patterns import BRACKETED, LETTER

_SEPARATORS: Final = tuple(map(re.compile, (r"\t", r"[|｜]", r";", r"[,，]", r"\s{3,}")))
_PLACE: Final = re.compile(r"|[OoXxQ]|[\[({]\s{0,3}[\])}]|(?!_{2})[^\w\s?!,;:=]{1,3}|_")
"""What a cell holds in which people mark their answer."""
_INNER: Final = re.compile(r"\s*\|(?P<cells>.+)\|\s*")
"""Cells between bars, with bars around all."""
_LEAST_COLUMNS, _LEAST_ROWS = 2, 2
_LONGEST: Final = 60


@dataclass(frozen=True)
class _Row:
    """An item, and what the cells behind it hold."""

    item: str
    n_columns: int
    place: str

    def is_like(self, other: _Row) -> bool:
        """Return whether two rows may be of one table."""
        return self.n_columns == other.n_columns and self.place == other.place


def write_answer_grids(lines: Sequence[str]) -> list[str]:
    """Write tabs and boxes in tables whose cells only show where to answer.

    Rows below another line go on with the columns of the table above it.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_answer_grids(["never | often", "I eat alone | O | O", "I cry | O | O"])
    ['\\tnever\\toften', 'I eat alone\\t○\\t○', 'I cry\\t○\\t○']
    >>> write_answer_grids(["Item;never;often", "I eat, alone;;", "I cry;;"])[1]
    'I eat, alone\\t○\\t○'
    """
    found = [*lines]
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for separator in _SEPARATORS:
        rows = [_row_of(lines[place], separator) for place in filled]
        table: _Row | None = None
        for at, place in enumerate(filled):
            row, below = rows[at], rows[at + 1 : at + 1 + _LEAST_ROWS]
            labels = _labels_above(lines[place], below, separator)
            if labels:
                table = below[0]
                found[place] = "".join(f"\t{label}" for label in labels)
            elif row and table and row.is_like(table):
                box = row.place if BOX.fullmatch(row.place) else "○"
                found[place] = row.item + f"\t{box}" * row.n_columns
    return found


def _row_of(line: str, separator: re.Pattern[str]) -> _Row | None:
    """Return a line as a row; None unless two or more cells behind its item are the same place to answer."""
    inner = _INNER.fullmatch(line)
    text = inner["cells"] if inner else line.strip(" ")
    signs = [*separator.finditer(text)]
    cells = [*map(str.strip, separator.split(text))]
    place = cells[-1]
    n_columns = next((n for n, cell in enumerate(reversed(cells)) if cell != place), len(cells))
    if not _LEAST_COLUMNS <= n_columns < len(cells) or not _PLACE.fullmatch(place):
        return None
    if not place and separator.pattern == r"\t":
        # Copied sheets have such tables.
        return None
    item = " ".join(text[: signs[-n_columns].start()].split())
    is_item = LETTER.search(item) and not BRACKETED.fullmatch(item)
    return _Row(item, n_columns, place) if is_item else None


def _labels_above(line: str, below: Sequence[_Row | None], separator: re.Pattern[str]) -> Sequence[str]:
    """Return the answers in a line above two rows of one table; none if it is no header of theirs."""
    first, *others = below or [None]
    if first is None or not others or not all(row and row.is_like(first) for row in others):
        return ()
    inner = _INNER.fullmatch(line)
    cells = [*map(str.strip, separator.split((inner["cells"] if inner else line).strip(" ")))]
    labels = cells[-first.n_columns :]
    n_before = len(cells) - len(labels)
    are_labels = all(any(map(str.isalnum, label)) and len(label) <= _LONGEST for label in labels)
    # A row with numbers has an item in front of them.
    is_row = n_before and cells[0] and all(map(str.isdecimal, labels))
    is_header = len(labels) == first.n_columns and n_before <= 1 and are_labels and not is_row
    return labels if is_header and len({*labels}) == len(labels) else ()
