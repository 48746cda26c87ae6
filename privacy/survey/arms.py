"""Arms of an experiment inside a survey: drawn by the device, before groups, rotation and disguises."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from privacy.coins import SCALE, Coins
from privacy.survey.design import Design
from privacy.survey.question import Question


def arm_at(question: Question, draw: int) -> int:
    """Return the option that a number below 10,000 represents: the first whose running sum exceeds it.

    Parameters
    ----------
    question : Question
        A question of arms; its shares are ten-thousandths that sum to 10,000.
    draw : int
        In 0..9,999.

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


def invited_draw(digest: bytes, *, survey: str, decided: str) -> int:
    """Return the number below 10,000 that an invitation has, in place of a draw.

    Parameters
    ----------
    digest : bytes
        The 32 under which the code is kept.
    survey : str
        Its key.
    decided : str
        Key of the question of arms, or ``"group"``.

    Notes
    -----
    The first 8 bytes, big-endian, of SHA-256("sotto-arm-1" 0 survey 0 decided 0 digest), modulo 10,000: no
    number is more likely than another by more than 5e-16.

    Examples
    --------
    >>> invited_draw(bytes(32), survey="a", decided="told")
    7168
    """
    names = b"".join(name.encode() + b"\0" for name in ("sotto-arm-1", survey, decided))
    return int.from_bytes(hashlib.sha256(names + digest).digest()[:8], "big") % SCALE


def invited_arms(design: Design, digests: Iterable[bytes], *, survey: str) -> dict[str, int]:
    """Count invitations by the arm they determine; empty if devices draw everything.

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
        counts[names[_position(shares, invited_draw(digest, survey=survey, decided=design.invited))]] += 1
    return counts


def draw_arms(design: Design, coins: Coins, *, invited: int | None = None) -> tuple[int, ...]:
    """Draw the arm of one person in each question of arms.

    Parameters
    ----------
    design : Design
    coins : Coins
        A separate source of coins: these draws are shown to the respondent and sent undisguised.
    invited : int, optional
        The invitation's number for the question that it determines; the device's own draw is discarded.

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
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> design = Design(blocks=(Block(key="told", protected=False, truth_probability=10_000, refusal=None,
    ...     asked_if=None, questions=(told,)),), group=GroupPolicy(), use="live")
    >>> design.mechanism, draw_arms(design, Coins([4_294_967_295, 3999])), draw_arms(design, Coins([4000]))
    (6, (0,), (1,))
    """
    draws = [(design.questions[number], coins.draw()) for number in design.arms]
    return tuple(
        arm_at(question, invited if question.key == design.invited and invited is not None else draw)
        for question, draw in draws
    )
