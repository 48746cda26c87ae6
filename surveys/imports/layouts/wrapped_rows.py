"""Rows and headers of tables that go over several lines, joined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import COLUMN_GAP

_NEAR: Final = 2
"""Columns by which answers below each other may differ."""
_MOST_COLUMNS: Final = 12
_CELL: Final = re.compile(r"\S+(?:\s\S+)*")
_QUESTION_AND_COLUMN: Final = re.compile(r"[^?？]{1,60}[?？]\s{3,}\S")
_LEAST_WORDS: Final = 4
_LEAST_ALIKE: Final = 2
"""Lines that begin with the same answers."""


def join_headers(lines: Sequence[str]) -> list[str]:
    """Join the lines of a header of a table, whose cells are below each other.

    Examples
    --------
    >>> header = ["         very     rather   not", "         good     good     at all"]
    >>> [" ".join(line.split()) for line in join_headers([*header, "1 Pay    O        O        O"])]
    ['very good rather good not at all', '', '1 Pay O O O']
    """
    found = list(lines)
    for place, line in enumerate(lines):
        first = [*_CELL.finditer(line)] if found[place] else []
        starts = [cell.start() for cell in first]
        if not _LEAST_ALIKE < len(first) <= _MOST_COLUMNS or not starts[0] or not _are_words(first):
            continue
        labels = [cell[0] for cell in first]
        for below in range(place + 1, len(found)):
            second = [*_CELL.finditer(found[below])]
            ends = {_nearest(starts, cell.start()): cell for cell in second}
            is_header = (
                _are_words(second)
                and len(ends) == len(second)
                and not {cell[0] for cell in second} & {cell[0] for cell in first}
                and all(abs(start - cell.start()) <= _NEAR for start, cell in ends.items())
            )
            is_last = len(second) < _LEAST_ALIKE and below == place + 1
            if not is_header or is_last or ends.keys() == {*starts[:1]}:
                break
            labels = [
                f"{label} {ends[start][0] if start in ends else ''}"
                for label, start in zip(labels, starts, strict=True)
            ]
            found[place], found[below] = " " * starts[0] + "   ".join(map(str.strip, labels)), ""
    return found


def _are_words(cells: Sequence[re.Match[str]]) -> bool:
    """Return whether cells contain words, and not codes."""
    return bool(cells) and all(
        cell[0][0].isalpha() and not any(map(str.isdecimal, cell[0])) for cell in cells
    )


def _nearest(starts: Sequence[int], place: int) -> int:
    return min(starts, key=lambda start: abs(start - place))


def _columns_of(line: str) -> tuple[str, ...]:
    """Return the contents of a line's columns after the first; empty unless there are at least two."""
    cells = [cell.strip() for cell in COLUMN_GAP.split(line.strip())]
    return (*cells[1:],) if len(cells) > _LEAST_ALIKE else ()


def join_items(lines: Sequence[str]) -> list[str]:
    """Join an item on two lines, if columns are to the right of the second one.

    Examples
    --------
    >>> join_items(["When did you drink for the", "first time?    ____ years"])
    ['When did you drink for the first time?    ____ years', '']
    """
    found = list(lines)
    columns = Counter(filter(None, map(_columns_of, found)))
    for place in range(1, len(found)):
        if _goes_on(found[place - 1], found[place], is_row=columns[_columns_of(found[place])] > 1):
            found[place - 1 : place + 1] = [f"{found[place - 1].strip()} {found[place].strip()}", ""]
    return found


def _goes_on(above: str, line: str, *, is_row: bool) -> bool:
    """Return whether an item begins on the line above and ends on a line with columns to its right.

    Another line has the same columns, or they follow a question mark.
    """
    is_end = line.strip()[:1].islower() and mark_of(line.strip())[0] is None
    listed = answers_on(line.strip()) if is_end else None
    is_whole = listed is not None and not listed.before and listed.sign == "code"
    if not is_end or is_whole or not (is_row or _QUESTION_AND_COLUMN.match(line.strip())):
        return False
    own = mark_of(" ".join(above.split()))[1]
    is_begun = own.lstrip("¿¡")[:1].isupper() and len(own.split()) >= _LEAST_WORDS and own[-1].isalpha()
    return is_begun and COLUMN_GAP.search(above.strip()[-len(own) :]) is None
