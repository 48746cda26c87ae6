"""Keys with the points of each letter in each question in one line: *1a 2, 1b 0*, *1: a 2, b 0*.

Each question gets its key in one form: *1: a=2 b=0*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from surveys.imports.words.cues import pattern_of
from surveys.imports.words.marks import are_first_letters
from surveys.imports.words.patterns import POINTS

_ITEM: Final = re.compile(
    rf"(?:(?:{pattern_of('item-number').pattern}|[^\W\d_]{{1,10}})[\s.]{{0,2}})?(?P<name>\d{{1,3}})\s?[.:)题]?",
    re.IGNORECASE,
)
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


def write_letter_lists(lines: Sequence[str]) -> list[str]:
    """Return lines in which each question has its own key of letters.

    Examples
    --------
    >>> write_letter_lists(["Points: 1a 2, 1b 0; 2a 1, 2b 3.", "1题A1分B2分；2题A0分B1分。"])
    ['Points: 1: a=2 b=0; 2: a=1 b=3.', '1题A=1 B=2；2题A=0 B=1。']
    >>> write_letter_lists(["1: a 2, b 0", "1. a) 2 b) 3"])
    ['1: a=2 b=0', '1. a) 2 b) 3']
    """
    return [_with_keys(line) for line in lines]


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
