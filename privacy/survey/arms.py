"""Draw the arms of an experiment: on the device, or by its invitation."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from privacy.coins import SCALE, Coins
from privacy.survey.design import Design
from privacy.survey.question import Question


def arm_at(question: Question, draw: int) -> int:
    """Return the arm that a draw selects: the first option whose cumulative share exceeds it.

    Parameters
    ----------
    question : Question
        A question of arms; its shares are ten-thousandths that sum to 10,000.
    draw : int
        From 0 to 9,999.

    Examples
    --------
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> arm_at(told, 3999), arm_at(told, 4000), arm_at(told, 9999)
    (0, 1, 1)
    """
    return _position(question.shares, draw)


def _position(shares: Iterable[int], draw: int) -> int:
    return bisect_right(list(accumulate(shares)), draw)


def invited_draw(digest: bytes, *, survey: str, decision: str) -> int:
    """Return the number below 10,000 that an invitation determines; it replaces the device's draw.

    Parameters
    ----------
    digest : bytes
        The 32-byte digest under which the invitation code is stored.
    survey : str
        Key of the survey.
    decision : str
        Key of the question of arms, or ``"group"``.

    Notes
    -----
    The number is the first 8 bytes, big-endian, of SHA-256("sotto-arm-1" 0 survey 0 decision 0 digest),
    modulo 10,000. The probabilities of any two numbers differ by at most 5e-16.

    Examples
    --------
    >>> invited_draw(bytes(32), survey="a", decision="told")
    7168
    """
    names = b"".join(name.encode() + b"\0" for name in ("sotto-arm-1", survey, decision))
    return int.from_bytes(hashlib.sha256(names + digest).digest()[:8], "big") % SCALE


def invited_arms(design: Design, digests: Iterable[bytes], *, survey: str) -> dict[str, int]:
    """Count invitations by the arm that they determine; empty if devices draw everything.

    Parameters
    ----------
    design : Design
        A design whose invitations determine a question of arms, or the strength.
    digests : iterable of bytes
        Digests under which the codes are stored.
    survey : str
        Key of the survey, part of the hash input.
    """
    counts = dict.fromkeys(design.invited_shares, 0)
    names, shares = list(counts), design.invited_shares.values()
    for digest in digests if counts else ():
        counts[names[_position(shares, invited_draw(digest, survey=survey, decision=design.invited))]] += 1
    return counts


def draw_arms(design: Design, coins: Coins, *, place: int | None = None) -> tuple[int, ...]:
    """Draw one respondent's arm in each question of arms.

    Parameters
    ----------
    design : Design
    coins : Coins
        A separate source of coins: these draws are shown to the respondent and sent undisguised.
    place : int, optional
        The invitation's number for the question that it determines; the device's own draw is discarded.

    Returns
    -------
    tuple of int
        Positions of options, by question of arms in design order.

    Notes
    -----
    There is one draw per question, in design order (see `arm_at`), independent of all other draws. So within
    an arm, reports have the distribution of the design.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> design = Design(blocks=(Block(key="told", protected=False, truth_probability=10_000,
    ...     questions=(told,)),), group=GroupPolicy(), use="live")
    >>> design.mechanism, draw_arms(design, Coins([4_294_967_295, 3999])), draw_arms(design, Coins([4000]))
    (6, (0,), (1,))
    """
    draws = [(design.questions[number], coins.draw()) for number in design.arms]
    return tuple(
        arm_at(question, place if question.key == design.invited and place is not None else draw)
        for question, draw in draws
    )
