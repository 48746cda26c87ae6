import numpy as np

from privacy.sdc.classes import blocks, in_blocks
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.k_member import k_member
from privacy.sdc.risk import loss
from tests.fixtures.tables import random_space, table_of


def test_blocks_hold_every_record_once_and_stay_below_their_bound():
    space, _ = random_space(1, 500)
    parts = blocks(space, largest=80)
    assert sorted(np.concatenate(parts).tolist()) == list(range(500))
    assert max(len(part) for part in parts) <= 80


def test_every_block_keeps_enough_sensitive_values():
    space, table = random_space(2, 500)
    codes = table.column("disease").codes
    for part in blocks(space, largest=40, values=codes, l_value=3):
        assert len(set(codes[part].tolist())) >= 3


def test_records_that_do_not_differ_are_one_block_of_any_size():
    table = table_of(["age"], [("30",)] * 50, numeric=["age"])
    assert len(blocks(Space.of(table, {}), largest=10)) == 1


def test_a_single_high_value_does_not_stop_the_cutting():
    table = table_of(["age"], [("30",)] * 20 + [("90",)] * 40, numeric=["age"])
    assert sorted(len(part) for part in blocks(Space.of(table, {}), largest=45)) == [20, 40]


def test_grouping_in_blocks_gives_whole_classes_at_some_loss():
    space, _ = random_space(3, 400)
    whole = k_member(space, 5)
    cut = in_blocks(space, lambda part, rows: k_member(part, 5), largest=150)
    assert cut.sizes.sum() == 400
    assert cut.sizes.min() >= 5
    assert loss(space, whole).ilp <= loss(space, cut).ilp


def test_leaves_of_a_subtree_stand_side_by_side_where_a_table_is_cut():
    space, table = random_space(3, 300)
    only_work = Space(
        numeric=(), categorical=space.categorical[:1], codes=space.codes[:, 2:3], names=("work",)
    )
    order = ["city", "state", "firm", "own", "none"]
    for part in blocks(only_work, largest=100):
        held = {table.column("work").values[code] for code in only_work.codes[part, 0].tolist()}
        places = sorted(order.index(value) for value in held)
        assert places == list(range(places[0], places[-1] + 1))
