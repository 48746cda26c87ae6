"""Sampling units add up rows, within strata or not."""

import numpy as np
import pytest

from privacy.estimation.sampling_units import SamplingUnits

MEMBERS = np.array([0, 0, 2, 1, 2])
SCORES = np.array([[1.0, 2.0, 4.0, 8.0, 16.0]])
MASS = np.array([1.0, 1.0, 1.0, 0.0, 2.0])


def test_units_without_weight_are_omitted_unless_there_are_strata() -> None:
    sums, count = SamplingUnits(members=MEMBERS).sums(SCORES, MASS)
    assert sums.tolist() == [[3, 20]]
    assert (count.count, count.strata) == (2, None)
    sums, count = SamplingUnits(members=MEMBERS, strata=np.array([5, 5, 5])).sums(SCORES, MASS)
    assert sums.tolist() == [[3, 8, 20]]
    assert count.count == 3


def test_a_part_keeps_the_numbers_and_sizes_of_strata() -> None:
    units = SamplingUnits(members=MEMBERS, strata=np.array([0, 1, 1])).part(np.array([0, 1]))
    sums, count = units.sums(SCORES[:, :2], MASS[:2])
    assert sums.tolist() == [[3, 0, 0]]
    assert count.degrees == 1


def test_the_variance_of_a_total_is_that_of_r() -> None:
    """Two strata of 3 and 2 units: 3/2 times the spread within the first, 2 times within the second."""
    strata = np.array([0, 0, 0, 1, 1])
    totals = np.array([[1.0, 4.0, 7.0, 2.0, 6.0]])
    _, count = SamplingUnits(members=np.arange(5), strata=strata).sums(totals, np.ones(5))
    assert count.outer(totals.T)[0, 0] == pytest.approx(1.5 * 18 + 2 * 8)
    assert count.inflation(totals[0]) == pytest.approx((1.5 * 18 + 2 * 8) / (totals**2).sum())
    assert count.degrees == 3
