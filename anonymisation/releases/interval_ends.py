"""Intervals of numbers that a release uses: typed ends, and proposed ones.

Intervals are written as lines of ends, where each line joins intervals of the line above. Numbers below the
first end form one interval, and so do numbers from the last end on::

    18, 25, 35, 50, 65
    18, 35, 65
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

from anonymisation.releases.problems import refuse_all
from privacy.numeric_text import finite_number, number_text
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError

MOST_ENDS: Final = 60
"""Largest number of ends on a line; more would hardly group anything."""

MOST_INTERVAL_LEVELS: Final = 8
_PARTS: Final = 20
"""Approximate number of intervals on the finest proposed level."""

_BETWEEN: Final = re.compile(r"[\s,;\uff0c\uff1b\u3001]+")
"""Blanks, commas and semicolons, also Chinese ones."""

Ends = tuple[tuple[float, ...], ...]


def ends_read(name: str, text: str, least: float, largest: float) -> Ends:
    """Read the ends of a column's intervals.

    Parameters
    ----------
    name : str
    text : str
        One line per level.
    least, largest : float
        Smallest and largest number of the column.

    Raises
    ------
    SurveyError
        ``release.ends_number``: an end is not a number; ``release.ends_order``: a line does not ascend;
        ``release.ends_range``: an end separates no numbers of the column (one below all numbers and one above
        are allowed); ``release.ends_many``, ``release.ends_levels``: too many ends on a line, or too many
        lines; ``release.ends_inside``: a line splits an interval of the line above.

    Examples
    --------
    >>> ends_read("age", "18, 25, 35, 50, 65\\n18 35 65", 17, 90)
    ((18.0, 25.0, 35.0, 50.0, 65.0), (18.0, 35.0, 65.0))
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_INTERVAL_LEVELS:
        raise SurveyError("release.ends_levels", len(lines), name=name, most=MOST_INTERVAL_LEVELS)
    levels: list[tuple[float, ...]] = []
    for row, line in lines:
        ends = tuple(
            _number(name, row, part) for part in _BETWEEN.split(line.strip(" \t,;\uff0c\uff1b\u3001"))
        )
        if len(ends) > MOST_ENDS:
            raise SurveyError("release.ends_many", len(ends), name=name, row=row, most=MOST_ENDS)
        for before, end in pairwise(ends):
            if not before < end:
                raise SurveyError(
                    "release.ends_order", number_text(end), name=name, row=row, before=number_text(before)
                )
        for end in _outside(ends, least, largest):
            raise SurveyError(
                "release.ends_range",
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
                    raise SurveyError("release.ends_inside", number_text(end), name=name, row=row)
        levels.append(ends)
    return tuple(levels)


def _number(name: str, row: int, text: str) -> float:
    number = finite_number(text)
    if number is None:
        raise SurveyError("release.ends_number", text[:40], name=name, row=row)
    return number


def _outside(ends: Sequence[float], least: float, largest: float) -> Iterator[float]:
    """Yield ends that have all numbers on one side, except the one such end that each side may have."""
    below = [end for end in ends if end <= least]
    above = [end for end in ends if end > largest]
    yield from below[:-1]
    yield from above[1:]
    if len(below) + len(above) == len(ends):
        yield from ends


class Span(NamedTuple):
    """Smallest and largest number of a column, and whether all its numbers are whole."""

    least: float
    largest: float
    whole: bool = False


def interval_widths(span: float, *, whole: bool = False) -> tuple[float, ...]:
    """Return round interval widths, each a multiple of the one before; for whole numbers, whole widths.

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


def propose_ends(least: float, largest: float, whole: bool = False) -> str:
    """Propose ends of intervals with the widths of `interval_widths`.

    Examples
    --------
    >>> propose_ends(0, 10).splitlines()[-2:]
    ['0, 4, 8, 12', '0, 8, 16']
    """
    lines = []
    for width in interval_widths(largest - least, whole=whole):
        first, last = math.floor(least / width), math.floor(largest / width) + 1
        # 0.1 is not a binary fraction, so ends are rounded to ten digits.
        ends = (float(f"{position * width:.10g}") for position in range(first, last + 1))
        lines.append(", ".join(map(number_text, ends)))
    return "\n".join(lines)


def numbers_of(columns: Sequence[Mapping[str, Any]], table: ReadTable) -> dict[str, Span]:
    """Return the span of each generalised column of numbers that has at least two different numbers."""
    ranges = {}
    for column in columns:
        if column["role"] == "quasi_identifier" and column["kind"] in ("numeric", "year"):
            numbers = {float(text) for text in table.column(column["name"]).values if text}
            if len(numbers) > 1:
                whole = all(number.is_integer() for number in numbers)
                ranges[column["name"]] = Span(min(numbers), max(numbers), whole)
    return ranges


def ends_texts(texts: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the ends for each column of numbers: the stored text, or a proposal."""
    return {name: texts.get(name) or propose_ends(*span) for name, span in spans.items()}


def typed_ends(texts: Mapping[str, str], spans: Mapping[str, Span]) -> dict[str, str]:
    """Return the ends that the user changed from the proposal, after checking them.

    Raises
    ------
    SurveyError
        The errors of `ends_read`.
    """
    ends = {
        name: text
        for name, text in texts.items()
        if text.strip() and text.split() != propose_ends(*spans[name]).split()
    }
    refuse_all(*(partial(ends_read, name, text, *spans[name][:2]) for name, text in ends.items()))
    return ends


def ends_of(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Ends]:
    """Read the typed ends of columns of numbers.

    Raises
    ------
    SurveyError
        The errors of `ends_read`.
    """
    spans = numbers_of(columns, table)
    return {name: ends_read(name, texts[name], *span[:2]) for name, span in spans.items() if name in texts}
