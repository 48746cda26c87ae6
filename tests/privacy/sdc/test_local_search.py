"""The moves of the local search: manual examples, invariants, and the distance to the best partition."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import Search, k_member
from privacy.sdc.local_search import LENGTH, TRIES, Around, Queue, exchange, requeue
from privacy.sdc.partition import box_tree, partition_of
from privacy.sdc.search_kernels import kernels_for
from tests.fixtures.partitions import begun, measured
from tests.fixtures.tables import random_space, table_of, tree_of


def improved(space, number, values, *, size, l_value=1):
    """Return the state after a local search from a given partition, and the decrease it reports."""
    lines, state = begun(space, number, values)
    search = Search(lines, state.positions, size, kernels=kernels_for(False))
    return lines, state, search.improve(state, np.ones(len(state.number), dtype=bool), l_value)


def of_ages(rows, number, *, size, l_value=1):
    """Return the classes that a local search makes of ages and sensitive values."""
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    _, state, _ = improved(Space.of(table, {}), number, table.column("s").codes, size=size, l_value=l_value)
    return {tuple(np.flatnonzero(state.number == each).tolist()) for each in np.unique(state.number)}


def test_two_records_are_swapped_when_it_costs_less():
    rows = [("20", "a"), ("50", "a"), ("21", "a"), ("51", "a")]
    assert of_ages(rows, [0, 0, 1, 1], size=2) == {(0, 2), (1, 3)}


def test_records_move_out_of_classes_above_the_minimum_size():
    rows = [("20", "a"), ("21", "a"), ("50", "a"), ("50", "a"), ("51", "a")]
    assert of_ages(rows, [0, 0, 0, 1, 1], size=2) == {(0, 1), (2, 3, 4)}


def test_classes_dissolve_if_their_records_cost_less_elsewhere():
    # (20, 50) costs 2 x 30; in the other classes, 20 and 50 cost one year for each of three records.
    rows = [("20", "a"), ("50", "a"), ("21", "a"), ("21", "a"), ("51", "a"), ("51", "a")]
    for number in ([0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 2, 2], [2, 2, 0, 0, 1, 1]):
        assert of_ages(rows, number, size=2) == {(0, 2, 3), (1, 4, 5)}


def test_moves_never_break_sensitive_value_diversity():
    # The pairs 20, 21 and 50, 51 would cost least, but each has only one value.
    rows = [("20", "a"), ("50", "b"), ("21", "a"), ("51", "b")]
    assert of_ages(rows, [0, 0, 1, 1], size=2, l_value=2) == {(0, 1), (2, 3)}
    rows = [("20", "a"), ("50", "b"), ("21", "b"), ("51", "a")]
    assert of_ages(rows, [0, 0, 1, 1], size=2, l_value=2) == {(0, 2), (1, 3)}


def test_records_of_a_class_wait_once_behind_the_others():
    """Record 1 waits in the last of four places, so records 0 and 3 of its class get the first two."""
    number, nobody = np.array([0, 0, 1, 0]), np.zeros(4, dtype=np.int64)
    state = partition_of(number, nobody, np.zeros((4, 1), dtype=np.int32))
    is_queued = np.array([False, True, False, False])
    queue = Queue(np.array([-1, -1, -1, 1]), is_queued, np.array([3, 1, 9]))
    requeue(state, queue, 0)
    assert queue.waiting.tolist() == [0, 3, -1, 1]
    assert queue.is_queued.tolist() == [True, True, False, True]
    assert queue.counters.tolist() == [3, 3, 9]


@pytest.mark.slow
@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_each_move_keeps_the_bounds_and_saves_the_predicted_cost(seed, size, l_value):
    space, table = random_space(seed, 40)
    rng = np.random.default_rng(seed)
    values = table.column("disease").codes
    assume(len(set(values.tolist())) >= l_value)
    number = rng.permutation(40) % 6
    if min(len(set(values[number == each].tolist())) for each in range(6)) < l_value:
        number = np.zeros(40, dtype=np.int64)
    lines, state = begun(space, number, values)
    classes = np.arange(int(number.max()) + 1)
    near = np.tile(classes, (40, 1))
    # All classes are close, so there is nothing to find.
    ends = np.ascontiguousarray(state.positions.T)
    items = box_tree(ends, ends, classes, classes, np.ones((1, 40), dtype=np.uint64))
    around = Around(items, classes, classes, state.positions, np.arange(40), near)
    queue = Queue(np.arange(40), np.ones(40, dtype=bool), np.array([0, 40, 400]))
    total = measured(lines, state)[0]
    while queue.counters[LENGTH] and queue.counters[TRIES]:
        fell = exchange(lines, state, around, queue, size, l_value, 1)
        now, fewest, poorest = measured(lines, state)
        assert now == total - fell <= total
        assert fewest >= size
        assert poorest >= l_value
        assert (state.sizes * state.costs).sum() == now
        total = now


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "l_value"), [(1, 1), (2, 2), (4, 1), (5, 3)])
def test_the_search_returns_the_decrease_of_the_total(seed, size, l_value):
    space, table = random_space(seed, 90)
    values = table.column("disease").codes
    number = np.random.default_rng(seed).permutation(90) % 9
    if min(len(set(values[number == each].tolist())) for each in range(9)) < l_value:
        number = np.zeros(90, dtype=np.int64)
    before = measured(*begun(space, number, values))[0]
    lines, state, fell = improved(space, number, values, size=size, l_value=l_value)
    total, fewest, poorest = measured(lines, state)
    assert total == before - fell
    assert fewest >= size
    assert poorest >= l_value


def partitions(records, size):
    """Yield all partitions of records into classes of at least `size`."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for chosen in range(1 << len(rest)):
        block = [first, *(record for at, record in enumerate(rest) if chosen >> at & 1)]
        left = [record for at, record in enumerate(rest) if not chosen >> at & 1]
        if len(block) >= size:
            for others in partitions(left, size):
                yield [block, *others]


@pytest.mark.soak
def test_local_search_ends_near_the_best_partition():
    found, best = 0.0, 0.0
    for seed in range(6):
        space, table = random_space(seed, 7)
        sensitive = table.column("disease")
        for l_value in (1, min(2, len(sensitive.values))):
            least = min(
                loss(space, Classes.from_numbers(number)).ncp
                for blocks in partitions(list(range(7)), 2)
                if all(len(set(sensitive.codes[block].tolist())) >= l_value for block in blocks)
                for number in [[next(at for at, block in enumerate(blocks) if r in block) for r in range(7)]]
            )
            made = loss(space, k_member(space, 2, sensitive=sensitive, l_value=l_value)).ncp
            assert made >= least - 1e-6
            found, best = found + made, best + least
    assert found <= 1.15 * best


def test_costs_match_the_published_boxes():
    # A tree whose leaves are not adjacent: p and r below one node, q and s below another.
    rows = [("p",), ("r",), ("q",), ("s",)]
    table = table_of(["place"], rows, numeric=[])
    tree = tree_of(table, {"place": {"p": "one", "q": "two", "r": "one", "s": "two"}})
    space = Space.of(table, tree)
    _, state, _ = improved(space, [0, 1, 0, 1], [0] * 4, size=2)
    assert state.number[0] == state.number[1] != state.number[2] == state.number[3]
    assert loss(space, Classes.from_numbers(state.number)).ncp == 0.5


@pytest.mark.soak
def test_a_scarce_value_raises_the_cost_by_at_most_40_percent():
    """k = 5, with a value of a quarter of the people that is unevenly distributed over the ages."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 300)
    ill = rng.random(300) < 0.15 + (age - 18) / 360
    rows = [
        (str(number), str(school), "yes" if yes else "no")
        for number, school, yes in zip(age, rng.integers(6, 20, 300), ill, strict=True)
    ]
    table = table_of(["age", "school", "ill"], rows, numeric=["age", "school"], sensitive=["ill"])
    space = Space.of(table, {})
    plain = loss(space, k_member(space, 5)).ncp
    diverse = k_member(space, 5, sensitive=table.column("ill"), l_value=2)
    assert np.bincount(ClassMatrix.of(diverse, table.column("ill")).classes).min() == 2
    assert loss(space, diverse).ncp / plain <= 1.4
