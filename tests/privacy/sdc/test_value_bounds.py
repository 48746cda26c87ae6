from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.sdc.sequential_release import cross, swap_bounds, value_bounds
from tests.privacy.sdc.test_sequential_release import possible_by_assignment, release


def test_what_tightening_one_sum_at_a_time_misses_is_solved_exactly():
    """Five people; only all sums at once show that the first has value v0."""
    rows = [(0, -1, "v0"), (1, 1, "v1"), (1, 0, "v0"), (0, 0, "v1"), (0, 1, "v0")]
    first = [(f"p{place}", row[0], row[2]) for place, row in enumerate(rows)]
    second = [(f"p{place}", row[1], row[2]) for place, row in enumerate(rows) if row[1] >= 0]
    earlier, later = (release(*zip(*part, strict=True)) for part in (first, second))
    assert possible_by_assignment(earlier, later)["p0"] == {"v0"}
    leak = next(one for one in cross(earlier, later, k=1, l_value=2).leaks if one.respondents == ("p0",))
    assert leak.values == ("v0",)


def alike(first, second, truth):
    """Every way of giving values to positions that publishes the same two releases."""
    n_values = truth.shape[1]
    choices = [
        np.array([row for row in product(range(total + 1), repeat=n_values) if sum(row) == total])
        for total in truth.sum(axis=1).tolist()
    ]
    each = np.indices([len(choice) for choice in choices]).reshape(len(choices), -1)
    ways = np.stack([choice[which] for choice, which in zip(choices, each, strict=True)], axis=1)
    # A class publishes the sum over its positions, and nothing about absent people.
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
def test_exchanges_reach_only_what_the_two_releases_leave_open(table):
    first, second, truth = arrays(table)
    every = alike(first, second, truth)
    low, high = swap_bounds(first, second, truth)
    assert (every.min(axis=0) <= low).all()
    assert (low <= truth).all()
    assert (truth <= high).all()
    assert (high <= every.max(axis=0)).all()


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(tables)
def test_bounds_are_exact_where_small_and_never_too_wide_where_large(table):
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
    low, high = value_bounds(*known, small=0)
    assert (low >= every.min(axis=0)).all()
    assert (high <= every.max(axis=0)).all()


def test_two_people_of_one_class_in_both_releases_can_have_changed_places():
    """Four people; crossed classes; the two values go round the square of four positions."""
    first, second = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    truth = np.array([[1, 0], [0, 1], [0, 1], [1, 0]])
    low, high = swap_bounds(first, second, truth)
    assert low.tolist() == [[0, 0]] * 4
    assert high.tolist() == [[1, 1]] * 4


def test_people_who_left_change_places_with_people_who_came():
    first, second = np.array([0, 0, -1]), np.array([-1, 0, 0])
    truth = np.array([[1, 0], [0, 1], [1, 0]])
    assert swap_bounds(first, second, truth)[1].tolist() == [[1, 1], [1, 1], [1, 1]]
