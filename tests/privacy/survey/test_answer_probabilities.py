"""The probability of an item among random answers is a sum over all rows that have it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from privacy.survey.answer_probabilities import item_probability, unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, live, opened, shielded, yes_no

YES_NO = yes_no("affair", 3000)


SINGLE = choice("mood", 2000, 3000, 5000)


MULTI = choice("drugs", 100, 9900, multi=True)


@given(st.data())
def test_item_probabilities_sum_over_matching_rows(data: st.DataObject) -> None:
    block = shielded("a", 5000, YES_NO, SINGLE, MULTI, refusal=data.draw(st.sampled_from([None, 1000])))
    design = live(opened("you", yes_no("city")), block)
    wanted = data.draw(st.dictionaries(st.integers(1, 6), st.booleans(), min_size=1))

    def has(row: Any, index: int) -> bool:
        item = design.items[index]
        value = row[item.question - 1]
        return bool(
            value[item.option]
            if isinstance(value, tuple)
            else value == (item.option if item.question == 2 else 1)
        )

    expected = sum(
        unrelated_probability(block, row)
        for row in block_rows(block)
        if row != SKIPPED and all(has(row, index) == yes for index, yes in wanted.items())
    )
    assert item_probability(design, wanted) == expected


def test_item_probability_needs_exactly_one_protected_block() -> None:
    design = live(opened("you", yes_no("city")), shielded("a", 5000, YES_NO), shielded("b", 5000, SINGLE))
    with refused("blocks", "2 blocks"):
        item_probability(design, {1: True, 2: True})
    with refused("blocks", "0 blocks"):
        item_probability(design, {})
    for ask in (
        lambda: item_probability(design, {0: True}),
        lambda: unrelated_probability(design.blocks[0], (1,)),
        lambda: block_channel(design.blocks[0]),
    ):
        with refused("open_block", "you"):
            ask()
    with refused("too_large", "2,048"):
        block_channel(shielded("c", 5000, choice("q", *(5000,) * 11, multi=True)))
