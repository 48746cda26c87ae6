"""The label's first sentence holds however answers depend on each other; promises for parts would not."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from mining.columns.random_words import words
from privacy.coins import Coins
from privacy.risk.amplification import promise
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_rows
from privacy.survey.design import Design, GroupPolicy
from privacy.survey.rotation import Rotation
from tests.attack.dependence import believe_rows, two_rows
from tests.fixtures.blocks import even
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, live, opened, shielded, yes_no

FIVE = live(*(shielded(f"b{number}", 5000, yes_no(f"q{number}", 5000)) for number in range(5)))
MIXED = live(
    shielded("a", 4000, yes_no("x", 3000), choice("y", 2000, 8000)),
    shielded("b", 6000, yes_no("z", 5000), refusal=2000),
)


@pytest.mark.parametrize("design", [FIVE, MIXED])
def test_no_possible_row_reveals_more_than_the_label_promises(design: Design) -> None:
    odds = promise(design)
    assert odds is not None
    pairs = [two_rows(block) for block in design.blocks]
    largest = 0.0
    for sent in itertools.product(*(block_rows(block) for block in design.blocks)):
        ratio = 1.0
        for block, row, (one, other) in zip(design.blocks, sent, pairs, strict=True):
            decoy = (1 - block.truth) * unrelated_probability(block, row)
            ratio *= float((block.truth * (row == one) + decoy) / (block.truth * (row == other) + decoy))
        largest = max(largest, ratio)
    assert largest == pytest.approx(float(odds.everything))


def test_devices_reach_the_stated_risk_but_exceed_a_per_block_one() -> None:
    """The naive target, which must be broken: the odds of the strongest part alone."""
    found = believe_rows(FIVE, Coins(words(np.random.default_rng(3))), devices=300)
    assert found.max_posterior == pytest.approx(243 / 244)
    assert found.max_posterior > 0.75
    assert found.right > 0.75 * found.devices


@pytest.mark.parametrize("refusal", [None, 300])
def test_rotating_questions_also_reach_the_stated_risk(refusal: int | None) -> None:
    part = shielded("a", 5000, yes_no("x", 4000), choice("y", 3000, 7000), yes_no("z", 5000), refusal=refusal)
    design = Design(
        blocks=(replace(part, questions_per_person=2), *FIVE.blocks[:3]),
        group=GroupPolicy(),
        use="live",
        rotations=(Rotation(blocks=("b0", "b1", "b2"), parts_per_person=2),),
    )
    odds = promise(design)
    assert odds is not None
    gamma = float(odds.everything)
    found = believe_rows(design, Coins(words(np.random.default_rng(4))), devices=400)
    assert found.max_posterior == pytest.approx(gamma / (1 + gamma))


def test_undisguised_blocks_are_refused() -> None:
    with refused("open_block"):
        believe_rows(live(opened("you", yes_no("a")), even(5000, 1)), Coins([]), devices=1)
