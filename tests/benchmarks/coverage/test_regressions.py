"""Coverage of regressions: the simulated surveys have the stated truth, and intervals have their level."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.coverage.rare import rare_coverage_page, rare_coverage_records
from benchmarks.coverage.regressions import (
    COVARIATES,
    KINDS,
    RegressionSurvey,
    regression_coverage,
    regression_grid,
)
from benchmarks.coverage.rules import coverage, rare_grid
from privacy.regression.regression import regress
from tests.statistics import POWER, binomial_power, binomial_range

SURVEYS = [RegressionSurvey(kind=kind, n=4_000, p=0.7, share=0.3, k=0.2) for kind in KINDS]


@pytest.mark.parametrize("survey", SURVEYS, ids=KINDS)
def test_expected_reports_recover_the_coefficients(survey: RegressionSurvey) -> None:
    shown = survey.shown
    assert shown.sum() == pytest.approx(1)
    strengths, cells, reports = shown.shape
    fitted = regress(
        survey.answers,
        np.tile(COVARIATES, (strengths, 1)),
        ["constant", "woman", "age"],
        100_000 * shown.reshape(-1, reports),
        group=np.repeat(np.arange(strengths), cells),
    )
    truth = survey.truth
    for line in fitted.corrected.table():
        if line.equation == "response":
            assert line.value == pytest.approx(truth[line.term], abs=1e-8)


def test_the_difference_equals_that_of_the_sexes_shares() -> None:
    """At the mean age, 30% of men have the item, and the odds of women are e^.7 times theirs."""
    truth = RegressionSurvey(kind="response", n=1_000, p=0.5, share=0.3).truth
    odds = np.exp(truth["constant"] + truth["age"] * np.array([-1, 0, 1]))
    men, women = odds / (1 + odds), odds * np.exp(0.7) / (1 + odds * np.exp(0.7))
    assert truth["difference of women and men"] == pytest.approx((women - men).mean())


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS, ids=KINDS)
def test_regression_intervals_reach_nominal_coverage(survey: RegressionSurvey) -> None:
    repetitions = 500
    low, high = binomial_range(repetitions, 0.935)[0], binomial_range(repetitions, 0.965)[1]
    assert binomial_power(repetitions, 0.935, -0.12) > POWER
    for point in regression_coverage(survey, repetitions=repetitions, rng=np.random.default_rng(3)):
        assert point.refused == 0
        assert low <= point.held * repetitions <= high, point


def test_surveys_that_are_too_small_are_always_refused() -> None:
    small = replace(SURVEYS[0], n=100, p=0.3, k=0.0)
    for point in regression_coverage(small, repetitions=20, rng=np.random.default_rng(3)):
        assert point.refused > 0.9


def test_the_regression_grid_has_every_kind_and_both_strengths() -> None:
    surveys = list(regression_grid())
    assert len(surveys) == len(set(surveys)) == 60
    assert {survey.kind for survey in surveys} == set(KINDS)
    assert {survey.n for survey in surveys} == {1_000, 3_000, 10_000}
    assert {survey.k for survey in surveys} == {0.0, 0.2}


def test_the_rare_grid_has_rare_items_and_few_people() -> None:
    surveys = list(rare_grid())
    assert len(surveys) == 48
    assert {survey.n for survey in surveys} == {100, 200, 500}
    assert {survey.protected[0] for survey in surveys} == {0.01, 0.02, 0.03, 0.04}
    assert all(survey.joint.min() >= 0 for survey in surveys)


@pytest.mark.soak
def test_printed_lifts_of_rare_items_have_lower_coverage_than_all() -> None:
    """A survey that must get the label: 2% of 200 people at p = .7, simulated 2,000 times.

    If printed intervals had a coverage of .90, the chance of observing .95 or more would be below 1e-6.
    """
    (survey,) = (
        survey
        for survey in rare_grid()
        if (survey.n, survey.protected[0], survey.p, survey.protected[2]) == (200, 0.02, 0.7, 1.0)
    )
    points = coverage(survey, repetitions=2_000, rng=np.random.default_rng(3))
    (lift,) = (point for point in points if point.measure == "lift")
    assert lift.not_estimable > 0.2
    assert lift.held > 0.93
    assert lift.held_estimable < lift.held
    page = rare_coverage_page(
        points, command="python -m benchmarks.coverage", date=datetime.date(2026, 11, 23)
    )
    assert f"| lift | {100 * (1 - lift.not_estimable):.1f} | {100 * lift.held:.1f} |" in page
    assert page.count("\n| 0.7 | ") == 3
    head, *records = rare_coverage_records(points)
    assert [dict(zip(head, record, strict=True))["measure"] for record in records] == [
        "support", "confidence", "lift",
    ]  # fmt: skip
    assert records[2][-2:] == [f"{lift.held:.3f}", f"{lift.held_estimable:.3f}"]
