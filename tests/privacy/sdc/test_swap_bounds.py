import numpy as np
import pytest
from hypothesis import given, settings

from privacy.sdc.swap_bounds import swap_bounds
from tests.privacy.sdc.test_value_bounds import alike, arrays, tables


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(tables)
def test_swap_bounds_lie_within_the_possible_values(table):
    first, second, truth = arrays(table)
    every = alike(first, second, truth)
    low, high = swap_bounds(first, second, truth)
    assert (every.min(axis=0) <= low).all()
    assert (low <= truth).all()
    assert (truth <= high).all()
    assert (high <= every.max(axis=0)).all()


def test_swaps_around_crossed_classes_are_possible():
    """Four people are in crossed classes, so the two values can rotate around a square of positions."""
    first, second = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    truth = np.array([[1, 0], [0, 1], [0, 1], [1, 0]])
    low, high = swap_bounds(first, second, truth)
    assert low.tolist() == [[0, 0]] * 4
    assert high.tolist() == [[1, 1]] * 4


def test_departed_and_new_respondents_can_swap_values():
    first, second = np.array([0, 0, -1]), np.array([-1, 0, 0])
    truth = np.array([[1, 0], [0, 1], [1, 0]])
    assert swap_bounds(first, second, truth)[1].tolist() == [[1, 1], [1, 1], [1, 1]]
