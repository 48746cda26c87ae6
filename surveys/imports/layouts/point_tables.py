"""Tables of points with signs between their cells, or with headings between their rows.

Each row gets its answers with their points behind it: *1. I sleep well   Never (2)   Often (0)*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from surveys.imports.words.patterns import LETTER

_SIGNS: Final = (";", "|", "\t")
_POINTS: Final = re.compile(r"-?\d{1,2}")
_NUMBER: Final = re.compile(r"\d{1,3}[.)]?")
_LEAST: Final = 2
"""Fewest rows of a table, and fewest columns of points."""
_NEAR: Final = 3
"""Lines from a header to the first row: a heading may be between."""


def write_points(lines: Sequence[str]) -> list[str]:
    """Return lines with the answers and their points in each row of a table; its header becomes empty.

    A table with tabs is left as it is unless a heading is between its rows.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_points(["Item | Yes | No", "1. Tired? | 1 | 0", "2. Well? | 0 | 1"])
    ['', '1. Tired?   Yes (1)   No (0)', '2. Well?   Yes (0)   No (1)']
    >>> write_points(["No;Item;Never;Often", "Part A;;;", "1;I lie;0;1", "2;I rest;1;0", "0-1 low;;;"])
    ['', 'Part A', '1. I lie   Never (0)   Often (1)', '2. I rest   Never (1)   Often (0)', '0-1 low']
    """
    found = [*lines]
    for sign in _SIGNS:
        cells = [[cell.strip() for cell in line.strip().split(sign)] for line in lines]
        for header, labels, end in _tables_in(cells):
            rows = [at for at in range(header + 1, end) if _n_points(cells[at])]
            between = [lines[at] for at in range(header + 1, end) if at not in rows]
            if sign == "\t" and not any(map(LETTER.search, between)):
                # No heading is between the rows, so later steps read them.
                continue
            found[header] = ""
            for at in rows:
                found[at] = _with_answers(cells[at], labels)
            for at in range(header + 1, len(lines)):
                if sign in lines[at] and not any(cells[at][1:]):
                    # A heading, or a rule, in the first column.
                    found[at] = cells[at][0]
    return found


def _tables_in(cells: Sequence[Sequence[str]]) -> Iterator[tuple[int, list[str], int]]:
    """Yield the header of each table, the labels of its points, and the place behind its last row."""
    place = 0
    while place < len(cells):
        labels = _labels_at(cells, place)
        end = place + 1
        rows = []
        while (
            labels and end < len(cells) and (_n_points(cells[end]) == len(labels) or not any(cells[end][1:]))
        ):
            rows += [end] if _n_points(cells[end]) else []
            end += 1
        if len(rows) >= _LEAST and len({len(cells[at]) for at in rows}) == 1:
            yield place, labels, rows[-1] + 1
            place = rows[-1]
        place += 1


def _labels_at(cells: Sequence[Sequence[str]], header: int) -> list[str]:
    """Return the labels of the columns of points if a line is the header of a table; empty otherwise."""
    first = next((own for own in cells[header + 1 : header + _NEAR] if _n_points(own) >= _LEAST), [])
    count = _n_points(first)
    labels = [*cells[header][-count:]] if count else []
    is_header = not _n_points(cells[header]) and len(cells[header]) in (len(first), count)
    are_names = len({*labels}) == count and all(map(LETTER.search, labels))
    return labels if is_header and are_names else []


def _n_points(cells: Sequence[str]) -> int:
    """Return how many of the last cells are points, behind an item and perhaps its number; 0 for others."""
    points = [*takewhile(_POINTS.fullmatch, reversed(cells))]
    *number, item = cells[: len(cells) - len(points)] or [""]
    is_item = LETTER.search(item) is not None and len(number) < _LEAST
    return len(points) if is_item and all(map(_NUMBER.fullmatch, number)) else 0


def _with_answers(cells: Sequence[str], labels: Sequence[str]) -> str:
    """Return a row as an item with its answers, each with its points in brackets."""
    *number, item = cells[: -len(labels)]
    counted = "".join(f"{each.rstrip('.)')}. " for each in number)
    answers = zip(labels, cells[-len(labels) :], strict=True)
    return f"{counted}{item}" + "".join(f"   {label} ({points})" for label, points in answers)
