"""Read tables with numbers or boxes in their rows, but without words for them in the header.

The words may be in a legend above or below the table: *0 = never, 1 = often*. Without words, the numbers
remain the answers, and the report asks for words (`surveys.imports.drafts.number_words`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import CODES, LEFT, SourceLine
from surveys.imports.tables.header_tables import codes_of, item_of, points_of_row, row_width
from surveys.imports.words.legends import legend_of
from surveys.imports.words.runs import counts_either_way, runs_of

_LEAST_ROWS: Final = 2
_LEAST_COLUMNS: Final = 3
_NEAR: Final = 3
"""Number of lines above or below a table that are searched for a legend."""
_LAST_BRACKET: Final = re.compile(r"\s?[(（\[]?\s?$")


def read_wordless_tables(lines: Sequence[SourceLine]) -> None:
    """Make lines with the same numbers or boxes behind their items rows of one table, and find their answers.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.
    """
    widths = [0 if line.role else row_width(line) for line in lines]
    places = range(len(lines))
    for run in runs_of(places, lambda at, below: widths[at] == widths[below] and not lines[below].has_gap):
        if widths[run.start] >= _LEAST_COLUMNS and len(run) >= _LEAST_ROWS:
            _read_table(lines, run.start, run.stop, widths[run.start])


def _read_table(lines: Sequence[SourceLine], start: int, end: int, width: int) -> None:
    rows = lines[start:end]
    stated: list[list[int | None]] = [points_of_row(row, width) for row in rows]
    top = start
    above: list[int | None] = [*codes_of(lines[start - 1])] if start else []
    if len(above) == width:
        top = start - 1
    codes = above if len(above) == width else stated[0]
    if not _count(codes) or any(each != codes for each in stated if each):
        return
    labels = _words_of(lines, top, end, codes) or [str(code) for code in codes]
    if top < start:
        lines[top].give(LEFT)
        lines[top].topic = CODES
    for row in rows:
        row.body = item_of(row)
        row.become_row(labels, [*codes])


def _count(codes: Sequence[int | None]) -> bool:
    """Return whether codes count up from 0 or 1, or down to 0 or 1."""
    numbers = [code for code in codes if code is not None]
    return len(numbers) == len(codes) and counts_either_way(numbers) and min(numbers) < 2


def _words_of(lines: Sequence[SourceLine], top: int, end: int, codes: Sequence[int | None]) -> list[str]:
    """Return the words for the codes of a table, or none; assign roles to the lines that contain them."""
    around = [*range(top - 1, max(top - 1 - _NEAR, -1), -1), *range(end, min(end + _NEAR, len(lines)))]
    for place in around:
        line = lines[place]
        legend = None if line.role else legend_of(line.text)
        if legend is None or sorted(legend.points) != sorted(code for code in codes if code is not None):
            continue
        stem = _LAST_BRACKET.sub("", legend.before)
        is_stem = bool(stem) and place < top
        line.become_scale(legend.labels, topic="stem" if is_stem else "steps")
        line.mark, line.body = None, stem if is_stem else ""
        named = dict(zip(legend.points, legend.labels, strict=True))
        return [named[code] for code in codes if code is not None]
    return []
