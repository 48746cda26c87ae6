"""Reliability from two halves: the formula, the interval, and its coverage."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import scipy

from privacy.errors import PrivacyError
from privacy.estimation.paired_reports import PairedReports
from privacy.estimation.reliability import (
    _report_shares,
    columns_of_halves,
    half_items,
    other_half,
    profile,
    quadrants,
    reliability_of,
    spearman_brown,
    split_half_reliability,
)
from privacy.levels import chi_square_quantile
from tests.privacy.estimation.test_paired_reports import HALVES, counted

TRUE = 0.85


def reports(
    n: int,
    *,
    share: float = 0.3,
    p: float = 0.6,
    skip: float = 0.0,
    skips: float = 0.0,
    reliability: float = TRUE,
) -> PairedReports:
    """Return expected reports of two halves above whose cut-offs this share of people is."""
    correlation = TRUE / (2 - TRUE)
    cut = np.array([-scipy.special.ndtri(share)])
    cells = quadrants(cut, cut, np.array([correlation]))[0]
    decoys = np.array([*[(1 - skip) / 4] * 4, skip])
    sent = p * np.append((1 - skips) * cells, skips) + (1 - p) * decoys
    return PairedReports(counts=np.rint(n * sent).astype(int)[None], truths=np.array([p]), decoys=decoys)


@pytest.mark.parametrize("skip", [0.0, 0.158])
@pytest.mark.parametrize("share", [0.5, 0.2, 0.05])
def test_expected_reports_give_the_true_reliability(share: float, skip: float) -> None:
    found = reliability_of(reports(10_000_000, share=share, skip=skip, skips=skip / 4))
    assert found.value == pytest.approx(TRUE, abs=0.002)
    assert found.low < TRUE < found.high
    assert found.estimable


def test_without_a_disguise_it_is_the_tetrachoric_correlation_of_the_table() -> None:
    # At the medians the share above both is 1/4 + asin(r) / (2 pi).
    correlation = 0.6
    both = round(100_000 * (1 / 4 + math.asin(correlation) / (2 * math.pi)))
    rest = 50_000 - both
    table = PairedReports(
        counts=np.array([[both, rest, rest, both, 0]]),
        truths=np.array([1.0]),
        decoys=np.array([0.25, 0.25, 0.25, 0.25, 0.0]),
    )
    assert reliability_of(table).value == pytest.approx(spearman_brown(correlation), abs=1e-3)


def test_the_quadrants_are_those_of_the_bivariate_normal_distribution() -> None:
    for h, k, correlation in ((0.0, 0.0, 0.3), (1.2, -0.4, 0.7), (0.0, 1.5, 0.9), (-1.0, -1.0, 0.0)):
        normal = scipy.stats.multivariate_normal(cov=[[1, correlation], [correlation, 1]])
        below = float(normal.cdf([h, k]))
        found = quadrants(np.array([h]), np.array([k]), np.array([correlation]))[0]
        assert found[3] == pytest.approx(below, abs=1e-7)
        assert found.sum() == pytest.approx(1)
        assert found[:2].sum() == pytest.approx(1 - scipy.special.ndtr(h))
        assert found[0] + found[2] == pytest.approx(1 - scipy.special.ndtr(k))


def test_the_profile_is_the_largest_likelihood_that_a_general_optimiser_finds() -> None:
    table = PairedReports(
        counts=np.array([[70, 41, 38, 120, 31]]),
        truths=np.array([0.56]),
        decoys=np.array([*[0.842 / 4] * 4, 0.158]),
    )
    for correlation in (0.0, 0.5, 0.9):

        def lacking(place: Sequence[float], correlation: float = correlation) -> float:
            skips = scipy.special.expit(place[2])
            cells = quadrants(np.array([place[0]]), np.array([place[1]]), np.array([correlation]))[0]
            sent = 0.56 * np.append((1 - skips) * cells, skips) + 0.44 * table.decoys
            return -float(scipy.special.xlogy(table.counts[0], sent).sum())

        starts = [(0.3, 0.3, -3.0), (1.0, 1.0, -1.0)]
        best = min(scipy.optimize.minimize(lacking, start, method="Nelder-Mead").fun for start in starts)
        assert profile(table, np.array([correlation]))[0] == pytest.approx(-best, abs=1e-3)


def test_the_ends_are_where_the_likelihood_ratio_reaches_its_quantile() -> None:
    table = reports(1000)
    found = reliability_of(table)
    correlations = np.array([value / (2 - value) for value in (found.value, found.low, found.high)])
    most, *ends = profile(table, correlations)
    for end in ends:
        assert 2 * (most - end) == pytest.approx(chi_square_quantile(0.95), abs=0.1)
    assert found.standard_error is not None
    assert 0.5 * (found.high - found.low) == pytest.approx(1.96 * found.standard_error, rel=0.25)


def test_halves_that_agree_almost_always_have_a_standard_error() -> None:
    """A step above the largest correlation would leave none."""
    alike = PairedReports(
        counts=np.array([[3000, 200, 200, 3000, 0]]),
        truths=np.array([1.0]),
        decoys=np.array([0.25, 0.25, 0.25, 0.25, 0.0]),
    )
    found = reliability_of(alike)
    assert found.value > 0.99
    assert found.standard_error is not None
    assert 0.5 * (found.high - found.low) == pytest.approx(1.96 * found.standard_error, rel=0.25)


def test_two_strengths_are_fitted_together() -> None:
    strong, light = reports(4000, p=0.3), reports(4000, p=0.7)
    both = PairedReports(
        counts=np.concatenate([strong.counts, light.counts]),
        truths=np.array([0.3, 0.7]),
        decoys=strong.decoys,
    )
    found, alone = reliability_of(both), reliability_of(light)
    assert found.value == pytest.approx(TRUE, abs=0.01)
    assert found.high - found.low < alone.high - alone.low


def test_halves_that_do_not_agree_and_too_few_answers_are_told_apart() -> None:
    opposite = PairedReports(
        counts=np.array([[100, 400, 400, 100, 0]]),
        truths=np.array([0.6]),
        decoys=np.array([0.25, 0.25, 0.25, 0.25, 0.0]),
    )
    found = reliability_of(opposite)
    assert (found.value, found.low, found.estimable) == (0.0, 0.0, True)
    assert found.high < 0.1
    few = reliability_of(reports(40, share=0.05))
    assert (few.low, few.high, few.estimable, few.standard_error) == (0.0, 1.0, False, None)


@pytest.mark.parametrize(("n", "share", "skip"), [(300, 0.3, 0.158), (1000, 0.1, 0.0)])
@pytest.mark.soak
def test_intervals_contain_the_true_reliability(n: int, share: float, skip: float) -> None:
    """Coverage of 120 surveys; docs/estimators.md states that of 800."""
    model = reports(10**9, share=share, skip=skip, skips=skip / 4)
    shares = model.counts[0] / model.n
    rng, surveys, covered = np.random.default_rng(84), 120, 0
    for rows in rng.multinomial(n, shares, size=surveys):
        own = PairedReports(counts=rows[None], truths=model.truths, decoys=model.decoys)
        found = reliability_of(own)
        covered += found.low <= TRUE <= found.high
    # Fewer than 99 has a probability of 1e-6 under a coverage of .95, and of .93 under .75.
    assert covered >= 99


def test_the_question_that_names_its_other_half_has_the_reliability() -> None:
    assert [other_half(HALVES, number) for number in (0, 1)] == [None, 0]
    assert half_items(HALVES, 1) == (0, 1)
    assert len(columns_of_halves(HALVES, 1)) == 5
    counts = counted(HALVES, 0, 1, [0] * 5, [110, 40, 42, 160, 48])
    found = split_half_reliability(counts, HALVES, 1)
    assert 0 < found.low < found.value < found.high <= 1
    with pytest.raises(PrivacyError, match="names no other half"):
        split_half_reliability(counts, HALVES, 0)


@pytest.mark.parametrize("place", [(0.3, -0.8), (0.3, -0.8, -1.2)], ids=["asked", "skipped"])
def test_derivatives_of_the_report_shares_are_those_of_small_steps(place: tuple[float, ...]) -> None:
    given = PairedReports(
        counts=np.array([[9, 8, 7, 6, 5], [4, 3, 2, 1, 9]]), truths=np.array([0.6, 0.9]),
        decoys=np.array([0.3, 0.2, 0.2, 0.1, 0.2]),
    )  # fmt: skip
    places, correlations = np.array([place, place]), np.array([0.5, -0.2])
    shares, slopes = _report_shares(given, places, correlations)
    assert shares.sum(axis=2) == pytest.approx(np.ones((2, 2)), abs=1e-9)
    for number in range(len(place)):
        step = 1e-4 * np.eye(len(place))[number]
        above, below = (_report_shares(given, places + way * step, correlations)[0] for way in (1, -1))
        by_steps = (above - below) / 2e-4
        assert slopes[..., number] == pytest.approx(by_steps, abs=1e-6)
