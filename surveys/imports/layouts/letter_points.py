"""Keys with the points of each letter in each question: as a table, or as *1a 2, 1b 0*.

Each question gets its key in one form: *1: a=2 b=0*. The other lines of a table become empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise, takewhile
from typing import Final

from surveys.imports.words.cues import pattern_of
from surveys.imports.words.marks import are_first_letters
from surveys.imports.words.patterns import POINTS
from surveys.imports.words.runs import repeats

_SIGNS: Final = tuple(map(re.compile, (r"\s?[|\t]\s?", r"\s{2,}", r"\s?[;,]\s?", r"\s")))
"""Signs between cells, from the surest to the least sure: bars and tabs, blanks, signs of a list, a blank."""
_EDGES: Final = re.compile(r"^\s*\||\|?\s*$")
_RULE: Final = re.compile(r"[\s|:+-]*-[\s|:+-]*")
"""A line between the header of a table and its rows."""
_LETTER: Final = re.compile(r"(?:[^\W\d_]{2,10}\s)?[(\[]?(?P<name>[A-Za-zА-Яа-я])[.)\]:]?")
_ITEM: Final = re.compile(
    rf"(?:(?:{pattern_of('item-number').pattern}|[^\W\d_]{{1,10}})[\s.]{{0,2}})?(?P<name>\d{{1,3}})\s?[.:)题]?",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(rf"(?P<points>\d{{1,2}})(?:\s?{POINTS})?", re.IGNORECASE)
_LEAST: Final = 2
"""Fewest letters and fewest questions of a key."""
_GLUED: Final = re.compile(
    r"(?<![\w.,])(?P<item>\d{1,2})\s?[-.]?(?P<letter>[a-h])(?:\s?[):=＝→–-]\s?|\s)(?P<points>\d{1,2})"
    rf"(?![\d.,]?\d|\s?[a-h]\b)(?:\s?{POINTS})?(?P<sign>[;,/.\s]{{0,3}})",
    re.IGNORECASE,
)
"""An answer by the number of its question and its letter, and its points: *1a 2*, *1b = 0*."""
_RUN: Final = re.compile(
    rf"^{_ITEM.pattern.replace('<name>', '<item>')}\s?"
    rf"(?P<pairs>(?:[a-h]\s\d{{1,2}}(?:\s?{POINTS})?[,;./\s]{{0,3}}){{2,8}})$",
    re.IGNORECASE,
)
"""The number of a question, and points behind its letters: *1: a 2, b 0*."""
_PAIR: Final = re.compile(r"(?P<letter>[a-h])\s(?P<points>\d{1,2})", re.IGNORECASE)
_UNSIGNED: Final = re.compile(
    r"(?<![A-Za-z])(?P<letter>[A-H])(?P<points>\d{1,2})分(?P<next>[,，、\s]{0,2}(?=[A-H]))?"
)
"""A letter directly before its points: *A1分B2分*."""


def write_letter_points(lines: Sequence[str]) -> list[str]:
    """Return lines in which each question has its own key of letters.

    Examples
    --------
    >>> write_letter_points(["\\tA\\tB", "Question 1\\t2\\t0", "Question 2\\t1\\t3"])
    ['', '1: A=2 B=0', '2: A=1 B=3']
    >>> write_letter_points(["| | 1 | 2 |", "|---|---|---|", "| a | 2 | 1 |", "| b | 0 | 3 |"])
    ['1: a=2 b=0; 2: a=1 b=3', '', '', '']
    >>> write_letter_points(["Points: 1a 2, 1b 0; 2a 1, 2b 3.", "1题A1分B2分；2题A0分B1分。"])
    ['Points: 1: a=2 b=0; 2: a=1 b=3.', '1题A=1 B=2；2题A=0 B=1。']
    """
    found = [_with_keys(line) for line in lines]
    place = 0
    while place < len(lines):
        table = next(filter(None, (_table_at(lines, place, sign) for sign in _SIGNS)), [])
        found[place : place + len(table)] = table
        place += max(len(table), 1)
    return found


def _with_keys(line: str) -> str:
    """Return a line with one key for each question in place of *1a 2, 1b 0*."""
    line = _UNSIGNED.sub(
        lambda match: f"{match['letter']}={match['points']}{'' if match['next'] is None else ' '}", line
    )
    if run := _RUN.match(line):
        return _key(run["item"], [(each["letter"], each["points"]) for each in _PAIR.finditer(run["pairs"])])
    marks = [*_GLUED.finditer(line)]
    items = [[*own] for _item, own in groupby(marks, key=lambda match: match["item"])]
    is_whole = bool(marks) and marks[0].start() == 0 and not line[marks[-1].end() :]
    if len(items) < (1 if is_whole else _LEAST) or any(
        one.end() != two.start() for one, two in pairwise(marks)
    ):
        return line
    if not all(len(own) >= _LEAST and are_first_letters([match["letter"] for match in own]) for own in items):
        return line
    keys = [_key(own[0]["item"], [(match["letter"], match["points"]) for match in own]) for own in items]
    return f"{line[: marks[0].start()]}{'; '.join(keys)}{marks[-1]['sign']}{line[marks[-1].end() :]}"


def _key(item: str, points: Sequence[tuple[str, str]]) -> str:
    return f"{item}: {' '.join(f'{letter}={own}' for letter, own in points)}"


def _table_at(lines: Sequence[str], place: int, sign: re.Pattern[str]) -> list[str]:
    """Return the lines of the table of points that begins in a line, with its keys; none without a table."""
    heads = _cells(lines[place], sign)
    if len(heads) < _LEAST:
        return []
    below = [*takewhile(lambda line: _is_row(line, sign, len(heads)), lines[place + 1 :])]
    rows = [_cells(line, sign) for line in below if not _RULE.fullmatch(line)]
    columns = _names([each for each in heads if each][1 - len(rows[0]) :]) if len(rows) >= _LEAST else []
    names = _names([row[0] for row in rows]) if columns else []
    if not names or columns[0].isdecimal() is names[0].isdecimal():
        return []
    points = [[match["points"] for match in map(_POINTS.fullmatch, row[1:]) if match] for row in rows]
    if names[0].isdecimal():
        keys = iter(
            _key(name, [*zip(columns, own, strict=True)]) for name, own in zip(names, points, strict=True)
        )
        return ["", *("" if _RULE.fullmatch(line) else next(keys) for line in below)]
    own = zip(*points, strict=True)
    whole = [_key(item, [*zip(names, each, strict=True)]) for item, each in zip(columns, own, strict=True)]
    return ["; ".join(whole), *("" for _line in below)]


def _keys(items: Sequence[str], letters: Sequence[str], points: Sequence[Sequence[str]]) -> list[str]:
    """Return the key of each question, given its row of points."""
    return [_key(item, [*zip(letters, own, strict=True)]) for item, own in zip(items, points, strict=True)]


def _cells(line: str, sign: re.Pattern[str]) -> list[str]:
    return [cell.strip() for cell in sign.split(_EDGES.sub("", line))]


def _is_row(line: str, sign: re.Pattern[str], count: int) -> bool:
    """Return whether a line has a name and as many points as a header of several cells has columns."""
    if _RULE.fullmatch(line):
        return True
    name, *points = _cells(line, sign)
    is_named = _ITEM.fullmatch(name) or _LETTER.fullmatch(name)
    return bool(is_named) and len(points) in (count, count - 1) and all(map(_POINTS.fullmatch, points))


def _names(cells: Sequence[str]) -> list[str]:
    """Return the letters, or the numbers of questions, in cells; empty unless they are the first ones."""
    for pattern in (_LETTER, _ITEM):
        found = [match["name"] for match in map(pattern.fullmatch, cells) if match]
        if len(found) == len(cells) >= _LEAST and not repeats(found):
            return found if found[0].isdecimal() or are_first_letters(found) else []
    return []
