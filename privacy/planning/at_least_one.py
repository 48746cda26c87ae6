"""Precision of the share of people with at least one of several answers, before anyone answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from privacy.coins import SCALE
from privacy.planning.power import AskedItem
from privacy.planning.precision import half_width
from privacy.planning.use import Goal, strong
from privacy.survey.design import Design


def at_least_one_half_width(design: Design, aim: Goal, keys: Sequence[str], share: float) -> float:
    """Return the half-width of the 95% interval of *at least one of these*, under one coin.

    Parameters
    ----------
    design : Design
    aim : Goal
        With the number of people.
    keys : sequence of str
        Yes/no questions.
    share : float, in [0, 1]
        Guessed share of people with at least one of them.

    Returns
    -------
    float
        Infinity if they do not share a block, or someone is asked only some of them.

    Notes
    -----
    Random answers are independent: at least one is yes with (1 - r) (1 - prod(1 - theta)), where r is the
    probability of a skip among random answers. With it, the half-width is that of a single answer
    (`privacy.planning.precision.half_width`), because estimates of *at least one* only use whether a row
    shows one.

    Examples
    --------
    300 people, p = .5, three answers with theta = 1/2 and no skip, a share of one half: reports show one with
    .5 (.5) + .5 (7/8) = .6875, and 1.96 sqrt(.6875 (.3125) / 300) / .5 = .105.

    >>> from privacy.survey.block import Block
    >>> from privacy.survey.group_policy import GroupPolicy
    >>> from privacy.survey.question import Question
    >>> asked = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> block = Block(key="b", protected=True, truth_probability=5000, questions=asked)
    >>> design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    >>> round(at_least_one_half_width(design, Goal(people=300), "abc", .5), 3)
    0.105
    """
    numbers = [number for number, each in enumerate(design.questions) if each.key in keys]
    blocks = {design.block_of(number) for number in numbers}
    asked = design.drawn_together(numbers)
    if len(blocks) != 1 or len(numbers) != len(keys) or asked != design.drawn_together(numbers[:1]):
        return math.inf
    block = strong(design.blocks[blocks.pop()])
    none = math.prod(1 - design.questions[number].unrelated[0] / SCALE for number in numbers)
    item = AskedItem(
        truth=float(block.truth_in(direct=False)) if block.protected else 1.0,
        decoy=(1 - (block.refusal or 0) / SCALE) * (1 - none) if block.protected else 0.0,
        share=share,
        share_asked=asked,
    )
    return half_width(item, aim.people)
