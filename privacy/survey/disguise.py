"""Disguising the answers to each block, as devices do.

Arms are drawn before groups, rotation and disguises. In the improved grouping unrelated-question model, the
device of a protected respondent reports each protected block unchanged with probability p. Otherwise it
reports a decoy: each question's answer is drawn independently from its unrelated distribution.
"""

from __future__ import annotations

from typing import cast

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import Design
from privacy.survey.drawn_questions import checked_drawn
from privacy.survey.layout import Record
from privacy.survey.question import Value
from privacy.survey.true_answers import Answers, read_answers


def disguise(
    design: Design, answers: Answers, *, direct: bool, coins: Coins, drawn: Drawn | None = None
) -> Record:
    """Disguise the true answers of one respondent.

    Parameters
    ----------
    design : Design
        Mechanism and probabilities.
    answers : mapping
        True answers, in the form that `privacy.survey.true_answers.read_answers` describes.
    direct : bool
        Whether the respondent is in the direct group. Its answers are sent undisguised, or lightly disguised
        if the design has a light strength.
    coins : Coins
        Source of the `design.draws` draws. Their number does not depend on answers, group or coins.
    drawn : Drawn, optional
        The questions that the device asks (`privacy.survey.drawn_questions.draw_questions`); required if the
        design rotates.

    Returns
    -------
    Record
        The record to send; `privacy.survey.layout.Layout.pack` encodes it.

    Raises
    ------
    PrivacyError
        The answers do not fit the design, or ``group``: the policy has no such group.

    Notes
    -----
    For each protected block, in design order, the device draws the coin (truth iff below p); if a skip is
    offered, its decoy (skipped iff below r); and for each question its decoy. A yes/no question uses one draw
    (yes iff below theta), a single choice one (the first option whose cumulative share exceeds the draw), a
    multi-select one per option. In a rotating block, the device draws decoys for all questions and keeps
    those of the booklet. It chooses between truth and decoy only afterwards, so the number of words that it
    uses reveals nothing about the answers. A number or a place instead uses one draw below the total of its
    disguise, or of its `privacy.scales.skips.Skipping` if it may be skipped. With two strengths, the draw
    is below the least common multiple L of both totals, and a group with total T uses the draw div (L / T).

    References
    ----------
    Kan and Cao, section 3 (alpha, beta and theta there), but with one coin per block instead of one per
    respondent.

    Examples
    --------
    >>> from privacy.survey.block import Block
    >>> from privacy.survey.question import Question
    >>> from privacy.survey.group_policy import GroupPolicy
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(affair,)),), group=GroupPolicy(), use="live")
    >>> yes = {"marriage": {"affair": 1}}
    >>> disguise(design, yes, direct=False, coins=Coins([5999, 5000])).answers  # coin below p: truth
    ((1,),)
    >>> disguise(design, yes, direct=False, coins=Coins([6000, 5000])).answers  # decoy: no
    ((0,),)
    """
    if not design.group.allows(direct=direct):
        raise PrivacyError("group", direct, policy=design.group.policy)
    reports: list[tuple[Value | None, ...]] = []
    skips: list[bool] = []
    asked_of: list[Booklet] = []
    truths = read_answers(design, answers, drawn)
    for block, positions, (values, skipped) in zip(
        design.blocks, checked_drawn(design, drawn), truths, strict=True
    ):
        is_asked = skipped or values is not None
        if block.protected and block.is_scale:
            draw = coins.below(block.scale_total)
            if is_asked:
                truth = None if values is None else cast(int, values[0])
                value = block.scale_sent(truth, draw, direct=direct)
                values, skipped = (None, True) if value is None else ((value,), False)
        elif block.protected:
            coin, strength = coins.draw(), block.in_group(direct=direct)
            decoy_skipped = block.refusal is not None and coins.draw() < block.refusal
            decoys = [question.draw_decoy(coins) for question in block.questions]
            decoy = tuple(value if position in positions else None for position, value in enumerate(decoys))
            if is_asked and strength is not None and coin >= strength.truth_probability:
                values, skipped = (None, True) if decoy_skipped else (decoy, False)
        reports.append((None,) * len(block.questions) if values is None else values)
        skips.append(skipped)
        asked_of.append(positions if is_asked else ())
    return Record(
        direct=direct,
        answers=tuple(reports),
        refused=tuple(skips),
        drawn=tuple(asked_of) if design.rotates else None,
    )
