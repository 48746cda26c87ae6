"""Precision of the share with at least one of several answers."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.planning.at_least_one import at_least_one_half_width
from privacy.planning.use import Goal
from privacy.survey.block import Block
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy


def _design(count: int, refusal: int | None, thetas: tuple[int, ...]) -> Design:
    questions = tuple(
        Question(key=f"k{number}", kind="yes_no", options=(), unrelated=(thetas[number],))
        for number in range(count)
    )
    block = Block(key="b", protected=True, truth_probability=4500, questions=questions, refusal=refusal)
    return Design(blocks=(block,), group=GroupPolicy(), use="live")


@pytest.mark.parametrize("refusal", [None, 1500])
@pytest.mark.parametrize("thetas", [(5000, 5000, 5000), (2000, 5000, 7000)])
def test_the_half_width_follows_from_the_law_of_the_reports(
    refusal: int | None, thetas: tuple[int, ...]
) -> None:
    """All 2^3 random answers and the skip are enumerated."""
    design, share = _design(3, refusal, thetas), Fraction(3, 10)
    answering = 1 - Fraction(refusal or 0, 10_000)
    shown = Fraction(0)
    for row in itertools.product((0, 1), repeat=3):
        chance = answering
        for theta, answer in zip(thetas, row, strict=True):
            chance *= Fraction(theta, 10_000) if answer else 1 - Fraction(theta, 10_000)
        shown += chance * any(row)
    truth = Fraction(45, 100)
    reported = truth * share + (1 - truth) * shown
    expected = 1.959964 * math.sqrt(reported * (1 - reported) / 300) / float(truth)
    half = at_least_one_half_width(design, Goal(people=300), ("k0", "k1", "k2"), float(share))
    assert half == pytest.approx(expected, rel=1e-6)


def test_answers_of_several_blocks_or_that_nobody_is_asked_together_have_no_width() -> None:
    design = _design(3, None, (5000,) * 3)
    (block,) = design.blocks
    apart = replace(
        design,
        blocks=(
            replace(block, questions=block.questions[:2]),
            replace(block, key="c", questions=block.questions[2:]),
        ),
    )
    assert math.isinf(at_least_one_half_width(apart, Goal(people=300), ("k1", "k2"), 0.5))
    turns = replace(
        design, blocks=(replace(block, questions_per_person=1, booklets=((0,), (1,), (2,))),), mechanism=0
    )
    assert math.isinf(at_least_one_half_width(turns, Goal(people=300), ("k0", "k1"), 0.5))
