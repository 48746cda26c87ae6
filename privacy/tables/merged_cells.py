"""Fill merged cells of a sheet with their value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Final

from privacy.tables.decisions import Decision

_CHUNK: Final = 1 << 20
_TAIL: Final = 200
"""Largest number of bytes of a range, which two chunks can share."""
_RANGE: Final = re.compile(
    rb'<(?:\w+:)?mergeCell\s[^>]{0,80}?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"'
)


class MergedCells:
    """Merged cells of one sheet, those of its header excepted.

    Parameters
    ----------
    ranges : iterable of (int, int, int, int)
        First column, first row, last column and last row of each, from 1.

    Examples
    --------
    Both people live in the merged cell "A"; the title above the columns is not repeated:

    >>> merged = MergedCells([(1, 1, 2, 1), (1, 3, 1, 4)])
    >>> rows = [["Study", ""], ["town", "age"], ["A", "30"], ["", "40"]]
    >>> [cells for _number, cells in merged.filled(enumerate(rows, 1))][2:]
    [['A', '30'], ['A', '40']]
    >>> print(*merged.decisions())
    Merged cells of the sheet were filled with their value, for example “A” (1 cell).
    """

    def __init__(self, ranges: Iterable[tuple[int, int, int, int]]) -> None:
        found = list(ranges)
        # Rows with a cell that is merged only sideways are titles or the upper line of a header.
        titles = {top for left, top, right, bottom in found if top == bottom and right > left}
        self._starts: dict[int, list[tuple[int, int]]] = {}
        for left, top, _right, bottom in found:
            if bottom > top and top not in titles:
                self._starts.setdefault(top, []).append((left - 1, bottom))
        self._count, self._example = 0, ""

    @classmethod
    def of_sheet(cls, sheet: IO[bytes]) -> MergedCells:
        """Find the merged cells in the XML of a sheet.

        Parameters
        ----------
        sheet : binary file
            It is closed.
        """
        ranges, tail = set(), b""
        with sheet:
            while chunk := sheet.read(_CHUNK):
                text = tail + chunk
                for match in _RANGE.finditer(text):
                    ranges.add((_column(match[1]), int(match[2]), _column(match[3]), int(match[4])))
                tail = text[-_TAIL:]
        return cls(ranges)

    def filled(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of the sheet, in which each merged cell has its value in every row.

        Parameters
        ----------
        rows : iterable of (int, list of str)
            Numbers and cells of all rows. The first row with text is a header, and stays.
        """
        active: dict[int, tuple[int, str]] = {}
        is_header = True
        for number, cells in rows:
            for column, (last, text) in [*active.items()]:
                if number > last:
                    del active[column]
                elif column < len(cells) and not cells[column] and any(cells):
                    cells[column] = text
                    self._count, self._example = self._count + 1, self._example or text
            for column, last in self._starts.get(number, ()):
                if not is_header and column < len(cells) and cells[column]:
                    active[column] = last, cells[column]
            is_header = is_header and not any(cells)
            yield number, cells

    def decisions(self) -> Iterator[Decision]:
        """Yield what was filled, after all rows were read."""
        if self._count:
            yield Decision.of("merged", text=self._example, count=self._count)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
