"""Giving each class enough different values."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.sdc.class_repair import best_gift, distinct_together, diversify, nearest_class
from privacy.sdc.generalisation import Space
from privacy.sdc.partition import FAR, box_cost, box_tree, measure_all, members_of, partition_of
from tests.fixtures.partitions import begun, measured
from tests.fixtures.tables import random_space, table_of


def of_places(places, number, values):
    """Return lines, and the measured classes of numbers on one axis, whose costs are their differences."""
    lines = np.array([-1, 100], dtype=np.int32)
    positions = np.array(places, dtype=np.int32)[:, None]
    state = partition_of(np.array(number), np.array(values), positions)
    measure_all(lines, state)
    return lines, state


def total(places, *classes):
    return sum(
        len(each) * (max(places[at] for at in each) - min(places[at] for at in each)) for each in classes
    )


def cheapest_gift(places, values, mine, theirs, size, l_value):
    """Try every gift: join, take each record for nothing, or take it for each record of one's own."""

    def held(records):
        return len({values[record] for record in records})

    before = total(places, mine, theirs)
    ways = []
    if held(mine + theirs) >= l_value:
        ways.append((total(places, mine + theirs) - before, -1, -1))
    for came, went in itertools.product(theirs, [-1, *mine]):
        after = [record for record in mine if record != went] + [came]
        left = [record for record in theirs if record != came] + [went] * (went >= 0)
        if (
            min(len(mine), len(theirs)) >= 2
            and (went >= 0 or len(theirs) > size)
            and held(after) > held(mine)
            and held(left) >= min(l_value, held(theirs))
        ):
            ways.append((total(places, after, left) - before, came, went))
    return min(ways, key=lambda way: way[0], default=(FAR, -1, -1))


@pytest.mark.parametrize("l_value", [2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_cheapest_gift_is_that_of_exhaustive_search(size, l_value):
    """Gifts and exchanges of 400 random pairs of classes, which have few places so that ties occur."""
    rng = np.random.default_rng(size + 10 * l_value)
    kinds = set()
    for _ in range(400):
        n = int(rng.integers(3, 8))
        places, values = rng.integers(0, 12, n).tolist(), rng.integers(0, 4, n).tolist()
        number = [0, 1, *rng.integers(0, 2, n - 2).tolist()]
        lines, state = of_places(places, number, values)
        mine, theirs = (members_of(state, each).tolist() for each in (0, 1))
        found = tuple(map(int, best_gift(lines, state, 0, 1, size, l_value)))
        assert found == cheapest_gift(places, values, mine, theirs, size, l_value)
        kinds.add((found[0] < FAR, found[1] >= 0, found[2] >= 0))
    assert kinds == {(False, False, False), (True, False, False), (True, True, False), (True, True, True)}


def test_values_of_two_classes_are_counted_once():
    rng = np.random.default_rng(4)
    for _ in range(50):
        values = rng.integers(0, 4, 8).tolist()
        _, state = of_places(range(8), [0, 0, 0, 1, 1, 1, 1, 2], values)
        for one, other in itertools.permutations(range(3), 2):
            members = [*members_of(state, one), *members_of(state, other)]
            assert distinct_together(state, one, other) == len({values[record] for record in members})


def test_the_nearest_class_with_enough_values_is_joined():
    """Joining 10 to (12, 13) adds 3*3 - 2*1 = 7, to (8) 2*2 = 4, and to (11, 11) 3*1 = 3."""
    places, number = [10, 12, 13, 8, 11, 11], [0, 1, 1, 2, 3, 3]
    for values, l_value, nearest in (
        ([0, 0, 1, 0, 0, 0], 1, 3),
        ([0, 0, 1, 0, 0, 0], 2, 1),
        ([0, 0, 1, 0, 0, 0], 3, 3),
        ([0, 0, 0, 0, 0, 1], 2, 3),
    ):
        assert nearest_class(*of_places(places, number, values), 0, l_value) == nearest
    lines, state = of_places([10, 10], [0, 0], [0, 0])
    assert nearest_class(lines, state, 0, 2) == -1
    # Empty classes are not joined.
    assert nearest_class(*of_places([10, 90], [0, 2], [0, 0]), 0, 1) == 2


def test_missing_values_are_added_by_the_cheapest_step():
    # 14, 15 need a b. The class at 30 can spare one, but the class at 16 has only one.
    rows = [("14", "a"), ("15", "a"), ("16", "b"), ("16", "a"), ("30", "b"), ("30", "b"), ("30", "a")]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    lines, state = begun(Space.of(table, {}), [0, 0, 1, 1, 2, 2, 2], table.column("s").codes)
    year = int(box_cost(lines, *np.sort(state.positions[[0, 1]], axis=0)))
    # Joining the class at 16 makes all four span two years, minus the current cost of one year for two.
    assert best_gift(lines, state, 0, 1, 2, 2) == (4 * 2 * year - 2 * year, -1, -1)
    change, came, went = best_gift(lines, state, 0, 2, 2, 2)
    assert rows[came] == ("30", "b")
    # Then three records span sixteen years.
    assert (change, went) == (3 * 16 * year - 2 * year, -1)


@pytest.mark.slow
@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 4))
def test_classes_lacking_values_end_diverse_from_any_start(seed, size, l_value):
    space, table = random_space(seed, 40)
    values = table.column("disease").codes.astype(np.int64)
    l_value = min(l_value, len(set(values.tolist())))
    # Sorted by value, so most classes have only one.
    number = np.empty(40, dtype=np.int64)
    number[np.argsort(values, kind="stable")] = np.arange(40) // 5
    lines, state = begun(space, number, values)
    order = np.lexsort(
        [row for axis in range(3, -1, -1) for row in (state.ends[:, 3, axis], state.ends[:, 0, axis])]
    )
    has = np.zeros((1, 8), dtype=np.uint64)
    np.bitwise_or.at(has[0], np.argsort(order)[number], np.uint64(1) << values.astype(np.uint64))
    items = box_tree(
        np.ascontiguousarray(state.ends[order, 0].T),
        np.ascontiguousarray(state.ends[order, 3].T),
        state.sizes[order],
        state.costs[order],
        has,
    )
    diversify(lines, state, items, order, np.flatnonzero(state.distinct < l_value), size, l_value)
    total, fewest, poorest = measured(lines, state)
    assert poorest >= l_value
    assert fewest >= min(size, 5)
    assert (state.sizes * state.costs).sum() == total


@pytest.mark.parametrize("l_value", [1, 2])
def test_the_nearest_class_is_that_of_exhaustive_search(l_value):
    """200 random partitions into five classes, of places in the plane; the first cheapest class counts."""
    rng = np.random.default_rng(l_value)
    lines, found = np.array([-1, 100, -1, 100], dtype=np.int32), set()
    for _ in range(200):
        places, values = rng.integers(0, 30, (10, 2)), rng.integers(0, 3, 10)
        numbers = np.array([*range(5), *rng.integers(0, 5, 5)])
        state = partition_of(numbers, values, places.astype(np.int32))
        measure_all(lines, state)

        def cost(*classes, places=places, numbers=numbers):
            members = np.isin(numbers, classes)
            return members.sum() * np.ptp(places[members], axis=0).sum()

        rich = [each for each in range(1, 5) if len(set(values[numbers == each].tolist())) >= l_value]
        added = {each: cost(0, each) - cost(each) for each in rich or range(1, 5)}
        nearest = nearest_class(lines, state, 0, l_value)
        assert nearest == min(added, key=added.__getitem__)
        found.add(nearest)
    assert found == {1, 2, 3, 4}
