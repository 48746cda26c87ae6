"""The coverage of rules, counted by testing the truth, agrees with the intervals themselves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from benchmarks.coverage.rules import LIMIT, Survey, coverage, grid, sample_cells
from privacy.estimation.estimating_equation import MEASURES
from privacy.estimation.intervals import inversion_intervals
from privacy.estimation.moments import Scores
from tests.statistics import POWER, binomial_power, binomial_range

ONE_BLOCK = Survey(
    n=800, blocks=1, p=0.5, theta=0.6, k=0.2, protected=(0.3, 0.4, 1.3), direct=(0.2, 0.3, 1.5)
)
SURVEYS = [
    Survey(n=500, blocks=2, p=0.3, theta=0.5, k=0.0, protected=(0.1, 0.3, 1.5), direct=(0.1, 0.3, 1.5)),
    ONE_BLOCK,
    replace(ONE_BLOCK, blocks=2, light=0.85),
    replace(ONE_BLOCK, n=3000, p=0.6, theta=0.5, asks=(3, 8)),
]


@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS)
@pytest.mark.few("survey1", "survey2", "survey3", why="the others execute nothing more")
def test_testing_the_truth_counts_the_intervals_that_contain_it(survey: Survey) -> None:
    repetitions = 300
    found = coverage(survey, repetitions=repetitions, rng=np.random.default_rng(6))
    cells = sample_cells(survey, repetitions, np.random.default_rng(6))
    intervals = inversion_intervals(MEASURES, Scores.of(cells, "stratified"), 0.95)
    assert pytest.approx(float(chi2.isf(0.05, 1))) == LIMIT
    for point in found:
        interval, true = intervals[point.measure], survey.truth[point.measure]
        held = (interval.low - 1e-9 <= true) & (true <= interval.high + 1e-9)
        assert point.held == pytest.approx(held.mean(), abs=1e-9), point.measure
        # A printed interval contains every value that the test accepts; only whole ranges contain more.
        assert point.accepted <= point.held <= point.accepted + point.not_estimable
        if point.measure in ("confidence", "lift", "conviction"):
            assert point.not_estimable == pytest.approx((~interval.estimable).mean(), abs=1e-9)
    assert any(point.not_estimable > 0 for point in coverage(
        SURVEYS[0], repetitions=300, rng=np.random.default_rng(6)
    ))  # fmt: skip


def test_coverage_with_many_rows_is_nominal() -> None:
    repetitions = 3000
    low, high = binomial_range(repetitions, 0.935)[0], binomial_range(repetitions, 0.965)[1]
    assert binomial_power(repetitions, 0.935, -0.042) > POWER
    survey = replace(SURVEYS[1], n=10_000, blocks=2, p=0.7)
    for point in coverage(survey, repetitions=repetitions, rng=np.random.default_rng(1)):
        assert low <= point.held * repetitions <= high, point.measure


def test_the_grid_includes_self_selection_and_lists_each_survey_once() -> None:
    surveys = list(grid())
    assert len(surveys) == len(set(surveys)) == 384 + 144 + 288
    assert {survey.light for survey in surveys[:384]} == {1.0}
    assert {(survey.light, survey.k) for survey in surveys[384:528]} == {(0.85, 0.2)}
    assert {survey.asks for survey in surveys[528:]} == {(3, 8), (4, 10)}
    assert {survey.asks for survey in surveys[:528]} == {None}
    assert {survey.n for survey in surveys[:528]} == {500, 1_000, 2_500, 10_000}
    assert {survey.blocks for survey in surveys} == {1, 2}
    assert all(survey.protected != survey.direct for survey in surveys)
    for survey in surveys:
        assert survey.shown.min() >= 0
        assert survey.shown.sum() == pytest.approx(1)


def test_few_rows_means_under_five_expected_in_a_cell() -> None:
    many, few = (
        Survey(n=n, blocks=1, p=1.0, theta=0.5, k=0.0, protected=(0.1, 0.3, 1.5), direct=(0.1, 0.3, 1.5))
        for n in (500, 100)
    )
    assert many.shown.max() > 0
    # The least likely cell (both items) has 4.5%, that is 22.5 and 4.5 rows.
    assert (many.few_rows, few.few_rows) == (False, True)
