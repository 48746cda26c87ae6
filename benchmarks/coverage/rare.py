"""The page of the coverage of what is shown of rare items: the intervals that came out estimable."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.coverage.rules import CoveragePoint, markdown_table

MEASURES: Final = ("support", "confidence", "lift")

_SURVEYS: Final = (
    "The surveys: n of 100, 200 and 500, a rule from an item that 1 to 4 % of the people have to one of "
    "30 %, in two parts of even decoys; p = 1 is not disguised; the lift is 1 or 1.5."
)
_READING: Final = (
    "*All* counts every interval, the whole range (*not estimable*) among them. *Shown* counts "
    "those a report prints with ends. Whether one is printed depends on the same rows as what it says, "
    "so of rare items those that are printed hold the truth less often than 95 of 100 times. The report "
    'labels lifts whose denominator is within five errors of 0 "shown because estimable".'
)
_HEAD: Final = (
    "n",
    "share of the item",
    "p",
    "lift",
    "measure",
    "shown, %",
    "of all hold, %",
    "of shown hold, %",
)


def rare_coverage_page(points: Sequence[CoveragePoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    made = f"Made on {date.isoformat()} by `{command}`: {points[0].repetitions} repetitions of each survey."
    title = "# How often printed intervals of rare items hold the truth"
    return "\n\n".join((title, made, _SURVEYS, _READING, markdown_table(_HEAD, _lines(points)))) + "\n"


def _lines(points: Sequence[CoveragePoint]) -> Iterator[tuple[object, ...]]:
    for point in points:
        if point.measure not in MEASURES:
            continue
        survey = point.survey
        share, _other, lift = survey.protected
        shown = "–" if math.isnan(point.held_estimable) else f"{100 * point.held_estimable:.1f}"
        yield (
            survey.n, f"{share:g}", f"{survey.p:g}", f"{lift:g}", point.measure,
            f"{100 * (1 - point.not_estimable):.1f}", f"{100 * point.held:.1f}", shown,
        )  # fmt: skip
