"""Errors of few clusters and of rows with unequal weights."""

import math

import numpy as np
import pytest

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
