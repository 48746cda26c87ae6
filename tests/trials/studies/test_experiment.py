"""The source's experiment: errors as its formulas say, and both readings of k."""

import math

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from mining.simulation import study_design
from privacy.errors import PrivacyError
from privacy.risk.budget import budget
from trials.studies.experiment import (
    GRID,
    Conditions,
    Estimator,
    Point,
    expected_error,
    leak,
    standard_error,
    sweep,
)
from trials.studies.mechanisms import GAMMA, MECHANISMS, compare_mechanisms, truth_probability
from trials.studies.pattern_counts import decoys

SOURCE = Conditions()


def points(reading, *, along: str) -> list[Point]:
    found = []
    for place, value in enumerate(GRID):
        p, k = (value, 0.2) if along == "p" else (0.3, value)
        rng = np.random.default_rng([5, place])
        found.append(sweep(SOURCE, p=p, k=k, reading=reading, repetitions=60, rng=rng))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["direct", "disguised"])
@pytest.mark.parametrize("along", ["p", "k"])
def test_the_error_is_the_one_that_the_formulas_give(reading, along) -> None:
    for point in points(reading, along=along):
        # 44 points, five of their standard errors each: a false alarm in forty thousand runs.
        assert abs(point.error - point.expected) <= 5 * point.error_se + 1e-12, point


def test_it_falls_with_p_and_with_k_falls_or_rises_as_k_is_read() -> None:
    by_p = [point.error for point in points("direct", along="p")]
    assert by_p == sorted(by_p, reverse=True)
    assert by_p[-1] == 0
    direct = [point.expected for point in points("direct", along="k")]
    disguised = [point.expected for point in points("disguised", along="k")]
    assert direct == sorted(direct, reverse=True)
    assert disguised == sorted(disguised)
    np.testing.assert_allclose(direct, disguised[::-1], rtol=0.02)


def test_what_cannot_be_estimated_is_said_and_the_rest_of_the_edges_can() -> None:
    rng = np.random.default_rng(1)
    nothing = sweep(SOURCE, p=0, k=0, reading="direct", repetitions=5, rng=rng)
    assert "no information at all" in nothing.problem
    assert math.isnan(nothing.error)
    assert "no information" in sweep(SOURCE, p=0, k=1, reading="disguised", repetitions=5, rng=rng).problem
    for p, k in ((0, 0.2), (0.3, 0), (0.3, 1), (1, 0)):
        assert sweep(SOURCE, p=p, k=k, reading="direct", repetitions=5, rng=rng).problem == ""
    rare = Conditions(prevalences=(0.01, 0.01), support=0.5)
    assert (
        "no itemset is frequent" in sweep(rare, p=0.3, k=0, reading="direct", repetitions=3, rng=rng).problem
    )


def test_repetitions_without_a_direct_row_at_p_0_are_left_out() -> None:
    few = Conditions(n=3, prevalences=(0.9,))
    found = sweep(few, p=0, k=0.2, reading="direct", repetitions=40, rng=np.random.default_rng(1))
    assert found.problem == ""
    assert 0 <= found.error <= 1
    none = sweep(few, p=0, k=1e-9, reading="direct", repetitions=5, rng=np.random.default_rng(1))
    assert "by chance no direct row" in none.problem


def test_the_error_of_a_mean_is_that_of_a_sample_and_one_repetition_has_none() -> None:
    assert standard_error(np.array([1.0, 3.0])) == pytest.approx(1.0)
    assert math.isnan(standard_error(np.array([1.0])))


def test_real_rows_are_taken_as_they_are() -> None:
    rows = Conditions(rows=(500, 200, 100, 200), support=0.1)
    found = sweep(rows, p=1, k=0, reading="direct", repetitions=3, rng=np.random.default_rng(0))
    assert (rows.m, found.frequent, found.error) == (2, 3, 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": 0}, "n = 0 is outside"),
        ({"support": 0.0}, "support = 0 is not above 0"),
        ({"support": 1.5}, "support = 1.5 is outside"),
        ({"theta": -0.1}, "theta = -0.1 is outside"),
    ],
)
def test_impossible_conditions_are_refused(change, said) -> None:
    with pytest.raises(PrivacyError, match=said):
        Conditions(**change)


def test_the_older_model_gives_away_p_times_the_mixed_rows() -> None:
    for p in (0.0, 0.3, 1.0):
        found, error, expected = leak(SOURCE, p, 50, np.random.default_rng(2))
        assert abs(found - expected) <= 5 * error + 1e-12
    assert expected > 0.5


def test_equal_privacy_is_equal_gamma() -> None:
    for m in (2, 4):
        p = truth_probability("unrelated", GAMMA, m, 0.6)
        design = study_design([m], truth_probability=round(10_000 * p), unrelated=6000)
        assert math.exp(budget(design).epsilon) == pytest.approx(GAMMA, rel=1e-3)
        p = truth_probability("gamma-diagonal", GAMMA, m, 0.6)
        q = decoys(m, 0.5)[0]
        assert (p + (1 - p) * q) / ((1 - p) * q) == pytest.approx(GAMMA)
        p = truth_probability("mask", GAMMA, m, 0.6)
        assert (p / (1 - p)) ** m == pytest.approx(GAMMA)


def test_at_equal_privacy_long_itemsets_cost_bit_by_bit_far_more() -> None:
    found = compare_mechanisms(5000, repetitions=60, rng=np.random.default_rng(4))
    error = {(point.mechanism, point.size): point.error for point in found}
    assert set(error) == {(name, size) for name in MECHANISMS for size in (1, 2, 3, 4)}
    assert error["mask", 1] > error["gamma-diagonal", 1]
    assert error["mask", 3] > 2 * error["gamma-diagonal", 3]
    assert all(error["unrelated", size] > error["gamma-diagonal", size] for size in (1, 2))
    for point in found:
        assert 0 <= point.missed_share <= 1
        assert point.false_share >= 0


@pytest.mark.parametrize("light", [1.0, 0.8])
@pytest.mark.parametrize("estimator", ["pooled", "stratified"])
def test_the_expected_error_is_that_of_all_ways_to_group_and_to_answer(
    light: float, estimator: Estimator
) -> None:
    """Six people of whom three have it, two of them direct: every grouping, and every number of matches."""
    n, n_direct, with_it, p, q = 6, 2, 3, 0.4, 0.3
    k, share = n_direct / n, with_it / n
    mean = square = 0.0
    for among in range(n_direct + 1):
        grouped = hypergeom.pmf(among, n, with_it, n_direct)
        sums = []
        for truth, size, has in ((light, n_direct, among), (p, n - n_direct, with_it - among)):
            yes, no = truth + (1 - truth) * q, (1 - truth) * q
            matches = np.convolve(
                binom.pmf(np.arange(has + 1), has, yes), binom.pmf(np.arange(size - has + 1), size - has, no)
            )
            sums.append(matches)
        for direct, protected in np.ndindex(len(sums[0]), len(sums[1])):
            chance = grouped * sums[0][direct] * sums[1][protected]
            if estimator == "pooled":
                a = k * light + (1 - k) * p
                found = ((direct + protected) / n - (1 - a) * q) / a
            else:
                first = (direct / n_direct - (1 - light) * q) / light
                found = k * first + (1 - k) * (protected / (n - n_direct) - (1 - p) * q) / p
            mean, square = mean + chance * found, square + chance * found**2
    exact = square - mean**2
    assert mean == pytest.approx(share)
    # The formula takes people for many: the part that grouping alone makes is larger by n/(n-1).
    error = expected_error(np.array([share]), np.array([q]), p, k, n, estimator=estimator, light=light)
    grouping = k * (1 - k) * share * (1 - share) / (n * (n - 1))
    grouping *= ((light - p) / (k * light + (1 - k) * p)) ** 2 if estimator == "pooled" else 0.0
    assert error**2 * math.pi / 2 + grouping == pytest.approx(exact, rel=1e-12)
