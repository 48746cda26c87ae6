"""Probabilities of decoys, patterns and items of a disguised block."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.question import Value

BlockPattern: TypeAlias = Literal["skipped"] | Sequence[Value | None]
"""`SKIPPED`, or one value per question of the block; None matches any answer."""


def unrelated_probability(block: Block, pattern: BlockPattern) -> Fraction:
    """Return the probability q that a decoy of a protected block shows a pattern.

    Parameters
    ----------
    block : Block
        A protected block.
    pattern : "skipped", or sequence of (value or None), one per question
        None matches any answer; entries of a multi-select value may be None as well.

    Returns
    -------
    Fraction
        r for "skipped", otherwise (1 - r) times the product over questions, with r = 0 if no skip is
        offered.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(3000,))
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=(2000, 8000))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000, refusal=1000,
    ...               questions=(affair, mood))
    >>> unrelated_probability(block, (1, 0))  # .9 * .3 * .2
    Fraction(27, 500)
    >>> unrelated_probability(block, (1, None)), unrelated_probability(block, "skipped")
    (Fraction(27, 100), Fraction(1, 10))
    """
    _check_coin(block)
    return pattern_probability(block, block.unrelated, pattern)


def pattern_probability(block: Block, shares: Mapping[str, Sequence[int]], pattern: BlockPattern) -> Fraction:
    """Return the probability of a pattern if answers are independent and skips as likely as in decoys.

    Parameters
    ----------
    block : Block
        Protected.
    shares : mapping of question key to sequence of int
        Ten-thousandths, one per item.
    pattern : "skipped", or sequence of (value or None), one per question
        As for `unrelated_probability`.
    """
    skipped = Fraction(block.refusal or 0, SCALE)
    if isinstance(pattern, str):
        return skipped
    probabilities = [
        probability
        for question, value in zip(block.questions, pattern, strict=True)
        if value is not None
        for probability in question.probabilities(shares[question.key], value)
    ]
    return (1 - skipped) * _product(probabilities)


def _product(probabilities: Sequence[int]) -> Fraction:
    # Multiply integers so that the fraction is reduced once, not after each factor.
    return Fraction(math.prod(probabilities), SCALE ** len(probabilities))


def item_probability(design: Design, signs: Mapping[int, bool]) -> Fraction:
    """Return the probability that a decoy has some given items and lacks others.

    Parameters
    ----------
    design : Design
    signs : mapping of int to bool
        By item number, all items in one protected block; True for "has it", False for "answered without it".

    Examples
    --------
    Two options of one single choice exclude each other:

    >>> from privacy.survey.question import Question
    >>> from privacy.survey.design import GroupPolicy
    >>> mood = Question(key="mood", kind="single", options=("low", "fair", "high"),
    ...                 unrelated=(2000, 3000, 5000))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=(mood,))
    >>> design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    >>> item_probability(design, {0: True, 1: True}), item_probability(design, {0: False, 1: False})
    (Fraction(0, 1), Fraction(1, 2))
    """
    block_ids = {design.items[index].block for index in signs}
    if len(block_ids) != 1:
        raise PrivacyError("blocks.items", sorted(signs), count=len(block_ids))
    block = design.blocks[block_ids.pop()]
    check_protected(block)
    probability = 1 - Fraction(block.refusal or 0, SCALE)
    for number in {design.items[index].question for index in signs}:
        question = design.questions[number]
        options = {
            design.items[index].option: yes
            for index, yes in signs.items()
            if design.items[index].question == number
        }
        if question.is_exclusive:
            fitting = (
                share
                for option, share in enumerate((*question.decoy_shares, 1 - sum(question.decoy_shares)))
                if all((option == other) == yes for other, yes in options.items())
            )
            # The last share is the probability of having none of the items: 0 for a single choice.
            probability *= sum(fitting, Fraction(0))
        else:
            pattern = tuple(options.get(option) for option in range(question.n_items))
            probability *= _product(question.probabilities(question.unrelated, pattern))
    return probability


def check_protected(block: Block) -> None:
    """Refuse a block that is not disguised.

    Parameters
    ----------
    block : Block

    Raises
    ------
    PrivacyError
        ``open_block``: the block is stored as answered.
    """
    if not block.protected:
        raise PrivacyError("open_block", block.key)


def _check_coin(block: Block) -> None:
    check_protected(block)
    if block.is_scale:
        raise PrivacyError("lone", block.key)
