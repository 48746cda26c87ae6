"""Arms of an experiment inside a survey: drawn by the device, before groups, rotation and disguises."""

from __future__ import annotations

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.question import Question

__all__ = ["arm_at", "draw_arms"]


def arm_at(question: Question, draw: int) -> int:
    """Return the option that a number below 10,000 stands for: the first whose running sum exceeds it.

    Examples
    --------
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> arm_at(told, 3999), arm_at(told, 4000), arm_at(told, 9999)
    (0, 1, 1)
    """
    total = 0
    for position, share in enumerate(question.shares):
        total += share
        if draw < total:
            return position
    raise IndexError(draw)


def draw_arms(design: Design, coins: Coins) -> tuple[int, ...]:
    """Draw the arm of one person in each question of arms.

    Parameters
    ----------
    design : Design
    coins : Coins
        Of a fill of its own: what is drawn here is shown to the person, and sent in the clear.

    Returns
    -------
    tuple of int
        Positions of options, by question of arms in design order.

    Notes
    -----
    One draw a question, in design order, see `arm_at`. Independent of all other draws, so that within an arm
    the law of what devices send is that of the design.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> design = Design(blocks=(Block(key="told", protected=False, truth_probability=10_000, refusal=None,
    ...     asked_if=None, questions=(told,)),), group=GroupPolicy(), use="live")
    >>> design.mechanism, draw_arms(design, Coins([4_294_967_295, 3999])), draw_arms(design, Coins([4000]))
    (6, (0,), (1,))
    """
    return tuple(arm_at(design.questions[number], coins.draw()) for number in design.arms)
