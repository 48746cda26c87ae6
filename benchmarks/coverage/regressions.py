"""Measure the coverage of intervals of regressions, over a grid of surveys."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import scipy

from benchmarks.coverage.rules import RARELY, markdown_table, percent, spread
from privacy.arrays import Array
from privacy.channels import Retention
from privacy.errors import PrivacyError
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import PREDICTOR, regress
from privacy.regression.standardised import Setting, standardised_shares

Kind: TypeAlias = Literal["response", "predictor", "two answers"]

KINDS: Final[tuple[Kind, ...]] = ("response", "predictor", "two answers")
TERMS: Final = ("constant", "woman", "age")
DIFFERENCE: Final = "difference of women and men"

COVARIATES: Final = np.array([[1.0, woman, age] for woman in (0.0, 1.0) for age in (-1.0, 0.0, 1.0)])
"""A constant, two sexes and three ages; each cell has a sixth of the people."""

EFFECTS: Final = {"woman": 0.7, "age": -0.4, PREDICTOR: 0.8}
OF_PREDICTOR: Final = (0.0, -0.5, 0.3)
"""Constant, woman and age in the equation of the disguised predictor, which about 44% of people have."""


@dataclass(frozen=True, kw_only=True)
class RegressionSurvey:
    """One regression in one survey.

    Parameters
    ----------
    kind : {"response", "predictor", "two answers"}
        The disguised variable: the response, a predictor of an open response, or both in one block.
    n : int
    p : float
        Retention probability of the strong disguise.
    share : float
        Share of "yes" to the response among men of middle age without the predictor.
    k : float
        Share of lightly disguised rows, whose retention probability is halfway between p and 1.
    """

    kind: Kind
    n: int
    p: float
    share: float
    k: float = 0.0

    @cached_property
    def answers(self) -> LatentAnswers:
        """The true answers, and how each strength reports them; theta is one half."""
        letters = 4 if self.kind == "two answers" else 2
        strong = Fraction(str(self.p))
        retentions = [Retention.generalised_rr(letters, p) for p in (strong, (1 + strong) / 2)]
        if self.kind == "two answers":
            return LatentAnswers.together(retentions)
        if self.kind == "predictor":
            return LatentAnswers.of(response=None, predictor=retentions)
        return LatentAnswers.of(response=retentions)

    @property
    def truth(self) -> dict[str, float]:
        """True coefficients of the response, and the true standardised difference."""
        coefficients = {"constant": float(scipy.special.logit(self.share)), **EFFECTS}
        if self.kind == "response":
            del coefficients[PREDICTOR]
        by_sex = [
            np.mean([self._shares(np.array([1.0, woman, x[2]]), x)[0] for x in COVARIATES])
            for woman in (0.0, 1.0)
        ]
        return {**coefficients, DIFFERENCE: float(by_sex[1] - by_sex[0])}

    def _shares(self, x: Array, predicted_at: Array) -> tuple[float, float, float, float]:
        """Return the shares of "yes" at x (all, without, with the predictor), and the predictor's share."""
        own = float(scipy.special.logit(self.share)) + EFFECTS["woman"] * x[1] + EFFECTS["age"] * x[2]
        has = (
            0.0 if self.kind == "response" else float(scipy.special.expit(np.dot(OF_PREDICTOR, predicted_at)))
        )
        without, with_it = (
            float(scipy.special.expit(own)),
            float(scipy.special.expit(own + EFFECTS[PREDICTOR])),
        )
        return (1 - has) * without + has * with_it, without, with_it, has

    @cached_property
    def letters(self) -> Array:
        """Probabilities of the true answers in each cell of the covariates."""
        rows = []
        for x in COVARIATES:
            _, without, with_it, has = self._shares(x, x)
            if self.kind == "response":
                rows.append([1 - without, without])
            else:
                rows.append(
                    [(1 - has) * (1 - without), (1 - has) * without, has * (1 - with_it), has * with_it]
                )
        return np.array(rows)

    @property
    def shown(self) -> Array:
        """Joint probabilities of strength, cell and report, shape (strengths, cells, reports)."""
        by_report = np.einsum("grl,cl->gcr", self.answers.channels, self.letters)
        strengths = np.array([1 - self.k, self.k])
        probabilities: Array = by_report * strengths[:, None, None] / len(COVARIATES)
        return probabilities


@dataclass(frozen=True, kw_only=True)
class RegressionPoint:
    """One coefficient, or the standardised difference, in one survey.

    Attributes
    ----------
    survey : RegressionSurvey
    figure : str
        A term of the response's equation, or the standardised difference.
    truth : float
    held : float
        Share of 95% intervals that contain the true value, among regressions that were not refused.
    refused : float
        Share of regressions that were refused.
    repetitions : int
    """

    survey: RegressionSurvey
    figure: str
    truth: float
    held: float
    refused: float
    repetitions: int


def regression_grid() -> Iterator[RegressionSurvey]:
    """Yield the surveys: 48 with one strength, 12 with two.

    >>> len(list(regression_grid()))
    60
    """
    for n, p in product((1_000, 3_000, 10_000), (0.3, 0.5, 0.7, 0.9)):
        for kind in KINDS:
            yield RegressionSurvey(kind=kind, n=n, p=p, share=0.3)
        yield RegressionSurvey(kind="response", n=n, p=p, share=0.1)
        yield RegressionSurvey(kind="response", n=n, p=p, share=0.3, k=0.2)


def regression_coverage(
    survey: RegressionSurvey, *, repetitions: int, rng: np.random.Generator
) -> list[RegressionPoint]:
    """Count how often the 95% intervals of a regression contain the population value."""
    truth, shown = survey.truth, survey.shown
    hits = dict.fromkeys(truth, 0)
    fitted = 0
    for _ in range(repetitions):
        counts = rng.multinomial(survey.n, shown.ravel()).reshape(shown.shape).astype(np.float64)
        intervals = _intervals(survey, counts)
        if intervals is None:
            continue
        fitted += 1
        for figure, (low, high) in intervals.items():
            hits[figure] += low <= truth[figure] <= high
    return [
        RegressionPoint(
            survey=survey,
            figure=figure,
            truth=value,
            held=hits[figure] / fitted if fitted else float("nan"),
            refused=(repetitions - fitted) / repetitions,
            repetitions=repetitions,
        )
        for figure, value in truth.items()
    ]


def _intervals(survey: RegressionSurvey, counts: Array) -> dict[str, tuple[float, float]] | None:
    """Return the interval of each figure; None if the regression is refused."""
    strengths, cells, reports = counts.shape
    group = np.repeat(np.arange(strengths), cells)
    covariates = np.tile(COVARIATES, (strengths, 1))
    rows = counts.reshape(-1, reports)
    sent = rows.sum(axis=1) > 0
    try:
        fitted = regress(survey.answers, covariates[sent], TERMS, rows[sent], group=group[sent])
    except PrivacyError:
        return None
    intervals = {
        line.term: (line.low, line.high) for line in fitted.corrected.table() if line.equation == "response"
    }
    settings = []
    for woman in (0.0, 1.0):
        everybody = covariates[sent].copy()
        everybody[:, 1] = woman
        settings.append(Setting(covariates=everybody))
    women = standardised_shares(fitted.corrected, settings)[1]
    return {**intervals, DIFFERENCE: (women.difference.low, women.difference.high)}


_TAIL: Final = 0.025
_ROUNDING: Final = 1e-9

COLUMNS: Final = ("figure", "truth", "kind", "n", "p", "share", "k", "refused", "held")

_SURVEYS: Final = (
    "Surveys: n = 1,000, 3,000, 10,000; p = .3, .5, .7, .9; all decoys equally likely. A yes/no response "
    "is regressed on sex (.7) and age in three steps (-.4). Either the response, a predictor (.8) of an "
    "open response, or both in one part are disguised. Among men of middle age without the predictor, 30% "
    "say yes; in rows marked .1, 10%. In rows marked k = .2, a fifth of the people are disguised lightly, "
    "halfway between p and 1. Each survey draws its people anew. The figures are the coefficients of the "
    "response and the standardised difference between women and men, with intervals by score tests."
)
_REFUSED: Final = (
    "A regression is refused if its coefficients grow without end, or if its design leaves fewer than ten "
    "rows for a coefficient (n p²; here never). It then has no interval. Surveys in which more than 1% of "
    "the regressions are refused are listed separately, because chance then selects the regressions."
)


def regression_coverage_page(points: Sequence[RegressionPoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    surveys = len({point.survey for point in points})
    repetitions = points[0].repetitions
    made = f"Made on {date.isoformat()} by `{command}`: {surveys} surveys, {repetitions} repetitions of each."
    counted = [point for point in points if point.refused <= RARELY]
    error = math.sqrt(0.95 * 0.05 / repetitions)
    law = scipy.stats.binom(repetitions, 0.95)
    low, high = (float(law.ppf(tail)) / repetitions for tail in (_TAIL, 1 - _TAIL))
    chance = [float(law.cdf(round(low * repetitions) - 1)), float(law.sf(round(high * repetitions)))]
    below = [point for point in counted if point.held < low - _ROUNDING]
    above = [point for point in counted if point.held > high + _ROUNDING]
    by_chance = [f"{share * len(counted):.1f}" for share in chance]
    criterion = (
        f"With {repetitions} repetitions, a coverage of 95% has a Monte Carlo error of {percent(error)} "
        f"points. If every interval has 95% coverage, chance alone puts {by_chance[0]} of the {len(counted)} "
        f"points below {percent(low)}% ({percent(chance[0])}%) and {by_chance[1]} above {percent(high)}% "
        f"({percent(chance[1])}%). Measured: {len(below)} below and {len(above)} above. "
        "`coverage-regressions.csv` has every point."
    )
    tables = markdown_table(
        ("disguised", "n", "points", "mean", "lowest", "highest", "lowest in"), _totals(counted)
    )
    often_refused = markdown_table(
        ("disguised", "n", "p", "share", "k", "refused", "lowest", "highest"), _often_refused(points)
    )
    parts = (
        "# Coverage of the intervals of regressions", made, _SURVEYS, _REFUSED, tables, criterion,
        "Surveys in which more than 1% of the regressions were refused, with the lowest and highest coverage "
        "of those that were not:", often_refused,
    )  # fmt: skip
    return "\n\n".join(parts) + "\n"


def regression_coverage_records(points: Sequence[RegressionPoint]) -> Iterator[list[Any]]:
    """Yield the lines of the CSV file, starting with the header."""
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
        chosen = [
            point for point in counted if kind == "all" or (point.survey.kind, point.survey.n) == (kind, n)
        ]
        held = [point.held for point in chosen]
        worst = min(chosen, key=lambda point: point.held)
        survey = worst.survey
        setting = f"{worst.figure}: p {survey.p:g}, share {survey.share:g}"
        setting += f", k {survey.k:g}" if survey.k else ""
        setting += "" if n else f", {survey.kind} disguised, n {survey.n:,}"
        figures = (percent(sum(held) / len(held)), percent(min(held)), percent(max(held)))
        yield kind, f"{n:,}" if n else "", len(held), *figures, setting


def _often_refused(points: Sequence[RegressionPoint]) -> Iterator[tuple[object, ...]]:
    for survey in dict.fromkeys(point.survey for point in points if point.refused > RARELY):
        own = [point for point in points if point.survey == survey]
        coverages = [point.held for point in own if point.refused < 1]
        numbers = (f"{number:g}" for number in (survey.p, survey.share, survey.k))
        refused = f"{percent(own[0].refused)}%"
        yield survey.kind, f"{survey.n:,}", *numbers, refused, *spread(coverages)[2:]
