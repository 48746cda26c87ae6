"""How strong a light strength is: a power of the strong one's bound, limited by the sum over one person."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from privacy.channels.amplification import amplification_below, effective_epsilon
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.policy import EPSILON_WARN_LIGHT, LEAST_LIGHT_POWER, MOST_LIGHT_POWER, MOST_LIGHT_TRUTH
from privacy.risk.budget import BlockBudget, block_budget
from privacy.risk.promise import largest_amplification
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.skipping import Disguise
from privacy.scales.window import WindowChannel
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.strengths import Light

__all__ = ["LightProposal", "largest_truth_probability", "lighter", "proposed_light"]

_NEAR: Final = 1e-9
"""Of a power that is not a whole number: so much of a ten-thousandth is an error of the machine."""


@dataclass(frozen=True, kw_only=True)
class LightProposal:
    """A light strength for each protected block of a design.

    Parameters
    ----------
    power : float
        s: the gamma of each light strength is that of the strong one to the power of s, or below.
    lights : tuple of int, WindowChannel, PlanarWindowChannel or None
        One per block, None for an open one.
    """

    power: float
    lights: tuple[Light | None, ...]


def largest_truth_probability(gamma: Fraction, least_decoy: Fraction) -> Fraction:
    """Return the largest p of a block whose rows amplify by at most gamma.

    Parameters
    ----------
    gamma : Fraction, at least 1
    least_decoy : Fraction, in (0, 1]
        q of the least likely decoy.

    Notes
    -----
    From 1 + p/((1 - p) q) <= gamma: p = (gamma - 1) q/(1 + (gamma - 1) q).

    Examples
    --------
    Five yes/no questions with theta = 1/2.

    >>> largest_truth_probability(Fraction(19), Fraction(1, 32))
    Fraction(9, 25)
    """
    if gamma < 1:
        raise PrivacyError("gamma", gamma)
    if not 0 < least_decoy <= 1:
        raise PrivacyError("decoy", least_decoy)
    odds = (gamma - 1) * least_decoy
    return odds / (1 + odds)


def proposed_light(design: Design) -> LightProposal | None:
    """Return the light strengths that are proposed beside the strong ones of a design.

    Parameters
    ----------
    design : Design
        Its light strengths, if it has some, and its group policy do not matter.

    Returns
    -------
    LightProposal or None
        None where no light strength is offered: where nothing is protected, a part has no bound or a disguise
        that no epsilon makes, a place is sent exactly, or s would be below 1.25: groups much the same.

    Notes
    -----
    With G the largest product of the gammas of parts that one device is asked together, s = min(2, 6 / ln G).
    A part with gamma_1 gets gamma_0 = gamma_1^s. A coin with q, the probability of its least likely decoy,
    "skipped" included, has gamma = 1 + p / ((1 - p) q), hence

        p_0 = (gamma_0 - 1) q / (1 + (gamma_0 - 1) q),

    rounded down to ten-thousandths, at most .95. A number gets its own mechanism with epsilon s ln gamma_1, a
    place its own windows with that ratio.

    Examples
    --------
    One yes/no question, p = .5 and fair decoys: gamma_1 = 3, gamma_0 = 9, p_0 = 8 .5 / (1 + 8 .5).

    >>> from privacy.survey import GroupPolicy, Question
    >>> def part(n):
    ...     question = Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...     return Block(key=f"b{n}", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...                  questions=(question,))
    >>> def ask(count):
    ...     return Design(blocks=tuple(map(part, range(count))), group=GroupPolicy(), use="live")
    >>> proposed_light(ask(1))
    LightProposal(power=2.0, lights=(8000,))
    >>> proposed_light(ask(4)).lights  # s = 6 / (4 ln 3) = 1.365
    (6351, 6351, 6351, 6351)
    >>> proposed_light(ask(5)) is None  # 1.092
    True
    """
    strong = [block.in_group(direct=False) for block in design.blocks]
    if any(block is not None and block.is_scale and not _has_lighter(block.disguise) for block in strong):
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
    return LightProposal(power=power, lights=tuple(lights))


def _light(block: Block, bound: BlockBudget, power: float) -> Light | None:
    """Return the light strength of one block; None where it would be no lighter than the strong one."""
    if block.is_scale:
        return lighter(block.disguise, power * bound.epsilon)
    truth = _light_truth(block, bound, power)
    return truth if truth > block.truth_probability else None


def _light_truth(block: Block, bound: BlockBudget, power: float) -> int:
    """Return p, in ten-thousandths, of a coin whose gamma is the strong one's to this power; 0 for none."""
    gamma = bound.amplification
    if gamma is None or gamma == 1:
        return 0
    truth = block.truth
    decoy = truth / (1 - truth) / (gamma - 1)
    if power.is_integer():
        return min(
            MOST_LIGHT_TRUTH, math.floor(SCALE * largest_truth_probability(gamma ** int(power), decoy))
        )
    odds = math.expm1(power * effective_epsilon(gamma)) * float(decoy)
    return min(MOST_LIGHT_TRUTH, math.floor(SCALE * odds / (1 + odds) + _NEAR))


def lighter(disguise: Disguise, epsilon: float) -> Disguise:
    """Return the disguise of the same answers and items with another bound.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Of a number, by one of the mechanisms of `privacy.scales.numeric_mechanisms.BY_EPSILON`; of a place
        that is never sent exactly, by one level.
    epsilon : float, 0.01 to 20

    Raises
    ------
    PrivacyError
        ``epsilon``; ``light``: a disguise that no epsilon makes.

    Notes
    -----
    A number's window becomes narrower with epsilon, as its mechanism has it. A place keeps its windows: items
    then follow their distribution as before, and "skipped" hides as well.

    Examples
    --------
    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import square_wave
    >>> ages = NumberRange(low=0, high=99)
    >>> lighter(square_wave(ages, 1.0), 2.0) == square_wave(ages, 2.0)
    True
    """
    if not _has_lighter(disguise):
        raise PrivacyError("light.mechanism", disguise.mechanism)
    if isinstance(disguise, WindowChannel):
        return replace(BY_EPSILON[disguise.mechanism](disguise.range, epsilon), spans=disguise.spans)
    gamma = amplification_below(epsilon)
    level = replace(disguise.levels[0], numerator=gamma.numerator, denominator=gamma.denominator)
    return replace(disguise, levels=(level,))


def _has_lighter(disguise: Disguise) -> bool:
    made = not isinstance(disguise, WindowChannel) or disguise.mechanism in BY_EPSILON
    return made and disguise.amplification is not None
