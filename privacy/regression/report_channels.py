"""Channels of a survey's questions as a regression needs them, one for each group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privacy.channels import Channel, Retention
from privacy.coins import SCALE
from privacy.survey.design import Design


def report_channels(design: Design, items: Sequence[int]) -> Sequence[Retention | Channel]:
    """Return each group's channel for items of one block, direct group first.

    Parameters
    ----------
    design : Design
    items : sequence of int
        Items of one protected block. The last item varies fastest; a skip is the last letter.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> [channel.matrix[1, 1] for channel in report_channels(design, [0])]
    [Fraction(1, 1), Fraction(3, 4)]
    """
    block = design.blocks[design.items[items[0]].block]
    q = [Fraction(1)]
    for item in items:
        yes = design.questions[design.items[item].question].unrelated[design.items[item].option]
        q = [
            share * probability
            for share in q
            for probability in (1 - Fraction(yes, SCALE), Fraction(yes, SCALE))
        ]
    skip = None if block.refusal is None else Fraction(block.refusal, SCALE)
    return [
        Retention.grouping(block.truth_in(direct=direct), q, skip_probability=skip)
        for direct in (True, False)
    ]
