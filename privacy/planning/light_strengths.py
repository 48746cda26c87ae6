"""The light strength proposed for each strong one."""

from __future__ import annotations

import math
from typing import Final

from privacy.channels import effective_epsilon
from privacy.coins import SCALE
from privacy.planning.largest_truth import largest_truth
from privacy.policy import EPSILON_WARN_LIGHT, LEAST_LIGHT_POWER, MOST_LIGHT_POWER, MOST_LIGHT_TRUTH
from privacy.risk.amplification import largest_amplification
from privacy.risk.budget import BlockBudget, block_budget
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.light import Light

_NEAR: Final = 1e-9
"""Rounding error allowed, in ten-thousandths, if the power is not an integer."""


def proposed_light(design: Design) -> tuple[Light | None, ...] | None:
    """Return the light strengths proposed for a design's strong ones.

    Parameters
    ----------
    design : Design
        Its light strengths, if any, and its group policy are ignored.

    Returns
    -------
    tuple of int, WindowChannel, PlanarWindowChannel or None
        One per block, None for an open block. The result is None if no light strength is offered: nothing is
        protected, a block has no bound or no adjustable epsilon, a place is sent exactly, or s would be below
        1.25, so that the groups would hardly differ.

    Notes
    -----
    With G the largest product of gammas of blocks that one device can be asked, s = min(2, 6 / ln G).
    A block with gamma_1 gets gamma_0 = gamma_1^s. If q is the probability of the least likely decoy,
    including "skipped", then gamma = 1 + p / ((1 - p) q), hence

        p_0 = (gamma_0 - 1) q / (1 + (gamma_0 - 1) q),

    rounded down to ten-thousandths, at most .95. A number keeps its mechanism, with epsilon s ln gamma_1. A
    place keeps its windows, with that ratio.

    Examples
    --------
    One yes/no question with p = .5 and fair decoys: gamma_1 = 3, gamma_0 = 9, p_0 = 8 .5 / (1 + 8 .5).

    >>> from privacy.survey.design import GroupPolicy, Question
    >>> def part(n):
    ...     question = Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...     return Block(key=f"b{n}", protected=True, truth_probability=5000,
    ...                  questions=(question,))
    >>> def ask(count):
    ...     return Design(blocks=tuple(map(part, range(count))), group=GroupPolicy(), use="live")
    >>> proposed_light(ask(1))
    (8000,)
    >>> proposed_light(ask(4))  # s = 6 / (4 ln 3) = 1.365
    (6351, 6351, 6351, 6351)
    >>> proposed_light(ask(5)) is None  # 1.092
    True
    """
    strong = [block.in_group(direct=False) for block in design.blocks]
    if any(block is not None and block.is_scale and not block.has_lighter for block in strong):
        return None
    bounds = {number: block_budget(block) for number, block in enumerate(strong) if block is not None}
    gamma = largest_amplification(
        design, {number: bound for number, bound in bounds.items() if not bound.is_anchor}
    )
    if gamma is None or gamma == 1:
        return None
    power = min(float(MOST_LIGHT_POWER), EPSILON_WARN_LIGHT / effective_epsilon(gamma))
    if power < LEAST_LIGHT_POWER:
        return None
    lights: list[Light | None] = []
    for number, block in enumerate(strong):
        light = None if block is None else _light(block, bounds[number], power)
        if block is not None and light is None:
            return None
        lights.append(light)
    return tuple(lights)


def _light(block: Block, bound: BlockBudget, power: float) -> Light | None:
    """Return the light strength of one block; None if it would not be lighter than the strong one."""
    if block.is_scale:
        return block.lighter(power * bound.epsilon)
    truth = _light_truth(block, bound, power)
    return truth if truth > block.truth_probability else None


def _light_truth(block: Block, bound: BlockBudget, power: float) -> int:
    """Return p, in ten-thousandths, that raises gamma of the strong coin to a power; 0 if there is none."""
    gamma = bound.amplification
    if gamma is None or gamma == 1:
        return 0
    truth = block.truth
    decoy = truth / (1 - truth) / (gamma - 1)
    if power.is_integer():
        return min(MOST_LIGHT_TRUTH, largest_truth((gamma ** int(power) - 1) * decoy))
    odds = math.expm1(power * effective_epsilon(gamma)) * float(decoy)
    return min(MOST_LIGHT_TRUTH, math.floor(SCALE * odds / (1 + odds) + _NEAR))
