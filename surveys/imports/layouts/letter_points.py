"""Tables that state the points of each answer by its letter and the number of its question.

*Question | a | b* above *1 | 0 | 2* puts *(0)* and *(2)* behind the answers a) and b) of the first question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.layouts.item_tables import SIGNS, is_rule, split_cells
from surveys.imports.words.marks import are_first_letters, mark_of
from surveys.imports.words.patterns import COLUMN_GAP, LETTER
from surveys.imports.words.runs import counts_up

_POINTS: Final = re.compile(r"[+-]?\d{1,2}")
_ABSENT: Final = re.compile(r"[-–—/]?")
_LETTER_ALONE: Final = re.compile(r"[(\[]?(?P<letter>[^\W\d_])[.)\]]?")
_NUMBERED: Final = re.compile(r"[^\d|;\t]{0,20}(?P<number>\d{1,2})[^\w|;\t]{0,3}")
_ANSWER: Final = re.compile(r"\s*[(\[]?(?P<letter>[^\W\d_])(?:\s?[).\]:：、．-]\s{0,3}|\s{1,3})(?=\S)")
_NEXT_ANSWER: Final = re.compile(r"\s{1,40}(?=[(\[]?[^\W\d_]\s?[).\]]\s?\S)")
_LEAST: Final = 2
_Answers = list[tuple[int, str]]
"""The answers of a list, each with its line."""


def write_letter_points(lines: Sequence[str]) -> list[str]:
    """Return lines in which points follow the answers to which a table gives them; its lines become empty.

    Parameters
    ----------
    lines : sequence of str
        They stay as they are unless each row of a table has its list of answers.

    Examples
    --------
    >>> quiz = ["1. Lie?", "a) no", "b) yes", "2. Cheat?", "a) no   b) yes", ""]
    >>> write_letter_points([*quiz, "Question | a | b", "1 | 0 | 1", "2 | 0 | 3"])
    ['1. Lie?', 'a) no (0)', 'b) yes (1)', '2. Cheat?', 'a) no (0)   b) yes (3)', '', '', '', '']
    """
    tables = [*_tables_in(lines)]
    inside = {at for places, _rows in tables for at in places}
    all_lists = (
        [*_lists_in(["" if at in inside else line for at, line in enumerate(lines)])] if tables else []
    )
    named = _by_number(lines, all_lists)
    written: dict[int, list[str]] = {}
    found = [*lines]
    for places, rows in tables:
        lists = all_lists if len(all_lists) == len(rows) else [named.get(number, []) for number in rows]
        if any(len(own) != len(row) for own, row in zip(lists, rows.values(), strict=True)):
            continue
        for own, row in zip(lists, rows.values(), strict=True):
            for (at, text), points in zip(own, row, strict=True):
                written.setdefault(at, []).append(f"{text} ({points.lstrip('+')})")
        for at in places:
            found[at] = ""
    for at, answers in written.items():
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        found[at] = indent + "   ".join(answers)
    return found


def _tables_in(lines: Sequence[str]) -> Iterator[tuple[list[int], dict[int, list[str]]]]:
    """Yield the lines of each table of points, and the points of each question by its number.

    The questions are its rows or its columns.
    """
    cells = [(at, _cells(line)) for at, line in enumerate(lines) if not is_rule(line)]
    end = 0
    for first, (_at, header) in enumerate(cells):
        heads = header if _key_of(header[0]) else header[1:]
        keys = [*map(_key_of, heads)]
        if first < end or len(keys) < _LEAST or not all(keys):
            continue
        body = _rows_below(cells, first + 1, len(keys))
        end = first + 1 + len(body)
        stubs = [_key_of(own[0]) for _place, own in body]
        places = [place for place, _own in cells[first:end]]
        matrix = [[*own[1:], *[""] * (len(keys) + 1 - len(own))] for _place, own in body]
        if _are_letters(keys) and _are_numbers(stubs):
            numbers, rows = stubs, matrix
        elif _are_numbers(keys) and _are_letters(stubs):
            numbers, rows = keys, [[*column] for column in zip(*matrix, strict=True)]
        else:
            continue
        yield (
            places,
            {
                int(number): [cell for cell in row if _POINTS.fullmatch(cell)]
                for number, row in zip(numbers, rows, strict=True)
            },
        )


def _rows_below(
    cells: Sequence[tuple[int, list[str]]], start: int, width: int
) -> list[tuple[int, list[str]]]:
    """Return the rows of points from a place on, right below a header of a width."""
    end = start
    while end < len(cells) and _is_row(cells[end][1], width):
        end += 1
    return [*cells[start:end]]


def _cells(line: str) -> list[str]:
    sign = next((sign for sign in SIGNS if sign in line), "")
    return split_cells(line, sign) if sign else COLUMN_GAP.split(line.strip())


def _key_of(cell: str) -> str:
    """Return the letter of an answer, or the number of a question; empty for other cells."""
    letter, number = _LETTER_ALONE.fullmatch(cell), _NUMBERED.fullmatch(cell)
    return letter["letter"] if letter else number["number"] if number else ""


def _is_row(cells: Sequence[str], width: int) -> bool:
    """Return whether a line has the key of a row, and points or nothing behind it."""
    are_points = all(_POINTS.fullmatch(cell) or _ABSENT.fullmatch(cell) for cell in cells[1:])
    return 1 < len(cells) <= width + 1 and bool(_key_of(cells[0])) and are_points


def _are_letters(keys: Sequence[str]) -> bool:
    return len(keys) >= _LEAST and all(map(LETTER.fullmatch, keys)) and are_first_letters(keys)


def _are_numbers(keys: Sequence[str]) -> bool:
    return len(keys) >= _LEAST and all(map(str.isdecimal, keys)) and counts_up([*map(int, keys)])


def _by_number(lines: Sequence[str], lists: Sequence[_Answers]) -> dict[int, _Answers]:
    """Return the lists of answers by the numbers of the questions right above them."""
    marks = [mark_of(lines[own[0][0] - 1].strip())[0] if own[0][0] else None for own in lists]
    return {
        mark.value[1]: own for mark, own in zip(marks, lists, strict=True) if mark and mark.kind == "count"
    }


def _lists_in(lines: Sequence[str]) -> Iterator[_Answers]:
    """Yield the lists whose letters count up from the first one: on lines of their own, or on one line."""
    open_list: _Answers = []
    letters: list[str] = []
    for at, line in enumerate([*lines, "."]):
        parts = _NEXT_ANSWER.split(line.strip()) if line.strip() else []
        found = [match["letter"] for part in parts if (match := _ANSWER.match(part))]
        if len(found) == len(parts) and are_first_letters([*letters, *found]):
            open_list += [(at, part) for part in parts]
            letters += found
            continue
        if len(letters) >= _LEAST:
            yield open_list
        is_first = len(found) == len(parts) and are_first_letters(found)
        letters = found if is_first else []
        open_list = [(at, part) for part in parts] if is_first else []
