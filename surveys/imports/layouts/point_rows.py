"""Rows of points below a table of items: *Points | 0 | 1 | 2*, and *Points of item 3 | 2 | 1 | 0*.

Each becomes a line about the score with the answers at the head of their columns: *Score: Points: no=0*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.cues import pattern_of
from surveys.imports.words.patterns import LETTER, POINTS
from surveys.imports.words.runs import repeats

_SIGNS: Final = ("\t", "|")
_POINTS: Final = re.compile(r"-?\d{1,2}")
_NAMED: Final = re.compile(
    rf"(?:{POINTS}|{pattern_of('scoring').pattern}|[^\W\d_]{{3,6}}punkte?)(?![^\W\d_㐀-鿿])", re.IGNORECASE
)
"""A word for points at the beginning of a row."""
_LEAST: Final = 2


def write_point_rows(lines: Sequence[str]) -> list[str]:
    """Return lines in which a row of points below a table names the answers of its columns.

    Examples
    --------
    >>> lines = ["\\tno\\tso-so\\tyes", "1. I rest", "Points\\t0\\t1\\t2", "Points item 1\\t2\\t1\\t0"]
    >>> write_point_rows(lines)[2:]
    ['Score: Points: no=0, so-so=1, yes=2', 'Score: Points item 1: no=2, so-so=1, yes=0']
    """
    found = [*lines]
    for sign in _SIGNS:
        cells = [[cell.strip() for cell in line.split(sign)] for line in lines]
        for at, own in enumerate(cells):
            places = [place for place, cell in enumerate(own) if _POINTS.fullmatch(cell)]
            name = " ".join(filter(None, own[: places[0]])) if len(places) >= _LEAST else ""
            if (
                not _NAMED.match(name)
                or places != [*range(places[0], places[-1] + 1)]
                or any(own[places[-1] + 1 :])
            ):
                continue
            # A row directly below the header is a part of it.
            labels = _labels_above(cells[:at], places) if at and not _heads(cells[at - 1], places) else []
            stated = (f"{label}={own[place]}" for label, place in zip(labels, places, strict=False))
            found[at] = f"Score: {name}: {', '.join(stated)}" if labels else found[at]
    return found


def _labels_above(cells: Sequence[Sequence[str]], places: Sequence[int]) -> list[str]:
    """Return the answers in the nearest row that has different words at these places; empty without one."""
    own = next((row for row in reversed(cells) if _heads(row, places)), [])
    return [own[place] for place in places] if own else []


def _heads(row: Sequence[str], places: Sequence[int]) -> bool:
    """Return whether a row has different words at some places."""
    labels = [row[place] for place in places if place < len(row)]
    return len(labels) == len(places) and all(map(LETTER.search, labels)) and not repeats(labels)
