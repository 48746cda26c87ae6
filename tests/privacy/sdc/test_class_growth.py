import numpy as np

from privacy.sdc.class_growth import FREE, MADE, free_records, grow
from privacy.sdc.generalisation_cost import Space, distinct_rows
from privacy.sdc.partition import boxed, lines_of
from tests.fixtures.tables import table_of


def grown(ages, size):
    """Classes that grow while enough records are free, as tuples of ages, in the order of their making."""
    table = table_of(["age"], [(str(age),) for age in ages], numeric=["age"])
    lines, places = lines_of(Space.of(table, {}), np.array([1.0]))
    first, combination = distinct_rows(places)
    free, counters = free_records(combination)
    corner, none = np.ascontiguousarray(places[first].T), np.zeros(len(first), dtype=np.int64)
    items = boxed(corner, corner, none, none, np.ones((1, len(first)), dtype=np.uint64))
    every = np.arange(len(first))
    grow(lines, items, every, every, free, counters, size, 1)
    assert counters[MADE] == 1
    assert counters[FREE] == len(ages) - size
    while counters[FREE] >= size:
        # As an eighth is used up at once here, the dead stay among the items; they are not chosen again.
        counters[0] = 0
        grow(lines, items, every, every, free, counters, size, 1)
    return [
        tuple(sorted(ages[record] for record in np.flatnonzero(free.number == made)))
        for made in range(int(counters[MADE]))
    ]


def test_a_class_begins_where_most_records_agree_and_takes_the_nearest():
    assert grown([20, 29, 31, 31, 31, 32, 60], 4) == [(31, 31, 31, 32)]


def test_classes_grow_until_too_few_records_are_free():
    assert grown([20, 21, 30, 30, 31, 60, 61], 3) == [(30, 30, 31), (20, 21, 60)]


def test_records_that_agree_fill_classes_by_themselves():
    assert grown([20] * 5 + [40] * 4, 4) == [(20,) * 4, (40,) * 4]
