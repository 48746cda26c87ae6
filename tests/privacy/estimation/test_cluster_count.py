"""Errors of few clusters and of rows with unequal weights."""

import math

import numpy as np
import pytest
from scipy import stats

from privacy.estimation.cluster_count import ClusterCount, threshold_of
from privacy.levels import chi_square_quantile, t_quantile


def test_equal_clusters_have_g_minus_one_degrees() -> None:
    count = ClusterCount.of(np.full(12, 3.0))
    assert (count.count, count.effective, count.degrees) == (12, 12.0, 11.0)
    residuals = np.arange(12) - 5.5
    assert count.inflation(residuals) == pytest.approx((12 / 11) ** 2)
    assert threshold_of(0.95, count, residuals) == pytest.approx((t_quantile(0.95, 11) * 12 / 11) ** 2)
    assert threshold_of(0.95, None, residuals) == chi_square_quantile(0.95)


def test_a_row_that_dominates_leaves_no_information() -> None:
    """One weight of 1e9 gave -.3333 with an error of .0000002."""
    count = ClusterCount.of(np.array([1e9, *[1.0] * 99]))
    assert count.effective == pytest.approx(1, abs=1e-6)
    assert count.degrees == 1
    assert count.inflation(np.array([1e3, *[-10.0] * 99])) > 1e10


def test_degrees_follow_the_fourth_powers() -> None:
    weights = np.random.default_rng(3).lognormal(sigma=1, size=200)
    shares = weights / weights.sum()
    count = ClusterCount.of(weights)
    assert count.degrees == pytest.approx((shares**2).sum() ** 2 / (shares**4).sum())
    assert count.degrees < count.effective - 1
    assert count.p_value(3.84, weights - weights.mean()) > 0.05


def test_clusters_without_weight_or_residuals_say_nothing() -> None:
    nobody = ClusterCount.of(np.array([-1.0, 0.0]))
    assert (nobody.effective, nobody.degrees) == (1.0, 1.0)
    assert ClusterCount.of(np.array([1.0])).inflation(np.zeros(1)) == math.inf


def test_the_p_value_is_that_of_t_with_an_inflated_variance() -> None:
    """Four equal clusters with residuals 3, -1, -1, -1: the variance is (4/3)^2 times as large."""
    count, residuals = ClusterCount.of(np.ones(4)), np.array([3.0, -1, -1, -1])
    assert count.inflation(residuals) == pytest.approx(16 / 9)
    assert count.p_value(4.0, residuals) == pytest.approx(2 * stats.t.sf(math.sqrt(4 / (16 / 9)), 3))


def test_covariances_of_totals_are_those_of_cluster_sums() -> None:
    """n/(n - 1) = 4/3 times the sums of squares 12 and 14, and of products 3 - 2 + 3 = 4."""
    count = ClusterCount.of(np.ones(4))
    assert count.factor == pytest.approx(4 / 3)
    sums = np.array([[3.0, 1], [-1, 2], [-1, -3], [-1, 0]])
    assert count.outer(sums) == pytest.approx(4 / 3 * np.array([[12, 4], [4, 14]]))


def test_spread_within_strata_by_hand() -> None:
    """1 and 3 deviate by 1 from 2: 2/1 (1 + 1) = 4. 0, 3 and 6 deviate by 3: 3/2 (9 + 9) = 27."""
    count = ClusterCount.of(np.ones(5), np.array([0, 0, 1, 1, 1]))
    assert count.outer(np.array([[1.0], [3.0], [0.0], [3.0], [6.0]])).tolist() == [[31.0]]
    assert count.degrees == 3
    residuals = np.array([1.0, 3.0, 0.0, 3.0, 6.0])
    assert count.inflation(residuals) == pytest.approx(31 / 55)


def test_without_residuals_the_factor_is_that_of_equal_clusters() -> None:
    assert ClusterCount.of(np.ones(2)).inflation(np.zeros(2)) == 2
    assert ClusterCount.of(np.ones(5)).inflation(np.zeros(5)) == 1.25
    assert ClusterCount.of(np.ones(1)).inflation(np.zeros(1)) == math.inf
