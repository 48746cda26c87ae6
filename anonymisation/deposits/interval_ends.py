"""Ends of the intervals that numbers fall into, as text: a line for each level, fine levels first.

Each line joins intervals of the line above. Numbers below the first end fall together, and so do those from
the last end on::

    18, 25, 35, 50, 65
    18, 35, 65
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from privacy.sdc.table import finite_number, number_text
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable

__all__ = [
    "MOST_ENDS",
    "MOST_LEVELS",
    "Ends",
    "Span",
    "ends_of",
    "ends_proposed",
    "ends_read",
    "ends_texts",
    "ends_written",
    "interval_widths",
    "numbers_of",
]

MOST_ENDS: Final = 60
"""Of a line: finer than that nothing is grouped."""
MOST_LEVELS: Final = 8
_PARTS: Final = 20
"""A numeric column is cut into about so many intervals, then into fewer and wider ones."""
_BETWEEN: Final = re.compile(r"[\s,;\uff0c\uff1b\u3001]+")
"""Blanks, commas and semicolons, also those of Chinese."""

Ends = tuple[tuple[float, ...], ...]


def ends_read(name: str, text: str, least: float, largest: float) -> Ends:
    """Read the ends of a column's intervals.

    Parameters
    ----------
    name : str
    text : str
        A line for each level.
    least, largest : float
        Of the column.

    Raises
    ------
    SurveyError
        ``deposit.ends_number``: something is no number; ``deposit.ends_order``: a line does not ascend;
        ``deposit.ends_range``: an end that parts no two numbers of the column, where one of them below all
        numbers and one above is free; ``deposit.ends_many``, ``deposit.ends_levels``: too many of a line, or
        too many lines; ``deposit.ends_inside``: a line cuts an interval of the line above.

    Examples
    --------
    >>> ends_read("age", "18, 25, 35, 50, 65\\n18 35 65", 17, 90)
    ((18.0, 25.0, 35.0, 50.0, 65.0), (18.0, 35.0, 65.0))
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LEVELS:
        raise SurveyError("deposit.ends_levels", len(lines), name=name, most=MOST_LEVELS)
    levels: list[tuple[float, ...]] = []
    for row, line in lines:
        ends = tuple(
            _number(name, row, part) for part in _BETWEEN.split(line.strip(" \t,;\uff0c\uff1b\u3001"))
        )
        if len(ends) > MOST_ENDS:
            raise SurveyError("deposit.ends_many", len(ends), name=name, row=row, most=MOST_ENDS)
        for before, end in pairwise(ends):
            if not before < end:
                raise SurveyError(
                    "deposit.ends_order", number_text(end), name=name, row=row, before=number_text(before)
                )
        for end in _outside(ends, least, largest):
            raise SurveyError(
                "deposit.ends_range",
                number_text(end),
                name=name,
                row=row,
                least=number_text(least),
                largest=number_text(largest),
            )
        if levels:
            above = set(levels[-1])
            for end in ends:
                if least < end <= largest and end not in above:
                    raise SurveyError("deposit.ends_inside", number_text(end), name=name, row=row)
        levels.append(ends)
    return tuple(levels)


def _number(name: str, row: int, text: str) -> float:
    number = finite_number(text)
    if number is None:
        raise SurveyError("deposit.ends_number", text[:40], name=name, row=row)
    return number


def _outside(ends: Sequence[float], least: float, largest: float) -> Iterator[float]:
    """Yield the ends that part nothing: an interval before the second such end, or after, has no number."""
    below = [end for end in ends if end <= least]
    above = [end for end in ends if end > largest]
    yield from below[:-1]
    yield from above[1:]
    if len(below) + len(above) == len(ends):
        yield from ends


class Span(NamedTuple):
    """Least and largest number of a column, and whether all its numbers are whole."""

    least: float
    largest: float
    whole: bool = False


def interval_widths(span: float, *, whole: bool = False) -> tuple[float, ...]:
    """Return widths that people count in, each a multiple of the one before; whole numbers have whole ones.

    Examples
    --------
    >>> interval_widths(73.0)
    (5.0, 10.0, 20.0, 40.0)
    >>> interval_widths(3.0), interval_widths(3.0, whole=True)
    ((0.2, 0.4, 0.8, 1.6), (1.0, 2.0))
    >>> interval_widths(0.0)
    (1.0,)
    """
    if span <= 0:
        return (1.0,)
    step = 1.0
    while step * _PARTS < span:
        step *= 10
    while step * _PARTS >= 10 * span:
        step /= 10
    first = next(step * part / 10 for part in (1, 2, 5, 10) if step * part / 10 * _PARTS >= span)
    widths = [max(first, 1.0) if whole else first]
    while widths[-1] * 2 < span:
        widths.append(widths[-1] * 2)
    return tuple(widths)


def ends_proposed(least: float, largest: float, whole: bool = False) -> str:
    """Propose ends: those between intervals of `interval_widths`.

    Examples
    --------
    >>> ends_proposed(0, 10).splitlines()[-2:]
    ['0, 4, 8, 12', '0, 8, 16']
    """
    lines = []
    for width in interval_widths(largest - least, whole=whole):
        first, last = math.floor(least / width), math.floor(largest / width) + 1
        # A step of 0.1 is no binary fraction: what is written is rounded to what is meant.
        ends = (float(f"{position * width:.10g}") for position in range(first, last + 1))
        lines.append(", ".join(map(number_text, ends)))
    return "\n".join(lines)


def numbers_of(columns: Sequence[Mapping[str, Any]], table: ReadTable) -> dict[str, Span]:
    """Return least and largest number of each generalised column of numbers that has two different ones."""
    ranges = {}
    for column in columns:
        if column["role"] == "quasi_identifier" and column["kind"] in ("numeric", "year"):
            numbers = {float(text) for text in table.column(column["name"]).values if text}
            if len(numbers) > 1:
                whole = all(number.is_integer() for number in numbers)
                ranges[column["name"]] = Span(min(numbers), max(numbers), whole)
    return ranges


def ends_texts(stored: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the ends of each column of numbers as written before, or as proposed."""
    return {name: stored.get(name) or ends_proposed(*span) for name, span in spans.items()}


def ends_written(texts: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the typed ends, checked: neither empty nor as proposed.

    Raises
    ------
    SurveyError
        As `ends_read`.
    """
    written = {
        name: text
        for name, text in texts.items()
        if text.strip() and text.split() != ends_proposed(*spans[name]).split()
    }
    for name, text in written.items():
        ends_read(name, text, *spans[name][:2])
    return written


def ends_of(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Ends]:
    """Read the typed ends of columns of numbers.

    Raises
    ------
    SurveyError
        As `ends_read`.
    """
    spans = numbers_of(columns, table)
    return {name: ends_read(name, texts[name], *span[:2]) for name, span in spans.items() if name in texts}
