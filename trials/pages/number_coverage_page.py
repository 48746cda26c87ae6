"""The page of the coverage of intervals of a number's quantiles and bars."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any, Final

from trials.pages.coverage_page import FAR, NEAR, RARELY, percent
from trials.pages.paper import markdown_table
from trials.studies.number_coverage import NumberPoint

COLUMNS: Final = (
    "figure", "at", "truth", "shape", "mechanism", "epsilon", "skips", "n", "k", "few_rows", "accepted",
    "held", "gaps", "whole",
)  # fmt: skip

_SURVEYS: Final = (
    "The surveys: 30 bins; a bell, a skewed distribution, a bounded one (nobody in the upper half, four"
    " times as many in the lowest tenth), two peaks, and three spikes on a low ground; every mechanism "
    "that tells the bins apart; epsilon 1, 2, 4; n = 1,000 and 10,000; nobody may skip, or a fifth of "
    "the people do; with epsilon 1 also a fifth of the rows that are disguised lightly, with epsilon 2. In "
    "each the quantiles .1, .25, .5, .75, .9 and all 30 bars."
)
_CRITERION: Final = (
    "Criterion: at most 1 % of the points below 93.5 %, none below 92.5 %, and above 96.5 % only whole "
    "ranges and intervals with gaps. Points with fewer than five rows expected of something that can be"
    ' sent ("few rows") are in the table and counted apart.'
)
_GAPS: Final = (
    "The test holds each value against the share of people below it, one value at a time. A mechanism "
    "with a wide window tells each of these shares by a few of the things that are sent, so "
    "neighbouring ones err by themselves, and far from the quantile one may not be rejected by chance. "
    "What the test accepts then has gaps. The report prints all its parts, which hold the truth as often as "
    "the test; from end to end, gaps included, it would hold it more often. Wider bins, or more answers, "
    "close the gaps."
)


_TOTALS: Final = (
    "figure", "n", "rows", "points", "test: below 93.5 %", "below 92.5 %", "above 96.5 %", "lowest",
    "highest", "end to end: below 93.5 %", "above 96.5 %", "of these with gaps", "whole",
)  # fmt: skip
_BY: Final = (
    "quantiles, n", "mechanism", "epsilon", "test: lowest", "highest", "end to end: lowest", "highest",
    "with gaps", "whole range",
)  # fmt: skip


def number_coverage_page(points: Sequence[NumberPoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    surveys = len({point.survey for point in points})
    made = (
        f"Made on {date.isoformat()} by `{command}`: {surveys} surveys, "
        f"{points[0].repetitions} repetitions of each."
    )
    tables, by_mechanism = (
        markdown_table(_TOTALS, _totals(points)),
        markdown_table(_BY, _by_mechanism(points)),
    )
    outside = [point for point in points if not NEAR[0] <= point.accepted <= NEAR[1]]
    listed = "\n".join(_line(point) for point in outside) or "None."
    return (
        "\n\n".join(
            (
                "# How often the intervals of numbers hold the truth", made, _SURVEYS, _CRITERION, tables,
                _GAPS, by_mechanism, "Points whose test lies outside 93.5–96.5 %, few rows included:", listed,
            )
        )
        + "\n"
    )  # fmt: skip


def number_coverage_records(points: Sequence[NumberPoint]) -> Iterator[list[Any]]:
    """Yield the lines of the CSV file, the header first."""
    yield list(COLUMNS)
    for point in points:
        survey = point.survey
        shares = (point.accepted, point.held, point.gaps, point.whole)
        yield [
            point.figure, f"{point.at:g}", f"{point.truth:.6g}", survey.shape, survey.mechanism,
            f"{survey.epsilon:g}", int(survey.skips), survey.n, f"{survey.k:g}", int(point.few_rows),
            *(f"{share:.4f}" for share in shares),
        ]  # fmt: skip


def _totals(points: Sequence[NumberPoint]) -> Iterator[tuple[object, ...]]:
    sizes = sorted({point.survey.n for point in points})
    for figure in ("quantile", "bar"):
        for n in sizes:
            for few in (False, True):
                own = [
                    point
                    for point in points
                    if (point.figure, point.survey.n, point.few_rows) == (figure, n, few)
                ]
                if not own:
                    continue
                tests = [point.accepted for point in own]
                above = [point for point in own if point.held > NEAR[1]]
                yield (
                    figure, f"{n:,}", "few" if few else "counted", len(own), _below(tests, NEAR[0]),
                    _below(tests, FAR[0]), sum(share > NEAR[1] for share in tests), percent(min(tests)),
                    percent(max(tests)), _below([point.held for point in own], NEAR[0]), len(above),
                    sum(point.gaps > RARELY for point in above), sum(point.whole > RARELY for point in above),
                )  # fmt: skip


def _by_mechanism(points: Sequence[NumberPoint]) -> Iterator[tuple[object, ...]]:
    own = [point for point in points if point.figure == "quantile"]
    for n, mechanism, epsilon in dict.fromkeys(
        (point.survey.n, point.survey.mechanism, point.survey.epsilon) for point in own
    ):
        some = [
            point
            for point in own
            if (point.survey.n, point.survey.mechanism, point.survey.epsilon) == (n, mechanism, epsilon)
        ]
        tests, between_ends = [point.accepted for point in some], [point.held for point in some]
        gaps, whole = (sum(getattr(point, name) for point in some) / len(some) for name in ("gaps", "whole"))
        figures = (min(tests), max(tests), min(between_ends), max(between_ends), gaps, whole)
        yield f"{n:,}", mechanism, f"{epsilon:g}", *map(percent, figures)


def _line(point: NumberPoint) -> str:
    survey = point.survey
    what = f"quantile {point.at:g}" if point.figure == "quantile" else f"bar {point.at:g}"
    skips = "with skips" if survey.skips else "without skips"
    few = ", few rows" if point.few_rows else ""
    return (
        f"- {percent(point.accepted)} %: {what}, {survey.shape}, {survey.mechanism}, "
        f"epsilon {survey.epsilon:g}, {skips}, n = {survey.n:,}{few}"
    )


def _below(shares: Sequence[float], limit: float) -> int:
    return sum(share < limit for share in shares)
