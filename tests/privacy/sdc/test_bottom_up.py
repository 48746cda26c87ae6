import math
from functools import cache

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.generalisation import UNIT, Space
from tests.fixtures.tables import random_space, table_of, tree_of


def cost_of(space, weights):
    """Return a function that computes the cost of a class from its members."""
    numbers = len(space.numeric)

    @cache
    def cost(members):
        total = 0
        for place, axis in enumerate(space.numeric):
            ranks = [int(space.codes[member, place]) for member in members]
            width = axis.numbers[max(ranks)] - axis.numbers[min(ranks)]
            total += math.ceil(width * (weights[place] * UNIT / axis.extent))
        for place, tree in enumerate(space.categorical):
            leaves = sorted({int(space.codes[member, numbers + place]) for member in members})
            for level in range(tree.hierarchy.height + 1):
                nodes = {int(tree.hierarchy.node[level, leaf]) for leaf in leaves}
                if len(nodes) == 1:
                    break
            below = int((tree.hierarchy.node[level] == nodes.pop()).sum())
            share = 0.0 if below == 1 else below / len(tree.hierarchy.labels[0])
            total += math.ceil(share * weights[numbers + place] * UNIT)
        return len(members) * total

    return cost


def plain(space, k, cost):
    """A direct implementation: scan every class, and compute every box from its members."""
    waiting = [(record,) for record in range(len(space))]
    done = []
    while len(waiting) > 1:
        merged = []
        rest = list(waiting)
        while len(rest) > 1:
            seeker = rest.pop(0)
            costs = [cost(seeker + other) for other in rest]
            merged.append(seeker + rest.pop(costs.index(min(costs))))
        done += [members for members in merged if len(members) >= k]
        waiting = [members for members in merged if len(members) < k] + rest
    if waiting:
        costs = [cost(waiting[0] + members) for members in sorted(done, key=done.index)]
        done[costs.index(min(costs))] += waiting[0]
    return {frozenset(members) for members in done}


def partition(classes):
    return {frozenset(np.flatnonzero(classes.number == number).tolist()) for number in range(classes.count)}


@pytest.mark.parametrize(("seed", "n"), [(1, 57), (2, 90), (3, 121)])
def test_cached_costs_give_the_same_partition_as_the_plain_algorithm(seed, n):
    space, _ = random_space(seed, n)
    weights = {"age": 0.4, "school": 0.3, "work": 0.2, "sex": 0.1}
    cost = cost_of(space, space.weights(weights))
    for k in (2, 4, 5, 10):
        assert partition(bottom_up(space, k, weights)) == plain(space, k, cost), k


def test_repeated_records_give_the_plain_algorithms_partition():
    rows = [("30", "F"), ("30", "F"), ("30", "F"), ("41", "M"), ("41", "M"), ("29", "M"), ("55", "F")] * 4
    table = table_of(["age", "sex"], rows, numeric=["age"])
    space = Space.of(table, tree_of(table, {}))
    for k in (3, 4, 6):
        assert partition(bottom_up(space, k)) == plain(space, k, cost_of(space, space.weights(None)))


@pytest.mark.parametrize("k", [2, 3, 5, 8, 20])
def test_classes_partition_records_and_at_most_double_in_size(k):
    space, _ = random_space(5, 203)
    sizes = sorted(bottom_up(space, k).sizes.tolist())
    assert sum(sizes) == 203
    assert sizes[0] >= k
    assert all(size <= max(k, 2 * (k - 1)) for size in sizes[:-1])
    assert sizes[-1] < 3 * k


def test_an_odd_record_can_need_one_extra_round():
    """1, 2 and 50, 51 join; then 3 joins the first pair, and the second pair waits for a third round."""
    table = table_of(["age"], [("1",), ("2",), ("50",), ("51",), ("3",)], numeric=["age"])
    assert bottom_up(Space.of(table, {}), 4).count == 1


def test_k_of_one_changes_nothing():
    space, _ = random_space(5, 20)
    assert bottom_up(space, 1).count == 20


@pytest.mark.parametrize(
    ("k", "message"), [(0, "outside 1"), (21, "more than the 20 records"), (2**19, "outside 1")]
)
def test_invalid_k_is_rejected(k, message):
    space, _ = random_space(5, 20)
    with pytest.raises(PrivacyError, match=message):
        bottom_up(space, k)
