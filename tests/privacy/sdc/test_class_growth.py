"""Classes that grow around dense seeds, and gifts of missing values, compared with exhaustive search."""

import numpy as np

from privacy.sdc.class_growth import FREE, MADE, assign, free_records, grow, next_seed
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Space
from privacy.sdc.partition import box_tree, lines_of
from tests.fixtures.tables import table_of


def grown(ages, size):
    """Return the classes grown while enough records are free, as tuples of ages in order of creation."""
    table = table_of(["age"], [(str(age),) for age in ages], numeric=["age"])
    lines, places = lines_of(Space.of(table, {}), np.array([1.0]))
    first, combination = distinct_rows(places)
    free, counters = free_records(combination)
    corner, none = np.ascontiguousarray(places[first].T), np.zeros(len(first), dtype=np.int64)
    items = box_tree(corner, corner, none, none, np.ones((1, len(first)), dtype=np.uint64))
    every = np.arange(len(first))
    grow(lines, items, every, every, free, counters, size, 1)
    assert counters[MADE] == 1
    assert counters[FREE] == len(ages) - size
    while counters[FREE] >= size:
        # Here used records stay among the items for a while, but they are not chosen again.
        counters[0] = 0
        grow(lines, items, every, every, free, counters, size, 1)
    return [
        tuple(sorted(ages[record] for record in np.flatnonzero(free.number == made)))
        for made in range(int(counters[MADE]))
    ]


def test_classes_grow_from_the_densest_records_to_the_nearest():
    assert grown([20, 29, 31, 31, 31, 32, 60], 4) == [(31, 31, 31, 32)]


def test_classes_are_formed_while_enough_records_remain():
    assert grown([20, 21, 30, 30, 31, 60, 61], 3) == [(30, 30, 31), (20, 21, 60)]


def test_records_join_the_class_whose_cost_rises_least():
    """12 adds 3*2 - 2*1 = 4 to (10, 11) and 2*3 = 6 to (15); then 13 adds 4*3 - 3*2 = 6 and 2*2 = 4."""
    lines = np.array([-1, 100], dtype=np.int32)
    low, high = np.array([[10, 15]], dtype=np.int32), np.array([[11, 15]], dtype=np.int32)
    sizes, number = np.array([2, 1]), np.full(5, -1)
    positions = np.array([[10], [11], [15], [12], [13]], dtype=np.int32)
    assign(lines, low, high, sizes, positions, np.array([3, 4]), number)
    assert number.tolist() == [-1, -1, -1, 0, 1]
    assert (low.tolist(), high.tolist(), sizes.tolist()) == ([[10, 13]], [[12, 15]], [3, 2])


def test_a_record_joins_a_wide_class_if_others_would_grow_more():
    """11 adds 2*11 - 10 = 12 to a record from 0 to 10, and 5*3 = 15 to the four at 14."""
    lines = np.array([-1, 100], dtype=np.int32)
    low, high = np.array([[0, 14]], dtype=np.int32), np.array([[10, 14]], dtype=np.int32)
    number = np.full(1, -1)
    positions = np.array([[11]], dtype=np.int32)
    assign(lines, low, high, np.array([1, 4]), positions, np.array([0]), number)
    assert number.tolist() == [0]


def test_seeds_are_the_combinations_with_most_free_records():
    free, counters = free_records(np.array([0, 1, 1, 2, 3, 3]))
    assert counters[FREE] == 6
    found = []
    for _ in range(4):
        seed = int(next_seed(free, counters))
        found.append(seed)
        free.begin[seed] = free.end[seed]
    # Those with two records in order, then those with one.
    assert found == [1, 3, 0, 2]
