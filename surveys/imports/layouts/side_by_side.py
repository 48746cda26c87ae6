"""Questions side by side, each above its answers, as on a page with two columns.

They are written below each other before anything else is read. Then a line holds a whole question, and the
report of the import shows the cells from which it was read, and their lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import MISREAD, UNCERTAIN, Questionnaire, ReadLine
from surveys.imports.lines.source_lines import ANSWER, QUESTION, ROW, split_space, unit_of_space
from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.marks import Mark, mark_of
from surveys.imports.words.page_feet import is_foot
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import repeats

_COLUMN_GAP: Final = re.compile(r"\s*\t\s*|\s{3,}")
_NEAR: Final = 3
"""Places by which cells below each other may differ."""
_MOST_ROWS: Final = 200


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The cells from which a line was written.

    Parameters
    ----------
    side : int
        0 for the first column, 1 for the second.
    cells : sequence of (int, str)
        The line of each cell, and its text.
    is_numbered : bool
        Whether its number shows its place among the questions.
    """

    side: int
    is_numbered: bool
    cells: Sequence[tuple[int, str]]

    @property
    def where(self) -> str:
        """Their place, in words."""
        first, last = self.cells[0][0], self.cells[-1][0]
        said = (
            _("Lines %(first)s to %(last)s, right-hand column")
            if self.side
            else _("Lines %(first)s to %(last)s, left-hand column")
        )
        return said % {"first": first, "last": last}


@dataclass
class _Item:
    """A question with the answers below it in its column, or another line of the column."""

    place: int
    text: str
    mark: Mark | None
    cells: list[tuple[int, str]]
    """The row of each cell, counted from the first one, and its text."""
    side: int
    answers: list[str] = field(default_factory=list)
    are_marked: bool = True
    """Whether its answers have boxes, letters or codes."""

    @property
    def line(self) -> str:
        """The item on one line."""
        return "    ".join([self.text, *self.answers])

    @property
    def number(self) -> tuple[int, ...]:
        """What its number counts to; empty without a number."""
        return self.mark.value if self.mark is not None and self.mark.kind == "count" else ()

    @property
    def may_ask(self) -> bool:
        """Whether it asks, or has a number."""
        return asks(self.text) or bool(self.number)

    def takes(self, cell: str, *, is_apart: bool) -> bool:
        """Add a cell below it that belongs to it; return whether it does."""
        mark, body = mark_of(cell)
        if not self.answers and (answers := _boxed_answers(cell)):
            self.answers = answers
        elif mark and _is_answer(self, mark, cell):
            self.answers.append(cell if BOX.match(cell) else f"○ {body}")
        elif mark or is_apart or (self.answers and asks(cell)):
            return False
        elif not self.answers and _is_space(cell):
            self.text += f"    {cell}"
        else:
            self._add_unmarked(cell)
        return True

    def _add_unmarked(self, cell: str) -> None:
        """Add a cell without a mark: the rest of the last answer, an answer, or the rest of the question."""
        if self.answers and self.are_marked:
            self.answers[-1] += f" {cell}"
        elif self.answers or asks(self.text):
            self.are_marked = False
            self.answers.append(f"○ {cell}")
        else:
            self.text += f" {cell}"


def read_columns(lines: Sequence[str]) -> tuple[list[str], dict[int, Cells]]:
    """Write questions side by side below each other, each on one line with its answers.

    Questions with numbers follow their numbers, others the columns.

    Parameters
    ----------
    lines : sequence of str
        Lines that are not needed become empty.

    Returns
    -------
    tuple of list of str and dict of int to Cells
        The lines, and the cells from which a line was written, by its number, counted from 1.

    Examples
    --------
    >>> lines = ["1. Did you lie?  \\t2. Who knows?", "( ) Yes  \\ta) No one", "( ) No  \\tb) All"]
    >>> found, cells = read_columns(lines)
    >>> found
    ['1. Did you lie?    ( ) Yes    ( ) No', '2. Who knows?    ○ No one    ○ All', '']
    >>> cells[2].cells
    [(1, '2. Who knows?'), (2, 'a) No one'), (3, 'b) All')]
    """
    found, written = [*lines], dict[int, Cells]()
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
            cells = [(place + row + 1, text) for row, text in item.cells]
            written[place + at + 1] = Cells(side=item.side, cells=cells, is_numbered=bool(item.number))
        place += len(rows)
    return found, written


def name_cells(survey: Questionnaire, written: Mapping[int, Cells]) -> None:
    """Name the cells from which questions were read, instead of the lines on which they were written.

    Parameters
    ----------
    survey : Questionnaire
        Its questions get their source and their place, as do the notes on them. The lines of the cells get
        the roles of what their first cells became.
    written : mapping of int to Cells
        See `read_columns`.
    """
    for question in survey.questions:
        if found := written.get(question.line):
            question.source = "\n".join(text for _line, text in found.cells)
            question.where = found.where
            if found.side and not found.is_numbered:
                message = _("the questions of the left-hand column come before this one")
                remedy = _("choose “Ask earlier” in its row if it comes before one of them")
                survey.note(question.line, message, remedy, effect=UNCERTAIN, cause=MISREAD)
    survey.notes = [
        replace(note, where=note.where or written[note.line].where) if note.line in written else note
        for note in survey.notes
    ]
    read = {each.line: each.role for each in survey.lines}
    roles: dict[int, str] = {}
    for number, found in sorted(written.items(), key=lambda item: item[1].side):
        for place, (line, _text) in enumerate(found.cells):
            role = ANSWER if place else read.get(number, ANSWER)
            roles.setdefault(line, QUESTION if role == ROW else role)
    others = [each for each in survey.lines if each.line not in written and each.line not in roles]
    survey.lines = sorted(
        [*others, *(ReadLine(line=line, role=role) for line, role in roles.items())],
        key=lambda each: each.line,
    )


def _rows_from(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of lines with two columns, from the first line on; empty if they are no columns."""
    left, column = _halves(lines[0])
    if not column or not all(map(_begins, left)):
        return []
    rows = [left]
    for line in lines[1:]:
        cells, start = _halves(line, column)
        if (any(cells) and not start) or is_foot(line):
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
        if not column or "\t" in gaps[-1][0] or abs(start - column) <= _NEAR:
            return (left, body[start:]), start
    if not column or not body.strip():
        return ("", ""), 0
    if BOX.match(body.strip()) and len(body) < column and "\t" not in body:
        return (body.strip(), ""), column
    if first and len(gaps) == 1:
        is_right = "\t" in gaps[0][0] or abs(gaps[0].end() - column) <= _NEAR
        return (("", body.strip()), column) if is_right else ((body.strip(), ""), column)
    return ((body.strip(), ""), column) if not gaps and len(body) < column else (("", ""), 0)


def _items_of(rows: Sequence[tuple[str, str]]) -> list[_Item]:
    """Return the items of two columns in their order; empty unless both consist of questions with answers."""
    first, second = (_column(rows, side) for side in (0, 1))
    items = [*first, *second]
    if not (_consists_of_questions(first) and _consists_of_questions(second)):
        return []
    has_lists = all(item.answers for item in items)
    begins_with_list = bool(first[0].answers or second[0].answers or len(rows) > 2)
    if not any(item.answers for item in items) or not begins_with_list or len(items) > sum(map(any, rows)):
        return []
    numbers = [item.number for item in items if item.number]
    if repeats(numbers):
        # The same question in two languages.
        return []
    if len(numbers) == len(items) and len({item.mark.shape for item in items if item.mark}) == 1:
        return sorted(items, key=lambda item: item.number)
    return items if has_lists or len(first) == len(second) else []


def _consists_of_questions(items: Sequence[_Item]) -> bool:
    """Return whether all lists of answers in a column are below questions, or it has a space to write."""
    asked = [item for item in items if item.answers]
    if not asked:
        return any(item.may_ask and split_space(item.text) for item in items)
    return all(len(item.answers) > 1 and item.may_ask for item in asked)


def _column(rows: Sequence[tuple[str, str]], side: int) -> list[_Item]:
    """Return the items of a column: answers may have marks, and questions may take several lines."""
    items: list[_Item] = []
    is_apart = True
    for place, row in enumerate(rows):
        cell = row[side]
        if not cell:
            is_apart = is_apart or not any(row)
            continue
        if not items or not items[-1].takes(cell, is_apart=is_apart):
            items.append(_Item(place, cell, mark_of(cell)[0], [], side))
        items[-1].cells.append((place, cell))
        is_apart = False
    return items


def _boxed_answers(cell: str) -> list[str]:
    """Return the answers of a cell that begins with a box and contains more boxes."""
    boxes = [box.start() for box in BOX.finditer(cell)]
    if len(boxes) < 2 or boxes[0]:
        return []
    return [cell[start:end].strip() for start, end in zip(boxes, [*boxes[1:], len(cell)], strict=True)]


def _is_space(cell: str) -> bool:
    """Return whether a cell is a space to write, perhaps behind or before a word; an empty box is none."""
    is_box = cell[0] in "[(（"
    return not is_box and (split_space(cell) is not None or unit_of_space(cell) is not None)


def _is_answer(item: _Item, mark: Mark, cell: str) -> bool:
    """Return whether a cell with a mark is one answer of the item above it."""
    is_single = len(BOX.findall(cell)) < 2 and answers_on(cell) is None
    is_other = item.mark is None or item.mark.shape != mark.shape
    return is_single and (mark.kind == "sign" or (mark.kind in ("letter", "count") and is_other))
