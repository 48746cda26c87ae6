"""Intervals by score tests hold for rare answers, and agree with a separate implementation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import expit, logit

from privacy.channels import Retention
from privacy.estimation.sampling_units import SamplingUnits
from privacy.policy import LARGEST_LOGIT
from privacy.regression.corrected_score import CorrectedLogit
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import regress
from privacy.regression.score_intervals import ScoreTest, Target
from privacy.regression.standardised import Setting, standardised_shares
from tests.fixtures.refusals import refused

P = 0.7
LAW = Retention.unrelated_question(Fraction(7, 10), Fraction(1, 2))
ANSWERS = LatentAnswers.of(response=[LAW])
GROUPS = np.array([[1.0, 0.0], [1.0, 1.0]])


def model(designs: np.ndarray, counts: np.ndarray) -> CorrectedLogit:
    return CorrectedLogit(
        channels=ANSWERS.channels, unbiased=ANSWERS.unbiased, branches=ANSWERS.branches, counts=counts,
        designs=designs[:, None, :], group=np.zeros(len(designs), dtype=np.intp), squares=counts,
    )  # fmt: skip


def accepts(counts: np.ndarray, designs: np.ndarray, factors: np.ndarray, value: float) -> bool:
    test = ScoreTest(model=model(designs, counts), coefficients=np.zeros(len(factors)))
    return test.p_value(test.coefficient(factors), value) >= 0.05


@pytest.mark.parametrize("share", [0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("n", [100, 300])
def test_the_log_odds_of_a_rare_answer_are_covered_in_all_surveys(share: float, n: int) -> None:
    """Exact: the sum over all counts of "yes", those included for which no estimate exists."""
    says_yes = stats.binom(n, P * share + (1 - P) / 2)
    yes = np.arange(n + 1)
    likely = yes[says_yes.pmf(yes) > 1e-7]
    covered = sum(
        says_yes.pmf(k)
        for k in likely
        if accepts(np.array([[n - k, k]], dtype=float), np.ones((1, 1)), np.ones(1), float(logit(share)))
    )
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize(
    ("share", "has_both_ends", "is_near"), [(0.05, False, True), (0.1, True, True), (0.3, True, False)]
)
def test_an_interval_whose_end_is_within_five_errors_of_none_is_labelled(
    share: float, has_both_ends: bool, is_near: bool
) -> None:
    """Of 300 reports P share + .15 are "yes", so the error of the share is about .032."""
    yes = round(300 * (P * share + 0.15))
    fit = regress(ANSWERS, np.ones((1, 1)), ["constant"], np.array([[300.0 - yes, yes]])).corrected
    (line,) = fit.table()
    assert math.isfinite(line.low) == has_both_ends
    assert line.near_no_end == is_near
    assert line.shown_because_estimable == (has_both_ends and is_near)


@pytest.mark.soak
@pytest.mark.parametrize(("share", "other", "sizes"), [(0.05, 0.1, (60, 60)), (0.1, 0.1, (150, 20))])
def test_the_odds_ratio_of_two_groups_is_covered_in_all_surveys(
    share: float, other: float, sizes: tuple[int, int]
) -> None:
    """Exact, over both counts. A Wald interval exists in fewer than 6 of 10 such surveys."""
    value = float(logit(other) - logit(share))
    laws = [stats.binom(n, P * s + (1 - P) / 2) for n, s in zip(sizes, (share, other), strict=True)]
    likely = [[k for k in range(n + 1) if law.pmf(k) > 1e-3] for law, n in zip(laws, sizes, strict=True)]
    covered = total = 0.0
    for first in likely[0]:
        for second in likely[1]:
            chance = laws[0].pmf(first) * laws[1].pmf(second)
            counts = np.array([[sizes[0] - first, first], [sizes[1] - second, second]], dtype=float)
            total += chance
            covered += chance * accepts(counts, GROUPS, np.array([0.0, 1.0]), value)
    assert total > 0.97
    assert covered / total >= 0.93


def by_hand(counts: np.ndarray, slope: float) -> tuple[float, float]:
    """Return the likelihood ratio and the degrees of freedom of a slope, with scipy's own solvers."""
    n = counts.sum(axis=1)
    share = (counts[:, 1] / n - (1 - P) / 2) / P

    def score(constant: float) -> float:
        return float(n @ (share - expit(constant + np.array([0.0, slope]))))

    constant = optimize.brentq(score, -30, 30)
    g = expit(constant + np.array([0.0, slope]))
    weight = n * g * (1 - g)
    direction = np.array([-weight[1] / weight.sum(), 1 - weight[1] / weight.sum()])
    letters = (np.array([0.0, 1.0]) - (1 - P) / 2) / P
    values = ((letters[None, :] - g[:, None]) * direction[:, None]).ravel()
    rows = counts.ravel()

    def negative(tilt: float) -> float:
        return -2 * float(rows @ np.log1p(tilt * values))

    room = (-1 / values.max() + 1e-9, -1 / values.min() - 1e-9)
    ratio = -optimize.minimize_scalar(negative, bounds=room, method="bounded", options={"xatol": 1e-10}).fun
    h = np.abs(direction) / (n @ np.abs(direction))
    squares = n @ h**2
    shrunk = rows @ (values / (1 - np.repeat(h, 2))) ** 2 / (rows @ values**2)
    return ratio / shrunk, float(min(squares**2 / (n @ h**4), 1 / squares - 1))


def test_ends_are_where_a_separate_implementation_rejects() -> None:
    counts = np.array([[260.0, 90.0], [80.0, 40.0]])
    fit = regress(ANSWERS, GROUPS, ["constant", "group"], counts).corrected
    for level in (0.5, 0.95):
        for end in fit.interval(np.array([0.0, 1.0]), level):
            ratio, degrees = by_hand(counts, end)
            assert math.sqrt(ratio) == pytest.approx(stats.t.isf((1 - level) / 2, degrees), abs=1e-3)


def test_log_odds_of_a_share_that_may_be_zero_have_no_lower_end() -> None:
    """Of 200 people 32 say yes, where 30 decoys are expected: the share is .014, at most .09."""
    counts = np.array([[168.0, 32.0]])
    fit = regress(ANSWERS, np.ones((1, 1)), ["constant"], counts).corrected
    (line,) = fit.table()
    assert (line.low, line.basis, line.odds_ratio.basis) == (-math.inf, "at most", "at most")
    assert expit(line.high) == pytest.approx(0.094, abs=0.005)
    (share,) = standardised_shares(fit, [Setting()])
    assert share.share.low == 0
    assert share.share.high == pytest.approx(expit(line.high), abs=1e-4)


def test_a_ratio_of_which_nothing_is_known_is_too_few() -> None:
    counts = np.array([[85.0, 17.0], [85.0, 17.0]])
    line = regress(ANSWERS, GROUPS, ["constant", "group"], counts).corrected.table()[1]
    assert (line.low, line.high) == (-math.inf, math.inf)
    assert line.basis == line.odds_ratio.basis == "too few"


def test_a_value_outside_the_range_ends_the_interval() -> None:
    counts = np.array([[60.0, 40.0]])
    test = ScoreTest(model=model(np.ones((1, 1)), counts), coefficients=np.array([logit(0.25 / 0.7)]))

    def share(b: np.ndarray) -> tuple[float, np.ndarray]:
        g = expit(b)
        return float(g[0]), g * (1 - g)

    low, high = test.interval(Target(at=share, possible=(0.0, 1.0)), 0.07, 0.95)
    # Report shares at which the binomial log likelihood ratio of 40 in 100 is half of t^2 / .99^2, with t of
    # 99 degrees of freedom. A Wald interval ends at .30398, one without the small sample's factor at .30741.
    ends = [(own - 0.15) / 0.7 for own in (0.30542, 0.49987)]
    assert (low, high) == pytest.approx(ends, abs=2e-5)
    # At a share of 0, .15 report yes. The root of the ratio times .99 is 5.99498, where t_99 has p = 3.32e-8.
    above_root = test.interval(Target(at=share, possible=(0.0, 1.0)), 0.07, 1 - 5e-8)
    below_root = test.interval(Target(at=share, possible=(0.0, 1.0)), 0.07, 1 - 2e-8)
    assert 0 == below_root[0] < above_root[0] < 0.01


@pytest.mark.parametrize("level", [0, 1, 1.5])
def test_a_level_that_is_none_is_refused_before_the_search(level: float) -> None:
    test = ScoreTest(model=model(np.ones((2, 1)), np.array([60.0, 40.0])), coefficients=np.zeros(1))

    def never(_: np.ndarray) -> tuple[float, np.ndarray]:
        raise AssertionError("searched")

    with refused("level", level):
        test.interval(Target(at=never, farthest=1.0), 0.1, level)


def test_units_of_one_row_each_test_like_rows() -> None:
    """Both the ratio and its degrees of freedom, which few rows reduce."""
    counts = np.array([[26.0, 9.0], [8.0, 14.0]])
    cells, reports = np.indices((2, 2))
    own = [np.repeat(each.ravel(), counts.ravel().astype(int)) for each in (cells, reports)]
    rows = model(GROUPS[own[0]], np.eye(2)[own[1]])
    factors = np.array([0.0, 1.0])
    grouped = ScoreTest(model=model(GROUPS, counts), coefficients=np.zeros(2))
    single = ScoreTest(
        model=rows, coefficients=np.zeros(2), units=SamplingUnits(members=np.arange(len(own[0])))
    )
    for value in (-1.0, 0.0, 3.0):
        expected = grouped.p_value(grouped.coefficient(factors), value)
        assert single.p_value(single.coefficient(factors), value) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("factors", "spread"), [([1.0, 0.0], 1), ([0.0, 1.0], 0.01), ([3.0, 0.01], 1 / 3)])
def test_a_coefficient_is_sought_as_far_as_logits_go_over_its_column(
    factors: list[float], spread: float
) -> None:
    """The constant is 1 everywhere, and the second column varies by .01."""
    test = ScoreTest(
        model=model(GROUPS * [1, 0.01], np.full((2, 2), 50.0)), coefficients=np.array([2.0, 3.0])
    )
    target = test.coefficient(np.array(factors))
    assert target.farthest == pytest.approx(LARGEST_LOGIT / spread)
    assert target.at(test.coefficients)[0] == 2 * factors[0] + 3 * factors[1]
