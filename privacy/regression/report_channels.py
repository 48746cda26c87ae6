"""Channels between having some items of one block and what a row shows of them, by group of devices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privacy.channels.channel import Channel
from privacy.channels.retention import Retention
from privacy.coins import SCALE
from privacy.survey.design import Design

__all__ = ["report_channels"]


def report_channels(design: Design, items: Sequence[int]) -> Sequence[Retention | Channel]:
    """Return how each group's devices report whether items of one block are had, the direct group first.

    Parameters
    ----------
    design : Design
    items : sequence of int
        Of one protected block; the first item's answer changes last, a skip is the last letter.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> [channel.matrix[1, 1] for channel in report_channels(design, [0])]
    [Fraction(1, 1), Fraction(3, 4)]
    """
    block = design.blocks[design.items[items[0]].block]
    q = [Fraction(1)]
    for item in items:
        yes = design.questions[design.items[item].question].unrelated[design.items[item].option]
        q = [share * chance for share in q for chance in (1 - Fraction(yes, SCALE), Fraction(yes, SCALE))]
    skip = None if block.refusal is None else Fraction(block.refusal, SCALE)
    return [
        Retention.grouping(block.truth_in(direct=direct), q, skip_probability=skip)
        for direct in (True, False)
    ]
