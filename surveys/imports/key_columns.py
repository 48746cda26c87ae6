"""Lists of items with a column that says which are reversed: *PC02;My vote counts;-*.

This module moves the sign in the column to the end of its item, and adds an equals sign to codes before
answers if they count up. Other modules then read both as in other texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines import NumberedLine
from surveys.imports.marks import mark_of
from surveys.imports.patterns import LETTER

_SEPARATORS: Final = (";", "\t", "|")
_KEY: Final = re.compile(r"[^\s\d\w]{0,2}|[A-Za-zА-Яа-я]{1,3}[.)]?|\([^\s()\d]{1,3}\)")
_ANSWER: Final = re.compile(r"\s*(?P<code>\d{1,2})\s?[;|\t]\s?(?P<label>[^\W\d][^;|\t]{0,60})")
_LEAST_ROWS: Final = 3
_CELLS: Final = 3


def write_keys(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return lines in which the sign of a column follows its item.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers.

    Examples
    --------
    >>> write_keys([(1, "q1;I cook.;+"), (2, "q2;I sing.;-"), (3, "q3;I rest.;+"), (4, "1;no"), (5, "2;yes")])
    [(1, 'q1. I cook. +'), (2, 'q2. I sing. -'), (3, 'q3. I rest. +'), (4, '1 = no'), (5, '2 = yes')]
    """
    lines = [line for _number, line in pairs]
    is_found = False
    for sign in _SEPARATORS:
        rows = [[cell.strip() for cell in line.strip(sign).split(sign)] for line in lines]
        start = 0
        while start < len(rows):
            end = start
            while end < len(rows) and len(rows[end]) == _CELLS:
                end += 1
            body = rows[start:end]
            header = not _is_counted(body[:2]) if len(body) > _LEAST_ROWS else False
            items = body[1:] if header else body
            if len(items) >= _LEAST_ROWS and _is_counted(items) and _has_key(items):
                is_found = True
                lines[start:end] = ["" for _row in body[: len(body) - len(items)]] + [
                    f"{code.rstrip('.)')}. {text} {key}".rstrip() for code, text, key in items
                ]
            start = max(end, start + 1)
    if is_found:
        lines = [
            f"{match['code']} = {match['label']}" if (match := _ANSWER.fullmatch(line)) else line
            for line in lines
        ]
    return [(number, line) for (number, _line), line in zip(pairs, lines, strict=True)]


def _is_counted(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first cells count up, and the second cells are texts."""
    marks = [mark_of(f"{row[0].rstrip('.)')}. x")[0] for row in rows]
    are_numbers = all(mark is not None and mark.kind in ("count", "letter") for mark in marks)
    values = [mark.value for mark in marks if mark is not None]
    has_texts = all(LETTER.search(row[1]) and len(row[1].split()) > 1 for row in rows)
    return (
        bool(rows) and are_numbers and has_texts and all(first < second for first, second in pairwise(values))
    )


def _has_key(rows: Sequence[Sequence[str]]) -> bool:
    keys = {row[2] for row in rows}
    return len(keys) > 1 and all(_KEY.fullmatch(key) for key in keys)
