"""Blocks of neighbours hold every record once, and are grouped one by one."""

import numpy as np
import pytest

from privacy.sdc import blocks as module
from privacy.sdc.blocks import blocks, in_blocks
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from tests.fixtures.tables import random_space, table_of, tree_of


def line_of(numbers: list[int]) -> Space:
    table = table_of(["age"], [(str(number),) for number in numbers], numeric=["age"])
    return Space.of(table, tree_of(table, {}))


def test_blocks_split_at_medians_until_they_are_small_enough() -> None:
    space = line_of([1, 2, 3, 4, 5, 6, 7])
    found = [rows.tolist() for rows in blocks(space, largest=4)]
    assert found == [[0, 1, 2, 3], [4, 5, 6]]
    assert [rows.tolist() for rows in blocks(space, largest=7)] == [list(range(7))]
    # Half of the records are the maximum, so the median belongs to the upper half.
    assert [rows.tolist() for rows in blocks(line_of([1, 9, 9, 9]), largest=3)] == [[0], [1, 2, 3]]
    # Equal records stay together.
    assert [rows.tolist() for rows in blocks(line_of([5, 5, 5]), largest=1)] == [[0, 1, 2]]


def test_a_block_keeps_enough_different_values() -> None:
    space = line_of([1, 2, 3, 4])
    assert len(blocks(space, largest=2, values=np.array([0, 1, 0, 1]), l_value=2)) == 2
    assert len(blocks(space, largest=2, values=np.array([0, 0, 1, 1]), l_value=2)) == 1
    assert len(blocks(space, largest=2, values=np.array([0, 0, 1, 1]), l_value=1)) == 2


def test_a_grouping_sees_each_block_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    space, seen = line_of([1, 2, 3, 4, 5]), []

    def one_class(part: Space, rows: np.ndarray) -> Classes:
        seen.append((len(part), rows.tolist()))
        return Classes.from_numbers([0] * len(rows))

    assert in_blocks(space, one_class, largest=3).number.tolist() == [0, 0, 0, 1, 1]
    assert seen == [(3, [0, 1, 2]), (2, [3, 4])]
    assert in_blocks(space, one_class).count == 1
    monkeypatch.setattr(module, "BLOCK_FROM", 5)
    monkeypatch.setattr(module, "BLOCK_SIZE", 2)
    assert in_blocks(space, one_class).count == 1
    monkeypatch.setattr(module, "BLOCK_FROM", 4)
    assert in_blocks(space, one_class).count == 3


def test_blocks_contain_each_record_once_within_their_maximum_size():
    space, _ = random_space(1, 500)
    parts = blocks(space, largest=80)
    assert sorted(np.concatenate(parts).tolist()) == list(range(500))
    assert max(len(part) for part in parts) <= 80


def test_every_block_keeps_enough_sensitive_values():
    space, table = random_space(2, 500)
    codes = table.column("disease").codes
    for part in blocks(space, largest=40, values=codes, l_value=3):
        assert len(set(codes[part].tolist())) >= 3


def test_identical_records_form_one_block_of_any_size():
    table = table_of(["age"], [("30",)] * 50, numeric=["age"])
    assert len(blocks(Space.of(table, {}), largest=10)) == 1


def test_blocks_split_even_if_the_median_is_the_maximum():
    table = table_of(["age"], [("30",)] * 20 + [("90",)] * 40, numeric=["age"])
    assert sorted(len(part) for part in blocks(Space.of(table, {}), largest=45)) == [20, 40]


def test_grouping_in_blocks_keeps_class_sizes_at_some_loss():
    space, _ = random_space(3, 240)
    whole = k_member(space, 5)
    cut = in_blocks(space, lambda part, rows: k_member(part, 5), largest=90)
    assert cut.sizes.sum() == 240
    assert cut.sizes.min() >= 5
    assert loss(space, whole).ilp <= loss(space, cut).ilp


def test_blocks_of_a_table_hold_adjacent_leaves():
    space, table = random_space(3, 300)
    only_work = Space(
        numeric=(), categorical=space.categorical[:1], codes=space.codes[:, 2:3], names=("work",)
    )
    order = ["city", "state", "firm", "own", "none"]
    for part in blocks(only_work, largest=100):
        held = {table.column("work").values[code] for code in only_work.codes[part, 0].tolist()}
        places = sorted(order.index(value) for value in held)
        assert places == list(range(places[0], places[-1] + 1))
