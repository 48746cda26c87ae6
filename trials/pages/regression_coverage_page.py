"""The page of the coverage of intervals of regressions."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any, Final

from trials.pages.coverage_page import NEAR, RARELY, percent, spread
from trials.pages.paper import markdown_table
from trials.studies.regression_coverage import RegressionPoint

COLUMNS: Final = ("figure", "truth", "kind", "n", "p", "share", "k", "refused", "held")

_SURVEYS: Final = (
    "The surveys: n = 1,000, 3,000, 10,000; p = .3, .5, .7, .9; the decoys all alike. A yes/no response is "
    "regressed on sex (.7) and age in three steps (-.4). Disguised is the response, a predictor (.8) of an "
    "open response, or both in one part. Of men of middle age without the predictor 30 % say yes; in rows "
    "marked .1, 10 %. In rows marked k = .2 a fifth of the people are disguised lightly, halfway between p "
    "and 1. Each survey draws its people anew. The figures are the coefficients of the response with their "
    "robust errors, and the standardised difference between women and men."
)
_CRITERION: Final = (
    "Criterion: at most 1 % of the points outside 93.5–96.5 %, none outside 92.5–97.5 %. A regression with "
    "fewer than ten expected events for a coefficient, after what the disguise takes, or whose coefficients "
    "grow without end, is refused: it has no interval. Surveys in which more than 1 % of the regressions are "
    "refused are listed and counted apart: chance then chooses which regressions there are."
)


def regression_coverage_page(points: Sequence[RegressionPoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    surveys = len({point.survey for point in points})
    made = (
        f"Made on {date.isoformat()} by `{command}`: {surveys} surveys, "
        f"{points[0].repetitions} repetitions of each."
    )
    counted = [point for point in points if point.refused <= RARELY]
    tables = markdown_table(
        ("disguised", "n", "points", "outside 93.5–96.5 %", "outside 92.5–97.5 %", "lowest", "highest"),
        _totals(counted),
    )
    outside = [point for point in counted if not NEAR[0] <= point.held <= NEAR[1]]
    often_refused = markdown_table(
        ("disguised", "n", "p", "share", "k", "refused", "lowest", "highest"), _often_refused(points)
    )
    parts = (
        "# How often the intervals of regressions hold the truth", made, _SURVEYS, _CRITERION, tables,
        "Points outside 93.5–96.5 %:", "\n".join(_line(point) for point in outside) or "None.",
        "Surveys in which more than 1 % of the regressions were refused, with the lowest and highest share "
        "of the intervals that hold the truth, of the regressions that were not:", often_refused,
    )  # fmt: skip
    return "\n\n".join(parts) + "\n"


def regression_coverage_records(points: Sequence[RegressionPoint]) -> Iterator[list[Any]]:
    """Yield the lines of the CSV file, the header first."""
    yield list(COLUMNS)
    for point in points:
        survey = point.survey
        yield [
            point.figure, f"{point.truth:.6g}", survey.kind, survey.n, f"{survey.p:g}", f"{survey.share:g}",
            f"{survey.k:g}", f"{point.refused:.4f}", "" if point.refused == 1 else f"{point.held:.4f}",
        ]  # fmt: skip


def _totals(counted: Sequence[RegressionPoint]) -> Iterator[tuple[object, ...]]:
    keys = dict.fromkeys((point.survey.kind, point.survey.n) for point in counted)
    for kind, n in (*keys, ("all", 0)):
        own = [
            point.held
            for point in counted
            if kind == "all" or (point.survey.kind, point.survey.n) == (kind, n)
        ]
        if own:
            yield kind, f"{n:,}" if n else "", len(own), *spread(own)


def _often_refused(points: Sequence[RegressionPoint]) -> Iterator[tuple[object, ...]]:
    for survey in dict.fromkeys(point.survey for point in points if point.refused > RARELY):
        own = [point for point in points if point.survey == survey]
        coverages = [point.held for point in own if point.refused < 1]
        numbers = (f"{number:g}" for number in (survey.p, survey.share, survey.k))
        refused = f"{percent(own[0].refused)} %"
        yield survey.kind, f"{survey.n:,}", *numbers, refused, *spread(coverages)[2:]


def _line(point: RegressionPoint) -> str:
    survey = point.survey
    return (
        f"- {percent(point.held)} %: {point.figure}, {survey.kind} disguised, n = {survey.n:,}, "
        f"p = {survey.p:g}, share {survey.share:g}, k = {survey.k:g}"
    )
