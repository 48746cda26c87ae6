"""Classes as linked lists, and costs of their boxes, compared with lists and sets of records."""

import itertools

import numpy as np
import pytest

from privacy.sdc.partition import (
    FAR,
    Lines,
    Partition,
    box_cost,
    box_tree,
    changed_cost,
    cheapest,
    count_value,
    joined_cost,
    least_cost,
    lines_of,
    measure_all,
    members_of,
    partition_of,
    relink,
    span_cost,
    stays_diverse,
)
from tests.fixtures.tables import random_space

WHOLE = 2**26

# Two axes: numbers, whose cost is their difference, and three leaves with a cost for each pair of ends.
LEAVES = [[0, 10, 30], [0, 0, 20], [0, 0, 0]]
LINES: Lines = np.array([-1, 9, 4, 3, *itertools.chain(*LEAVES)], dtype=np.int32)
POSITIONS = np.array([[3, 0], [5, 1], [5, 0], [8, 2], [1, 1], [5, 2], [7, 1]], dtype=np.int32)
NUMBER = [0, 0, 0, 1, 1, 3, 1]
VALUES = [7, 8, 7, 9, 9, 7, 8]


def begun() -> Partition:
    """Return seven records in the classes 0, 1 and 3; class 2 is empty."""
    state = partition_of(np.array(NUMBER), np.array(VALUES), POSITIONS)
    measure_all(LINES, state)
    return state


def cost_of(records: list[int]) -> int:
    """Return the cost of the smallest box around some records."""
    numbers, leaves = ([int(POSITIONS[record, axis]) for record in records] for axis in range(2))
    return max(numbers) - min(numbers) + LEAVES[min(leaves)][max(leaves)]


def lists_of(state: Partition) -> list[list[int]]:
    return [members_of(state, number).tolist() for number in range(len(state.sizes))]


def backwards(state: Partition, number: int) -> list[int]:
    """Follow a class from its last record to its first."""
    record = int(members_of(state, number)[-1])
    found = []
    while record >= 0:
        found.append(record)
        record = int(state.before[record])
    return found


def test_members_are_linked_in_both_directions() -> None:
    state = begun()
    assert lists_of(state) == [[0, 1, 2], [3, 4, 6], [], [5]]
    assert state.first.tolist() == [0, 3, -1, 5]
    assert [backwards(state, number) for number in (0, 1, 3)] == [[2, 1, 0], [6, 4, 3], [5]]
    assert [int(state.next[record]) for record in (2, 6, 5)] == [-1, -1, -1]


def test_classes_are_measured() -> None:
    state = begun()
    assert state.costs.tolist() == [2 + 10, 7 + 20, 0, 0]
    assert state.distinct.tolist() == [2, 2, 0, 1]
    assert state.ends[0].tolist() == [[3, 0], [5, 0], [5, 0], [5, 1]]
    assert state.ends[1].tolist() == [[1, 1], [7, 1], [7, 1], [8, 2]]
    # A record alone is all four ends.
    assert state.ends[3].tolist() == [[5, 2]] * 4


@pytest.mark.parametrize("order", list(itertools.permutations([2, 4, 9])))
def test_the_second_ends_do_not_depend_on_the_order(order: tuple[int, ...]) -> None:
    positions = np.array([[place] for place in order], dtype=np.int32)
    state = partition_of(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64), positions)
    measure_all(np.array([-1, 3], dtype=np.int32), state)
    assert state.ends[0, :, 0].tolist() == [2, 4, 4, 9]
    assert (state.costs.tolist(), state.distinct.tolist()) == ([7], [1])


@pytest.mark.parametrize("record", range(7))
@pytest.mark.parametrize("target", range(4))
def test_a_moved_record_becomes_the_first_of_the_other_class(record: int, target: int) -> None:
    if NUMBER[record] == target:
        return
    state = begun()
    expected = [[other for other in members if other != record] for members in lists_of(state)]
    expected[target].insert(0, record)
    relink(state, record, target)
    assert lists_of(state) == expected
    assert state.number[record] == target
    assert state.sizes.tolist() == [*map(len, expected)]
    assert [backwards(state, number)[::-1] for number in range(4) if expected[number]] == [
        members for members in expected if members
    ]


def test_records_with_a_value_are_counted() -> None:
    state = begun()
    assert [[count_value(state, number, value) for value in (7, 8, 9)] for number in range(4)] == [
        [2, 1, 0],
        [0, 1, 2],
        [0, 0, 0],
        [1, 0, 0],
    ]


@pytest.mark.parametrize("l_value", [1, 2, 3])
def test_a_replacement_keeps_a_class_diverse_if_the_records_say_so(l_value: int) -> None:
    """Classes of fewer than L values are not asked about, except for L = 1."""
    state = begun()
    for number, out, into in itertools.product((0, 1), (7, 8, 9), (7, 8, 9)):
        values = [VALUES[record] for record in members_of(state, number)]
        if out in values and len({*values}) >= l_value:
            values.remove(out)
            expected = len({*values, into}) >= l_value
            assert stays_diverse(state, number, out, into, l_value) == expected


def test_a_replaced_added_or_removed_record_changes_the_cost() -> None:
    state = begun()
    ends = state.ends
    for number, members in enumerate(lists_of(state)):
        if len(members) < 2:
            continue
        others = [record for record in range(7) if record not in members]
        for out, into in itertools.product([-1, *members], [-1, *others]):
            after = [record for record in members if record != out] + [into] * (into >= 0)
            assert changed_cost(LINES, POSITIONS, ends, number, out, into, FAR) == cost_of(after)
        for into in others:
            least = least_cost(LINES, POSITIONS, ends, number, into, FAR)
            each = [cost_of([into, *(record for record in members if record != out)]) for out in members]
            # Each axis loses the record that costs it most, which need not be the same one.
            assert least <= min(each)
            numbers, leaves = (sorted(int(POSITIONS[record, axis]) for record in members) for axis in (0, 1))
            place, leaf = POSITIONS[into].tolist()
            assert least == (
                max(numbers[-2], place)
                - min(numbers[1], place)
                + LEAVES[min(leaves[1], leaf)][max(leaves[-2], leaf)]
            )


def test_the_cost_of_the_first_axes_is_enough() -> None:
    """Class 0 with record 3 spans 3 to 8, and then also all leaves."""
    state = begun()
    for enough, cost in ((4, 5), (5, 5), (6, 35), (FAR, 35)):
        assert changed_cost(LINES, POSITIONS, state.ends, 0, -1, 3, enough) == cost
    # Without its first or last record on each axis, it spans 5 to 8 and all leaves.
    for enough, cost in ((2, 3), (3, 3), (4, 33), (FAR, 33)):
        assert least_cost(LINES, POSITIONS, state.ends, 0, 3, enough) == cost
    # Classes 0 and 1 together span 1 to 8.
    for enough, cost in ((6, 7), (7, 7), (8, 37), (FAR, 37)):
        assert joined_cost(LINES, state.ends, 0, 1, enough) == cost
        assert joined_cost(LINES, state.ends, 1, 0, enough) == cost


def test_two_classes_cost_as_much_as_the_box_around_both() -> None:
    state = begun()
    lists = lists_of(state)
    for one, other in itertools.permutations((0, 1, 3), 2):
        assert joined_cost(LINES, state.ends, one, other, FAR) == cost_of(lists[one] + lists[other])


def test_an_interval_costs_its_length_or_its_entry_in_the_table() -> None:
    assert span_cost(LINES, 0, 2, 9) == 7
    assert [span_cost(LINES, 1, low, high) for low, high in ((0, 0), (0, 1), (0, 2), (1, 2))] == [
        0, 10, 30, 20,
    ]  # fmt: skip
    assert box_cost(LINES, [2, 1], [9, 2]) == 27
    assert box_cost(LINES, np.array([[2, 1], [1, 0]]), np.array([[9, 1], [2, 1]])).tolist() == [27, 10]


def test_the_axis_with_fewest_values_comes_first_unless_asked() -> None:
    space, _ = random_space(7, 80)
    weights = space.weights(None)
    counts = [len(axis.line) for axis in space.axes]
    for longest_first in (False, True):
        lines, positions = lines_of(space, weights, longest_first=longest_first)
        assert lines[1 : 2 * len(counts) : 2].tolist() == sorted(counts, reverse=longest_first)
        assert positions.shape == (80, len(counts))


def test_trees_lead_past_boxes_that_share_their_first_axes() -> None:
    """Boxes a, b share the first axis, c is alone: nodes are a and b together, a, b, c."""
    low = np.array([[1, 1, 2], [0, 3, 0]], dtype=np.int32)
    high = np.array([[1, 1, 4], [2, 5, 0]], dtype=np.int32)
    sizes = np.array([4, 2, 3])
    tree = box_tree(low, high, sizes, np.zeros(3, dtype=np.int64), np.ones((1, 3), dtype=np.uint64))
    assert tree.fewest == 2
    assert tree.rows.tolist() == [[1, 0, 1, 2], [1, 3, 1, 5], [2, 0, 4, 0]]
    assert tree.nodes.tolist() == [
        [0, 1, 1, 3, -1],
        [1, 0, 2, 2, 0],
        [1, 3, 5, 3, 1],
        [0, 2, 4, 4, 2],
    ]
    assert tree.leaf.tolist() == [1, 2, 3]


def test_box_costs_equal_the_weighted_penalty():
    space, _ = random_space(7, 80)
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    lines, places = lines_of(space, weights)
    number = np.random.default_rng(8).permutation(80) % 12
    penalties = space.penalties(space.boxes(number, 12)) @ weights
    for each in range(12):
        members = places[number == each]
        found = box_cost(lines, members.min(axis=0), members.max(axis=0))
        assert abs(found / WHOLE - penalties[each]) <= 4 / WHOLE


@pytest.mark.parametrize("most", [1, 3, 50])
def test_the_cheapest_boxes_match_exhaustive_comparison(most):
    space, _ = random_space(3, 60)
    lines, places = lines_of(space, space.weights(None))
    places = places[np.lexsort(places.T[::-1])]
    rng = np.random.default_rng(0)
    sizes, has = rng.integers(0, 4, 60), rng.integers(0, 4, (1, 60)).astype(np.uint64)
    corner = np.ascontiguousarray(places.T)
    items = box_tree(corner, corner, sizes, np.zeros(60, dtype=np.int64), has)
    for record in range(0, 60, 7):
        found, joined = cheapest(
            lines, items, places[record], places[record], np.full(1, np.uint64(2)), most, record
        )
        costs = [
            int(box_cost(lines, np.minimum(place, places[record]), np.maximum(place, places[record])))
            for place in places
        ]
        wanted = [at for at in range(60) if int(has[0, at]) & 2]
        wanted.sort(key=lambda at: ((sizes[at] + 1) * costs[at], at))
        assert found.tolist() == wanted[:most]
        assert joined.tolist() == [costs[at] for at in wanted[:most]]
