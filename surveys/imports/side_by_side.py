"""Questions side by side, each above its answers, as on a page with two columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from surveys.imports.answers_on_line import BOX, answers_on
from surveys.imports.marks import Mark, mark_of
from surveys.imports.question_marks import asks

_COLUMN_GAP: Final = re.compile(r"\s*\t\s*|\s{3,}")
_NEAR: Final = 3
"""Places by which cells below each other may differ."""
_MOST_ROWS: Final = 200


@dataclass
class _Item:
    """A question with the answers below it in its column, or another line of the column."""

    place: int
    text: str
    mark: Mark | None
    answers: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The item on one line."""
        return "    ".join([self.text, *self.answers])


def read_columns(lines: Sequence[str]) -> list[str]:
    """Write questions side by side below each other, each on one line with its answers.

    Questions with numbers follow their numbers, others the columns.

    Parameters
    ----------
    lines : sequence of str
        Lines that are not needed become empty.

    Examples
    --------
    >>> read_columns(["1. Did you lie?  \\t2. Who knows?", "( ) Yes  \\ta) No one", "( ) No  \\tb) All"])
    ['1. Did you lie?    ( ) Yes    ( ) No', '2. Who knows?    ○ No one    ○ All', '']
    """
    found = [*lines]
    place = 0
    while place < len(found):
        rows = _rows_from(found[place : place + _MOST_ROWS])
        items = _items_of(rows)
        if not items:
            place += 1
            continue
        free = [at for at, row in enumerate(rows) if any(row)]
        found[place : place + len(rows)] = [""] * len(rows)
        for index, item in enumerate(items):
            # Near its place, but after the item before it and with room for those behind it.
            at = min(max(item.place, free[0]), free[len(free) - (len(items) - index)])
            free = [each for each in free if each > at]
            found[place + at] = item.line
        place += len(rows)
    return found


def _rows_from(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of lines with two columns, from the first line on; empty if they are no columns."""
    left, column = _halves(lines[0])
    if not column or not all(map(_begins, left)):
        return []
    rows = [left]
    for line in lines[1:]:
        cells, start = _halves(line, column)
        if any(cells) and not start:
            break
        rows.append(cells)
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def _begins(cell: str) -> bool:
    """Return whether a column may begin with a cell: it asks, or has a number or a letter."""
    mark, _body = mark_of(cell)
    return asks(cell) or (mark is not None and mark.kind in ("count", "letter", "hash"))


def _halves(line: str, column: int = 0) -> tuple[tuple[str, str], int]:
    """Return the two cells of a line, and where the second begins; 0 for a line that has no such cells.

    With the place of a column, a line may have only one of the two.
    """
    body = line.rstrip()
    gaps = [*_COLUMN_GAP.finditer(body)]
    first = bool(gaps) and not gaps[0].start()
    if len(gaps) == 1 + first and (left := body[: gaps[-1].start()].strip()):
        start = gaps[-1].end()
        is_below = not column or "\t" in gaps[-1][0] or abs(start - column) <= _NEAR
        return ((left, body[start:]), start) if is_below else (("", ""), 0)
    if not column or not body.strip():
        return ("", ""), 0
    if first and len(gaps) == 1:
        is_right = "\t" in gaps[0][0] or abs(gaps[0].end() - column) <= _NEAR
        return (("", body.strip()), column) if is_right else ((body.strip(), ""), column)
    return ((body.strip(), ""), column) if not gaps and len(body) < column else (("", ""), 0)


def _items_of(rows: Sequence[tuple[str, str]]) -> list[_Item]:
    """Return the items of two columns in their order; empty unless both consist of questions with answers."""
    columns = [_column(rows, side) for side in (0, 1)]
    for items in columns:
        asked = [item for item in items if item.answers]
        if not asked or not all(len(item.answers) > 1 and _may_ask(item) for item in asked):
            return []
    first, second = columns
    items = [*first, *second]
    values = [item.mark.value for item in items if item.mark and item.mark.kind == "count"]
    marks = {item.mark.shape for item in items if item.mark}
    if len(values) == len(items) and len(marks) == 1 and len({*values}) == len(values):
        items.sort(key=lambda item: item.mark.value if item.mark else ())
    elif any(not item.answers for item in items) and len(first) != len(second):
        return []
    lines = sum(any(row) for row in rows)
    is_first = bool(first[0].answers or second[0].answers or len(rows) > 2)
    return items if is_first and len(items) <= lines else []


def _may_ask(item: _Item) -> bool:
    return asks(item.text) or (item.mark is not None and item.mark.kind == "count")


def _column(rows: Sequence[tuple[str, str]], side: int) -> list[_Item]:
    """Return the items of a column: answers have boxes or letters, and questions may take several lines."""
    items: list[_Item] = []
    is_apart = True
    for place, row in enumerate(rows):
        cell = row[side]
        if not cell:
            is_apart = is_apart or not any(row)
            continue
        mark, body = mark_of(cell)
        if items and mark and mark.kind in ("sign", "letter") and _is_answer(items[-1], mark, cell):
            items[-1].answers.append(cell if BOX.match(cell) else f"○ {body}")
        elif items and not items[-1].answers and mark is None and not is_apart and not asks(items[-1].text):
            items[-1].text += f" {cell}"
        else:
            items.append(_Item(place, cell, mark))
        is_apart = False
    return items


def _is_answer(item: _Item, mark: Mark, cell: str) -> bool:
    """Return whether a cell with a mark is one answer of the item above it."""
    is_single = len(BOX.findall(cell)) < 2 and answers_on(cell) is None
    return is_single and (mark.kind == "sign" or item.mark is None or item.mark.shape != mark.shape)
