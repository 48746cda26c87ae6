import numpy as np
import pytest

from privacy.sdc import Classes, ClassMatrix, Space, k_member, loss
from privacy.sdc.local_search import local_search
from tests.cast.tables import random_space, table_of, tree_of


def improved(rows, begin, *, size, l_value=1):
    """Classes that a local search makes of ages and sensitive values, all weights alike."""
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    found = local_search(
        Space.of(table, {}),
        np.array([1.0]),
        Classes.from_numbers(begin),
        size=size,
        values=table.column("s").codes.astype(np.int64),
        l_value=l_value,
    )
    return {tuple(np.flatnonzero(found.number == number).tolist()) for number in range(found.count)}


def test_two_records_change_places():
    rows = [("20", "a"), ("50", "a"), ("21", "a"), ("51", "a")]
    assert improved(rows, [0, 0, 1, 1], size=2) == {(0, 2), (1, 3)}


def test_a_record_moves_out_of_a_class_that_can_spare_it():
    rows = [("20", "a"), ("21", "a"), ("50", "a"), ("50", "a"), ("51", "a")]
    assert improved(rows, [0, 0, 0, 1, 1], size=2) == {(0, 1), (2, 3, 4)}


def test_a_class_dissolves_where_its_records_cost_less_in_others():
    # (20, 50) costs 2 x 30; in the others 20 and 50 cost one year for each of three records.
    rows = [("20", "a"), ("50", "a"), ("21", "a"), ("21", "a"), ("51", "a"), ("51", "a")]
    assert improved(rows, [0, 0, 1, 1, 2, 2], size=2) == {(0, 2, 3), (1, 4, 5)}


def test_no_move_takes_a_class_below_its_sensitive_values():
    # Together 20, 21 and 50, 51 would cost least, but each pair has one value.
    rows = [("20", "a"), ("50", "b"), ("21", "a"), ("51", "b")]
    assert improved(rows, [0, 0, 1, 1], size=2, l_value=2) == {(0, 1), (2, 3)}
    rows = [("20", "a"), ("50", "b"), ("21", "b"), ("51", "a")]
    assert improved(rows, [0, 0, 1, 1], size=2, l_value=2) == {(0, 2), (1, 3)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "l_value"), [(1, 1), (2, 2), (4, 1), (5, 3)])
def test_loss_never_rises_and_bounds_hold_from_any_beginning(seed, size, l_value):
    space, table = random_space(seed, 90)
    sensitive = table.column("disease")
    number = np.random.default_rng(seed).permutation(90) % 9
    begin = Classes.from_numbers(number)
    if np.bincount(ClassMatrix.of(begin, sensitive).classes).min() < l_value:
        number = np.zeros(90, dtype=np.int64)
        begin = Classes.from_numbers(number)
    weights = space.weights(None)
    found = local_search(
        space, weights, begin, size=size, values=sensitive.codes.astype(np.int64), l_value=l_value
    )
    assert len(found.number) == 90
    assert found.sizes.min() >= size
    assert np.bincount(ClassMatrix.of(found, sensitive).classes).min() >= l_value
    assert loss(space, found).ncp <= loss(space, begin).ncp


def test_costs_are_those_of_the_boxes_that_are_published():
    # A tree whose leaves are not stored side by side: p and r below one node, q and s below another.
    rows = [("p",), ("r",), ("q",), ("s",)]
    table = table_of(["place"], rows, numeric=[])
    tree = tree_of(table, {"place": {"p": "one", "q": "two", "r": "one", "s": "two"}})
    space = Space.of(table, tree)
    found = local_search(
        space, np.array([1.0]), Classes.from_numbers([0, 1, 0, 1]), size=2, values=np.zeros(4, dtype=np.int64)
    )
    assert found.number[0] == found.number[1] != found.number[2] == found.number[3]
    assert loss(space, found).ncp == 0.5


def test_a_scarce_value_costs_at_most_four_tenths_more():
    """k = 5 with a value that a quarter of the people have, who are not spread alike over the ages."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 600)
    ill = rng.random(600) < 0.15 + (age - 18) / 360
    rows = [
        (str(number), str(school), "yes" if yes else "no")
        for number, school, yes in zip(age, rng.integers(6, 20, 600), ill, strict=True)
    ]
    table = table_of(["age", "school", "ill"], rows, numeric=["age", "school"], sensitive=["ill"])
    space = Space.of(table, {})
    plain = loss(space, k_member(space, 5)).ncp
    diverse = k_member(space, 5, sensitive=table.column("ill"), l_value=2)
    assert np.bincount(ClassMatrix.of(diverse, table.column("ill")).classes).min() == 2
    assert loss(space, diverse).ncp / plain <= 1.4
