"""Bounds of counts against all assignments that give the same tables."""

from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.sdc.value_bounds import counts_left, value_bounds


def alike(first, second, truth):
    """Return all assignments of values to positions that give the same two releases."""
    n_values = truth.shape[1]
    choices = [
        np.array([row for row in product(range(total + 1), repeat=n_values) if sum(row) == total])
        for total in truth.sum(axis=1).tolist()
    ]
    each = np.indices([len(choice) for choice in choices]).reshape(len(choices), -1)
    ways = np.stack([choice[which] for choice, which in zip(choices, each, strict=True)], axis=1)
    # A class publishes sums over its positions, and nothing about absent people.
    classes = [side == number for side in (first, second) for number in set(side.tolist()) - {-1}]
    sums = np.array(classes, dtype=np.int64)
    return ways[(np.einsum("cp,wpv->wcv", sums, ways) == sums @ truth).all(axis=(1, 2))]


tables = st.dictionaries(
    st.tuples(st.integers(-1, 1), st.integers(-1, 1)).filter(lambda one: one != (-1, -1)),
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)).filter(any),
    min_size=1,
    max_size=5,
)


def arrays(table):
    first, second = (np.array([key[side] for key in table]) for side in (0, 1))
    return first, second, np.array(list(table.values()))


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(tables)
def test_bounds_are_exact_when_small_and_never_too_wide_when_large(table):
    first, second, truth = arrays(table)
    every = alike(first, second, truth)
    counts = []
    for classes in (first, second):
        shown = np.zeros((max(2, classes.max() + 1), truth.shape[1]), dtype=np.int64)
        np.add.at(shown, classes[classes >= 0], truth[classes >= 0])
        counts.append(shown)
    known = (truth.sum(axis=1), first, second, *counts, truth)
    low, high = value_bounds(*known)
    assert (low == every.min(axis=0)).all()
    assert (high == every.max(axis=0)).all()
    with patch("privacy.sdc.value_bounds._SMALL", 0):
        low, high = value_bounds(*known)
    assert (low >= every.min(axis=0)).all()
    assert (high <= every.max(axis=0)).all()


def test_records_left_are_those_of_the_class_less_the_least_of_others():
    """A class of 3 and 2 records has two positions; the third position is in no class."""
    left = counts_left(np.array([0, 0, -1]), np.array([[3, 2]]), np.array([[1, 0], [0, 2], [0, 0]]))
    assert left[:2].tolist() == [[3, 0], [2, 2]]
    assert (left[2] > 1000).all()
