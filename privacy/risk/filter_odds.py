"""What several answers of one block reveal together about a filter that they share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from privacy.channels import retention_gamma
from privacy.coins import SCALE
from privacy.survey.block import Block
from privacy.survey.composed_block import shared_filters
from privacy.survey.possible_answers import possible_answers
from privacy.survey.question import Question


def filter_odds(block: Block) -> Fraction | None:
    """Return the largest likelihood ratio, over answers to a shared filter, of all reports computed from it.

    None if no two questions that one device is asked share a filter, and for p = 1. The odds of one answer
    hold for each report alone; these hold for the reports together, without the rest of what the device sent.

    Parameters
    ----------
    block : Block
        Protected, of one strength.

    Notes
    -----
    Of the questions S that contain the filter and that the device is asked, it reports the row y with
    probability p [x = y] + (1 - p)(1 - r) q(y). A respondent whose answers lead to y is this many times as
    likely to report it as one with another answer to the filter, which leads to another row:

        1 + p / ((1 - p)(1 - r) q(y)),   q(y) = product of q_i(y_i) over i in S.

    The result is its largest value over the rows that some answers lead to
    (`privacy.survey.possible_answers`), and over booklets. Rows that no answers lead to have the ratio 1. It
    is at most the amplification of the block, whose rows have further answers.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (amplification).

    Examples
    --------
    Two follow-ups in three levels at p = 1/2. The row *never, never* is sent by people who said no to the
    filter with probability 1/2 + 1/18, by others with 1/18:

    >>> from privacy.survey.component import Component, When, Whens
    >>> from privacy.survey.composite import Composite
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> ever = Component(key="ever", kind="yes_no", points=(0, 1), shared=True)
    >>> after_yes = Whens(terms=(When(component="ever", options=("yes",)),))
    >>> rules = [Composite(
    ...     components=(ever, Component(key=key, kind="yes_no", points=(0, 1), asked_if=after_yes)),
    ...     levels=tuple(Level(start=start, option=str(start)) for start in (None, 1, 2)),
    ...     missing=Gaps(at_most=0, fill="no_points")) for key in ("hit", "kicked")]
    >>> block = Block(key="b", protected=True, truth_probability=5000, questions=tuple(
    ...     Question(key=f"{rule.components[1].key}-often", kind="single", options=("None", "1", "2"),
    ...              unrelated=(3334, 3333, 3333), computed=rule) for rule in rules))
    >>> round(float(filter_odds(block)), 3)  # 1 + 1 / (.3333 * .3333)
    10.002
    """
    rarest = [
        probability
        for positions in shared_filters(block).values()
        for asked in _asked_together(block, positions)
        if len(asked) > 1 and (probability := _rarest(block, asked))
    ]
    if not rarest:
        return None
    return retention_gamma(block.truth, (1 - Fraction(block.refusal or 0, SCALE)) * min(rarest))


def _asked_together(block: Block, positions: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    """Return sets of these questions that one device is asked; of all sets of a size, the worst ones."""
    if block.booklets is not None:
        return {tuple(place for place in booklet if place in positions) for booklet in block.booklets}
    count = min(block.most_asked, len(positions))
    if count == len(positions):
        return [positions]
    # The questions with the least likely answers reveal most, and these may differ between sets of answers.
    boxes = possible_answers(block) or ((),)
    return {
        tuple(sorted(sorted(positions, key=lambda place: _least(block.questions[place], place, box))[:count]))
        for box in boxes
    }


def _rarest(block: Block, asked: tuple[int, ...]) -> Fraction:
    """Return the probability of the least likely random row of these questions that can be true."""
    boxes = possible_answers(block) or ((),)
    return min(
        math.prod((_least(block.questions[place], place, box) for place in asked), start=Fraction(1))
        for box in boxes
    )


def _least(question: Question, place: int, box: tuple[frozenset[int], ...]) -> Fraction:
    """Return the probability of the least likely random answer that a set of answers allows."""
    shares = question.decoy_shares
    of_answer = [1 - shares[0], shares[0]] if question.is_binary and not question.options else [*shares]
    return min(of_answer[value] for value in (box[place] if box else range(len(of_answer))))
