"""Sheets with one question in each row, by what their columns hold: texts that differ, lists, and kinds."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import LEFT, QUESTION, SourceLine, split_space, unit_of_space
from surveys.imports.words.answers_on_line import BOX, Listed, answers_on
from surveys.imports.words.cues import (
    NAMES_QUESTION,
    SAYS_NUMBER,
    SAYS_ONE,
    SAYS_SEVERAL,
    SAYS_TEXT,
    is_yes_no,
    pattern_of,
    speaks_of_condition,
)
from surveys.imports.words.limits import is_for_all
from surveys.imports.words.marks import SQUARE, mark_of
from surveys.imports.words.patterns import HAN, LETTER
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import repeats

_SEPARATORS: Final = ("\t", "||", "|", ",", ";")
_RULE: Final = re.compile(r"[\s|+:=_{}-]*|\{\|.*|\|[-}].*")
_ENTRY: Final = re.compile(r"\s*(?P<code>-?\d{1,3}|[A-Z](?=[\s=)]))\s?[,=:.)\s]\s?(?P<label>[^\W\d_].*)")
_SPLIT: Final = re.compile(r"\s?[|｜;；/／、]\s?|\n|\}\s?\{")
_COMMAS: Final = re.compile(r"\s?[,，]\s?")
_KIND: Final = re.compile(f"{SAYS_TEXT.pattern}|{SAYS_NUMBER.pattern}", re.IGNORECASE)
_SPAN: Final = re.compile(r"\d{1,6}\s?(?:-|–|—|to|bis|à|a|至|到)\s?\d{1,6}(?:\s[^\W\d]{1,20})?")
"""The smallest and the largest number of an answer."""
_SAID_SPAN: Final = re.compile(
    rf"(?:[^\W\d]{{2,14}}\s?){{1,3}}[(（\[:：]\s?({_SPAN.pattern})\s?[)）\]]?", re.IGNORECASE
)
"""Them behind the kind of the answer: *number (0-45)*."""
_LEAST_ROWS: Final = 3
_LEAST_CELLS: Final = 2
_COUNT_BEHIND: Final = re.compile(r"(?<=[^\W\d_])\s?(?:\d{1,2}|(?<=[\s㐀-鿿])[A-Ha-h])$")
"""The number or letter at the end of a column's heading: *Answer 1*, *选项A*."""
_LETTERS: Final = "letters"
_LETTER_ALONE: Final = re.compile(r"[A-H]")
_MOST_WORDS: Final = 4
_LEAST_REMARK: Final = 3
_MOST_LABELS: Final = 24
_COMPARED: Final = re.compile(r"(?:^|[^\W_])[^\W\d_]{0,8}\d{0,3}[)}\]]?\s?(?:[!<>]?=|[<>＝≠≤≥])\s?[\w'\"“«]")
"""The answer to another question, compared: *Q3>0*, *Q1=married*."""
_CODE: Final = re.compile(r"[^\W\d_]{1,5}[._-]?\d{1,3}[a-z]?")
"""The code of a question: *Q1*."""
_ALWAYS: Final = pattern_of("always")
"""Words in a column of conditions for questions that everyone is asked."""
SHEET: Final = "sheet"
"""The topic of a line that is a row of a sheet."""
UNREAD_CELL: Final = "unread cell"
"""The flag of a question in a row with a cell that is neither its answers nor their kind."""
OWN_CELLS: Final = "own cells"
"""The flag of a question whose answers are all in columns of their own, with headings that count them."""

_WORD: Final = re.compile(r"[^\W\d_]{3}")
_DIGITS: Final = re.compile(r"\d{1,6}")


def read_sheets(lines: Sequence[SourceLine]) -> None:
    """Make questions of the rows of sheets.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines that are not blank; those with a role keep it.
    """
    place = 0
    while place < len(lines):
        best = max(
            (_block(lines, place, sign) for sign in _SEPARATORS), key=lambda each: each[0], default=(0, [])
        )
        end, rows = best
        if end > place:
            _read_rows(rows)
        place = max(end, place + 1)


def _cells(line: SourceLine, sign: str) -> list[str]:
    raw = line.raw.strip("\n")
    if sign in ",;":
        cells = [cell.strip() for cell in next(csv.reader([raw], delimiter=sign, skipinitialspace=True), [])]
        # A sign within brackets separates no cells.
        return cells if all(cell.count("(") == cell.count(")") for cell in cells) else []
    if sign in ("|", "||"):
        raw = re.sub(r"^\s*[|!]|\|\s*$", "", raw).replace("!!", "||")
    return [" ".join(cell.split()) for cell in raw.split(sign)]


def _block(
    lines: Sequence[SourceLine], start: int, sign: str
) -> tuple[int, list[tuple[SourceLine, list[str]]]]:
    """Return the end of the lines with as many cells as the first, and their cells; rules do not count."""
    rows: list[tuple[SourceLine, list[str]]] = []
    width, end = 0, start
    for line in lines[start:]:
        if line.role:
            break
        is_rule = _RULE.fullmatch(line.text) is not None
        if is_rule and not width and end > start:
            break
        cells = [] if is_rule or sign[0] not in line.raw else _cells(line, sign)
        if not is_rule:
            # A copied sheet lacks the empty cells at the end of its rows.
            is_short = width - len(cells) > 1 and sign != "\t"
            if len(cells) < 2 + (sign in ",;") or is_short or (width and len(cells) - width > 1):
                break
            width = max(width, len(cells))
        rows.append((line, cells))
        end += 1
    n_rows = sum(bool(cells) for _line, cells in rows)
    return (end, rows) if n_rows >= _LEAST_ROWS else (start, [])


def _read_rows(found: Sequence[tuple[SourceLine, list[str]]]) -> None:
    """Give the rows of a block their roles, if it is a sheet of questions."""
    filled = [(line, cells) for line, cells in found if cells]
    # A title above the sheet, or a remark below it, has the width of the sheet but one cell with words.
    while filled and sum(map(bool, filled[0][1])) < _LEAST_CELLS:
        filled = filled[1:]
    while filled and sum(map(bool, filled[-1][1])) < _LEAST_CELLS:
        filled = filled[:-1]
    sheet = _sheet_of([cells for _line, cells in filled]) if len(filled) >= _LEAST_ROWS else None
    if sheet is None or not sheet.asks_questions():
        return
    first_line, last_line = filled[0][0].number, filled[-1][0].number
    for line, cells in found:
        is_head = sheet.has_header and line is filled[0][0]
        if first_line <= line.number <= last_line and (not cells or is_head):
            line.topic = SHEET
            line.give(LEFT)
    for row, (line, _cells) in enumerate(filled):
        if row or not sheet.has_header:
            sheet.read(line, row)


_List = tuple[tuple[str, ...], list[int | None]]
"""The answers in a cell, and their points."""


def _sheet_of(rows: Sequence[Sequence[str]]) -> _Sheet | None:
    """Return rows of cells as a sheet; None if no column has texts that differ."""
    width = max(map(len, rows))
    columns = [[row[at] if at < len(row) else "" for row in rows] for at in range(width)]
    texts = [at for at in range(width) if _are_texts(columns[at][1:])]
    if not texts:
        return None
    text = max(texts, key=lambda at: (sum(map(asks, columns[at])), sum(map(len, columns[at]))))
    lists = {at: [*map(_labels, column)] for at, column in enumerate(columns) if at != text}
    # A column of kinds may say yes/no.
    answers = max(
        lists, key=lambda at: sum(2 - is_yes_no(each[0]) for each in lists[at][1:] if each is not None)
    )
    return _Sheet(columns, text, lists[answers])


class _Sheet:
    """The columns of a sheet: one has the texts of the questions, and one may list their answers."""

    def __init__(self, columns: Sequence[Sequence[str]], text: int, lists: Sequence[_List | None]) -> None:
        self.texts, self.lists = _without_numbers(columns[text]), lists
        rows = [*zip(*columns, strict=True)]
        self.beside = [[cell for at, cell in enumerate(row) if cell and at != text] for row in rows]
        self.behind = [tuple(filter(None, row[text + 1 :])) for row in rows]
        counted = _counted(columns, text)
        self.counted = [tuple(row[at] for at in counted if row[at]) for row in rows]
        # The code of a first question counts with those below it.
        codes = [_DIGITS.sub("9", row[0]) for row in rows[:2]]
        is_counted = "9" in codes[0] and codes[0] == codes[-1]
        self.has_header = not (asks(self.texts[0]) or is_counted) and lists[0] is None
        self.has_columns = self.has_header and len(counted) > 1
        """Whether each answer has a column of its own, whose headings count up."""
        says = [any(map(_says, cells)) for cells in self.beside[1:]]
        self.n_said = sum(each is not None for each in lists[1:]) + sum(says)
        """How many cells list answers or say what kind of answer a question has."""
        others = [column for at, column in enumerate(columns) if at != text]
        bare = [column for column in others if not any(map(LETTER.search, column[1:]))]
        self.has_marks = sum(len({*column[1:]}) < len(column) - 1 for column in bare) > 1
        """Whether several columns only have boxes or numbers, as in a table of items."""
        self.limits = {cell for column in others for cell in column[1:] if _says_who(column[1:])}
        """The cells of a column that says who is asked each question: *Q1 = yes*, *all*."""
        self.kinds = {
            cell
            for cells, listed in zip(self.beside[1:], lists[1:], strict=True)
            for cell in cells
            if listed and LETTER.search(cell) and _labels(cell) is None
            if cell not in self.limits and not _CODE.fullmatch(cell)
        }
        self.has_several = any(map(SAYS_SEVERAL.search, self.kinds))
        are_lists = [bool(each) or len(own) > 1 for each, own in zip(lists, self.counted, strict=True)]
        self.has_one = _has_one(others, are_lists)

    def asks_questions(self) -> bool:
        """Return whether the rows are questions: they ask, or most of them list or describe their answers."""
        body = self.texts[1:]
        n_filled = sum(any(map(LETTER.search, cells)) for cells in self.beside[1:])
        are_asking = self.has_header and all(map(asks, body)) and 2 * n_filled > len(body)
        return not self.has_marks and (are_asking or self.has_columns or 2 * self.n_said >= len(body))

    def read(self, line: SourceLine, row: int) -> None:
        """Make a row a question."""
        own, behind, counted = self.beside[row], self.behind[row], self.counted[row]
        listed = self._answers_of(row)
        answers = listed[0] if listed else ()
        line.body, line.mark, line.is_whole, line.topic = self.texts[row], None, True, SHEET
        _give_answers(line, listed, own)
        others = [cell for cell in own if cell not in answers]
        line.flags |= _flags_of(others, is_list=listed is not None, has_several=self.has_several)
        read = {*(answers or line.cells), *self.limits}
        read |= {cell for cell in own if _is_listed(cell) or _says(cell)}
        line.flags |= set() if read.issuperset(behind) else {UNREAD_CELL}
        line.beside = "; ".join(filter(_is_remark, own))
        are_counted = self.has_columns and bool(counted) and counted == behind == tuple(line.cells)
        line.flags |= {OWN_CELLS} if are_counted else set()
        is_known = are_counted or self._is_known(own, has_list=listed is not None)
        is_several = "several" in line.flags and not self.has_one
        has_remark = any(map(_is_remark, {*own} - self.limits))
        line.give(QUESTION, is_certain=is_known and not is_several and not has_remark and bool(line.body))

    def _is_known(self, cells: Sequence[str], *, has_list: bool) -> bool:
        """Return whether the other cells of a row have a meaning that other rows confirm."""
        if has_list and self.n_said:
            return self.has_several or len(self.kinds) < 2
        return not cells or self.n_said > 0

    def _answers_of(self, row: int) -> _List | None:
        """Return the answers of a row: listed in one cell, yes and no, or one in each of several columns."""
        listed = self.lists[row] or next(
            (each for each in map(_labels, self.beside[row]) if each and is_yes_no(each[0])), None
        )
        behind, counted = self.behind[row], self.counted[row]
        # Without a header, the columns of a form hold answers in one row and a space to write in another.
        says = self.n_said if self.has_header else any(map(_says, behind))
        if (not says and len(behind) > 1) or (len(counted) > 1 and not listed):
            labels = counted or behind
            return labels, [None] * len(labels)
        return listed


def _give_answers(line: SourceLine, listed: _List | None, cells: Sequence[str]) -> None:
    """Give a question its answers with their boxes, or the range of numbers that another cell states."""
    line.cells, line.points = (list(listed[0]), listed[1]) if listed else ([], [])
    if line.cells and all(map(BOX.match, line.cells)):
        line.flags |= {"square" if line.cells[0][0] in SQUARE else "round"}
        line.cells = [BOX.sub("", cell, count=1).strip() for cell in line.cells]
    stated = [piece for cell in cells for piece in (cell, *_COMMAS.split(cell))] if not listed else []
    stated += [match[1] for cell in stated if (match := _SAID_SPAN.fullmatch(cell))]
    if spans := [piece for piece in stated if _SPAN.fullmatch(piece)]:
        line.cells, line.points = spans[:1], [None]


def _is_listed(cell: str) -> bool:
    """Return whether a cell lists answers, and holds no other word."""
    listed = _labels(cell)
    rest = cell
    for label in listed[0] if listed else ():
        rest = rest.replace(label, " ", 1)
    return listed is not None and _WORD.search(rest) is None


def _without_numbers(texts: Sequence[str]) -> list[str]:
    """Return the texts of a column without their numbers or letters, if most have one of the same shape."""
    marked = [mark_of(text) for text in texts]
    shapes = Counter(mark.shape for mark, _body in marked if mark and mark.kind in ("count", "letter"))
    shape, count = shapes.most_common(1)[0] if shapes else ("", 0)
    if 2 * count <= len(texts):
        return [*texts]
    return [
        body if mark and mark.shape == shape else text
        for text, (mark, body) in zip(texts, marked, strict=True)
    ]


def _says_who(cells: Sequence[str]) -> bool:
    """Return whether cells say who is asked: some compare the answer to a question, all others are for all.

    Examples
    --------
    >>> [_says_who(each) for each in (["all", "Q1 = yes", ""], ["siempre", "V1=Sí"], ["Q1 = yes", "smokers"])]
    [True, True, False]
    """
    filled = [cell for cell in cells if any(map(str.isalnum, cell))]
    others = [cell for cell in filled if not compares_answer(cell)]
    return len(filled) > len(others) and all(is_for_all(cell) or _ALWAYS.fullmatch(cell) for cell in others)


def _has_one(columns: Sequence[Sequence[str]], are_lists: Sequence[bool]) -> bool:
    """Return whether a column that says *multiple choice* beside a list says otherwise beside another list.

    Without a second kind, it may mean one of several answers.
    """
    return any(
        are_lists[row] and column[row] and not SAYS_SEVERAL.search(column[row])
        for column in columns
        if any(map(SAYS_SEVERAL.search, column[1:]))
        for row in range(1, len(column))
    )


def _counted(columns: Sequence[Sequence[str]], text: int) -> list[int]:
    """Return the columns behind the texts whose headers count up: *choice1*, *choice2*, or *A*, *B*."""
    names = {at: _COUNT_BEHIND.sub("", column[0]) for at, column in enumerate(columns) if at > text}
    names |= {at: _LETTERS for at in names if _LETTER_ALONE.fullmatch(columns[at][0])}
    most = Counter(name for at, name in names.items() if name and name != columns[at][0]).most_common(1)
    return [at for at, name in names.items() if most and most[0][1] > 1 and name == most[0][0]]


def _flags_of(cells: Sequence[str], *, is_list: bool, has_several: bool) -> set[str]:
    """Return what the other cells of a row say about its answer."""
    said = " ".join(cell for cell in cells if _labels(cell) is None)
    if is_list:
        return {"several"} if SAYS_SEVERAL.search(said) else {"one"} if has_several else set()
    if SAYS_NUMBER.search(said) or any(map(_is_unit, cells)):
        return {"number"}
    return {"text"} if SAYS_TEXT.search(said) else set()


def compares_answer(cell: str) -> bool:
    """Return whether a cell compares the answer to a question, which may be above it.

    Examples
    --------
    >>> compares_answer("FAM01 > 0"), compares_answer("1=Never; 2=Often")
    (True, False)
    """
    return _COMPARED.search(cell) is not None and not _lists_codes(cell)


def _is_remark(cell: str) -> bool:
    """Whether a cell next to a question holds a condition: words that are neither answers nor a kind."""
    if compares_answer(cell) or speaks_of_condition(cell):
        return True
    if NAMES_QUESTION.search(cell) and _labels(cell) is None:
        return True
    is_long = len(cell.split()) >= _LEAST_REMARK or len(HAN.findall(cell)) > 2 * _LEAST_REMARK
    return is_long and _labels(cell) is None and not _says(cell)


def _lists_codes(cell: str) -> bool:
    """Whether a cell holds several answers, each with its code: *1=Never; 2=Often*."""
    splits = (pattern.split(cell) for pattern in (_SPLIT, _COMMAS))
    return any(len(pieces) > 1 and all(map(_ENTRY.fullmatch, pieces)) for pieces in splits)


def _is_unit(cell: str) -> bool:
    # The unit may be in front of the space: £ ____.
    space = split_space(f": {cell}")
    return (space is not None and bool(space[1])) or bool(unit_of_space(cell))


def _says(cell: str) -> bool:
    """Whether a cell says what kind of answer a question has."""
    is_short = len(cell.split()) <= _MOST_WORDS
    return is_short and (
        any(pattern.search(cell) for pattern in (SAYS_SEVERAL, SAYS_ONE, SAYS_NUMBER, SAYS_TEXT))
        or unit_of_space(cell) is not None
    )


def _are_texts(column: Sequence[str]) -> bool:
    """Whether the cells of a column are texts: different, and of several words or long."""
    words = [cell for cell in column if len(cell.split()) > 1 or (len(cell) > 4 and "㐀" < cell[0] < "鿿")]
    return not repeats(column) and 2 * len(words) > len(column) and all(map(LETTER.search, column))


def _labels(cell: str) -> _List | None:
    """Return the answers in a cell, with their points; None if it lists fewer than two."""
    if asks(cell) or not LETTER.search(cell):
        return None
    if coded := _coded_labels([piece for piece in _SPLIT.split(cell.strip("{}")) if piece]):
        return coded
    listed: Listed | None = answers_on(cell)
    if listed and not listed.before and listed.sign in ("box", "code"):
        return listed.labels, [*(listed.points or [None] * len(listed.labels))]
    for pattern in (_SPLIT, _COMMAS):
        pieces = [piece for piece in pattern.split(cell) if piece]
        if any(_KIND.fullmatch(piece) or _COMPARED.search(piece) for piece in pieces):
            return None
        are_short = pattern is _SPLIT or (
            all(map(LETTER.search, pieces)) and max(len(piece.split()) for piece in pieces) < _MOST_WORDS
        )
        if 1 < len(pieces) <= _MOST_LABELS and are_short:
            return tuple(pieces), [None] * len(pieces)
    return None


def _coded_labels(pieces: Sequence[str]) -> _List | None:
    """Return the answers of pieces that all begin with another code; codes that are no numbers count up."""
    coded = [match for piece in pieces if (match := _ENTRY.fullmatch(piece))]
    codes = [match["code"].zfill(3) for match in coded]
    if not 1 < len(pieces) == len(coded) <= _MOST_LABELS or repeats(codes):
        return None
    points = [int(code) if code.lstrip("-").isdecimal() else None for code in codes]
    if None in points and codes != sorted(codes):
        return None
    return tuple(match["label"] for match in coded), points
