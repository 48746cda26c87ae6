"""Write the page on coverage for rare items, which counts only estimable intervals."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.coverage.rules import CoveragePoint, markdown_table

MEASURES: Final = ("support", "confidence", "lift")

_SURVEYS: Final = (
    "Surveys: n = 100, 200, 500; a rule from an item that 1 to 4% of the people have to one of 30%, in two "
    "parts with even decoys; p = 1 means not disguised; lift 1 or 1.5. coverage-rare.csv has every point."
)
_READING: Final = (
    "*All* counts every interval, including the whole range (*not estimable*). *Shown* counts those that "
    "a report prints with ends. Whether an interval is printed depends on the same rows as its ends, so "
    "printed intervals of rare items hold the truth less often than 95%. The report labels lifts whose "
    'denominator is within five errors of 0 "shown because estimable".'
)
_HEAD: Final = ("p", "measure", "shown, %", "coverage of all, %", "coverage of shown, %")
_COLUMNS: Final = ("n", "share of the item", "p", "lift", "measure", "shown", "held", "held of shown")


def rare_coverage_page(points: Sequence[CoveragePoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown, with the lowest and highest figures by p and measure."""
    made = f"Made on {date.isoformat()} by `{command}`: {points[0].repetitions} repetitions of each survey."
    title = "# Coverage of printed intervals of rare items"
    return "\n\n".join((title, made, _SURVEYS, _READING, markdown_table(_HEAD, _lines(points)))) + "\n"


def rare_coverage_records(points: Sequence[CoveragePoint]) -> Iterator[list[Any]]:
    """Yield the lines of the CSV file, starting with the header."""
    yield list(_COLUMNS)
    for point in points:
        if point.measure in MEASURES:
            survey = point.survey
            share, _other, lift = survey.protected
            shown = "" if math.isnan(point.held_estimable) else f"{point.held_estimable:.3f}"
            cells = (f"{share:g}", f"{survey.p:g}", f"{lift:g}", point.measure)
            yield [survey.n, *cells, f"{1 - point.not_estimable:.3f}", f"{point.held:.3f}", shown]


def _lines(points: Sequence[CoveragePoint]) -> Iterator[tuple[object, ...]]:
    for p in sorted({point.survey.p for point in points}):
        for measure in MEASURES:
            own = [point for point in points if (point.survey.p, point.measure) == (p, measure)]
            shown = [point.held_estimable for point in own if not math.isnan(point.held_estimable)]
            figures = ([1 - point.not_estimable for point in own], [point.held for point in own], shown)
            yield f"{p:g}", measure, *map(_ends, figures)


def _ends(shares: Sequence[float]) -> str:
    if not shares:
        return "–"
    low, high = (f"{100 * share:.1f}" for share in (min(shares), max(shares)))
    return low if low == high else f"{low} to {high}"
