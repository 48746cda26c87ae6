"""The booklet that weighs most, against all booklets."""

import random

import pytest

from privacy.risk.items import heaviest_booklet
from privacy.survey import Block
from privacy.survey.booklets import Booklet
from tests.vectors.designs import yes_no

LISTED = ((0, 1, 3), (0, 2, 4), (1, 2, 3), (2, 3, 4))


def asking(size: int | None, booklets: tuple[Booklet, ...] | None = None) -> Block:
    return Block(
        key="b",
        protected=True,
        truth_probability=5000,
        refusal=None,
        asked_if=None,
        questions=tuple(yes_no(f"q{number}", 5000) for number in range(5)),
        questions_per_person=size,
        booklets=booklets,
    )


@pytest.mark.parametrize("block", [asking(3), asking(1), asking(4), asking(3, LISTED), asking(None)])
@pytest.mark.parametrize("holding", [None, 0, 2, 4])
def test_no_booklet_weighs_more(block: Block, holding: int | None) -> None:
    rng = random.Random(7)
    for _ in range(50):
        weights = [rng.uniform(-1, 3) for _question in block.questions]
        found = heaviest_booklet(block, weights, holding=holding)
        assert block.booklet_number(found) is not None
        assert holding is None or holding in found
        offered = [block.booklet(number) for number in range(block.n_booklets)]
        assert sum(weights[place] for place in found) == max(
            sum(weights[place] for place in booklet)
            for booklet in offered
            if holding is None or holding in booklet
        )
