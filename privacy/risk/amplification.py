"""The largest amplification of everything a device sends, and the promise that follows from it.

The promise says how sure anyone can become about a respondent from everything the device sends, and from a
single answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from privacy.risk.budget import BlockBudget, binding_bounds, block_budget, question_odds, skip_odds
from privacy.risk.filter_odds import filter_odds
from privacy.risk.promise import Promise
from privacy.survey.design import Design


def promise(design: Design) -> Promise | None:
    """Return the promise of a design of one strength; None if no protected block has a bound.

    Parameters
    ----------
    design : Design
        A design of one strength: see `Design.in_group`.

    Notes
    -----
    "Everything" is the largest product of amplifications of blocks that one device can be asked together
    (`largest_amplification`), "answer" the largest `question_odds`, "skip" the largest `skip_odds`, and
    "shared" the largest `privacy.risk.filter_odds.filter_odds`. One answer, and the answers computed from one
    filter, are parts of everything sent, so neither figure is above "everything".

    An anchor has the same true answer for everyone. Two respondents who answer it truthfully have equal
    probabilities for that report, whatever their other answers, so its factor is 1 and the product omits it.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (amplification).
    """
    bounds = {number: block_budget(block) for number, block in enumerate(design.blocks) if block.protected}
    summands = {number: bound for number, bound in bounds.items() if bound.is_summed}
    gamma = largest_amplification(design, summands) if summands else None
    if gamma is None:
        return None
    blocks = [design.blocks[number] for number in summands]
    answers = [odds for block in blocks if (odds := question_odds(block)) is not None]
    skips = [odds for block in blocks if (odds := skip_odds(block)) is not None]
    filters = [odds for block in blocks if (odds := filter_odds(block)) is not None]
    return Promise(
        everything=gamma,
        answer=max(answers),
        skip=max(skips, default=None),
        shared=max(filters, default=None),
        parts=len(binding_bounds(summands.values(), design.rotations)),
        not_composed=any(bound.exact_outside for bound in bounds.values()),
        anchors=sum(bound.is_anchor for bound in bounds.values()),
    )


def largest_amplification(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction | None:
    """Return G, the largest product of gammas of blocks that one device can be asked.

    Parameters
    ----------
    design : Design
    bounds : mapping of block number to BlockBudget
        The blocks to multiply.

    Returns
    -------
    Fraction or None
        None if a block has no bound.

    Notes
    -----
    The open answers determine which blocks are asked. The channels of these blocks are independent, so their
    joint amplification is prod gamma_b, however the answers to them are related. The posterior G / (1 + G) at
    an even prior is attained by a distribution that puts one half each on two whole rows.

    Conditions on one earlier open question each form a forest. Among the blocks that depend on one question,
    those that share one of its answers can be asked together; blocks that depend on different questions
    always can. A block with an AND of conditions is treated as depending only on the last of them, and a
    block with an OR as unconditional. Dropping a condition never reduces the blocks that can be asked
    together, and gammas are at least 1, so G remains an upper bound.

    From each rotation come the blocks with the largest gammas, as many as one device is asked, even if their
    conditions exclude each other. G is then an upper bound that no row attains.
    """
    if any(bound.amplification is None for bound in bounds.values()):
        return None
    whole = _largest_product(design, bounds)
    if not design.rotations:
        return whole
    rotated = {key for rotation in design.rotations for key in rotation.blocks}
    rest = {number: bound for number, bound in bounds.items() if bound.key not in rotated}
    worst = binding_bounds((bound for bound in bounds.values() if bound.key in rotated), design.rotations)
    gammas = (bound.amplification for bound in worst if bound.amplification is not None)
    return min(whole, _largest_product(design, rest) * math.prod(gammas, start=Fraction(1)))


def _largest_product(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction:
    """Return the largest product of gammas over all paths through the conditions."""
    steps = [None if route is None or route.joined == "any" else route.steps[-1] for route in design.routes]

    def together(numbers: Sequence[int]) -> Fraction:
        return math.prod((within(number) for number in numbers), start=Fraction(1))

    def within(number: int) -> Fraction:
        bound = bounds.get(number)
        if bound is not None and bound.amplification is not None:
            return bound.amplification
        return math.prod(
            (most(number, question) for question in range(len(design.blocks[number].questions))),
            start=Fraction(1),
        )

    def most(block: int, question: int) -> Fraction:
        conditional = [
            (number, step.values)
            for number, step in enumerate(steps)
            if step is not None and (step.block, step.question) == (block, question)
        ]
        answers = frozenset[int]().union(*(values for _number, values in conditional))
        ways = (
            together([number for number, values in conditional if answer in values]) for answer in answers
        )
        return max(ways, default=Fraction(1))

    return together([number for number, step in enumerate(steps) if step is None])
