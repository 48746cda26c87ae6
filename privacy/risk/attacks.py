"""Further attacks: known answers, the group flag, repeated draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.channels.bayes import bayes
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.budget import least_likely_decoy
from privacy.risk.constrained_prior import ExclusivePrior
from privacy.risk.sent_row import SentRow
from privacy.survey.block import Block, BlockAnswers
from privacy.survey.grouping import unrelated_probability
from privacy.survey.question import Value

__all__ = [
    "KnownAnswers",
    "flag_posterior",
    "known_answers",
    "redraw_exposure",
]

MOST_DRAWS: Final = 1000


@dataclass(frozen=True, kw_only=True)
class KnownAnswers:
    """Attack by answers known beforehand, when they are seen in the row.

    Parameters
    ----------
    keys : tuple of str
        The questions whose known answers tell most, most telling first.
    coin : Fraction
        Chance that the whole row is then the truth, before its other answers are looked at.
    asked : Fraction
        Share of people who are asked all of them: no other row shows them together.
    """

    keys: tuple[str, ...]
    coin: Fraction
    asked: Fraction = Fraction(1)


def known_answers(block: Block, exclusive: ExclusivePrior | None = None) -> tuple[KnownAnswers, ...]:
    """Return what one, two, ... known answers of a block give away at worst.

    Parameters
    ----------
    block : Block
        A protected block. Of a rotating one the questions of its worst booklet are known: nobody else's row
        shows them, and what is known of others is of no use.
    exclusive : ExclusivePrior, optional
        Which answers exclude each other: whoever knows one of them knows that the others are not true.

    Returns
    -------
    tuple of KnownAnswers
        One for each number of questions that a device asks, all of them last.

    Notes
    -----
    p/(p + (1 - p) q(known)), where the known answers are those that decoys show least often. The other
    answers then have the prior of the others alone: p P(r|K)/(p P(r|K) + (1 - p) q(known) q(r)). Where rows
    near the true one are sent it is the chance that no fair coins were: 1 - (1 - p) 2^-m / P(m answers come
    unturned).

    Examples
    --------
    >>> from privacy.survey import Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(5))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> [round(float(known.coin), 2) for known in known_answers(block)]
    [0.67, 0.8, 0.89, 0.94, 0.97]
    """
    asked_of, positions = block, block.worst_booklet
    block = block.of_booklet(positions)
    row = _answered(
        least_likely_decoy(replace(block, refusal=None))
        if exclusive is None
        else exclusive.least_likely_answer()
    )
    single: list[tuple[Value | None, ...]] = [
        tuple(value if position == known else None for position, value in enumerate(row))
        for known in range(len(row))
    ]

    def by_chance(known: tuple[Value | None, ...]) -> Fraction:
        return unrelated_probability(block, known) if exclusive is None else exclusive.shown_by_chance(known)

    order = sorted(range(len(row)), key=lambda position: by_chance(single[position]))
    attacks = []
    for count in range(1, len(row) + 1):
        known = set(order[:count])
        pattern = tuple(value if position in known else None for position, value in enumerate(row))
        keys = tuple(block.questions[position].key for position in order[:count])
        sent = SentRow(
            truth=Fraction(block.truth_probability, SCALE), prior=Fraction(1), decoy=by_chance(pattern)
        )
        coin = sent.coin if block.near is None else 1 - sent.drawn / block.near.margin(count)[0]
        share = asked_of.share_asked(positions[position] for position in known)
        attacks.append(KnownAnswers(keys=keys, coin=coin, asked=share))
    return tuple(attacks)


def _answered(row: BlockAnswers) -> tuple[Value, ...]:
    return () if isinstance(row, str) else row


def flag_posterior(prior: Fraction, *, among_carriers: Fraction, among_others: Fraction) -> Fraction:
    """Return the posterior of a property, given that a person chose the protected group.

    Parameters
    ----------
    prior : Fraction, 0 to 1
        Share who have it.
    among_carriers, among_others : Fraction, 0 to 1
        Shares of those who have it, and of those who do not, that choose protection; not both 0.

    Raises
    ------
    PrivacyError
        ``share``, or ``impossible``: nobody chooses protection.

    Examples
    --------
    80 % of carriers and 40 % of others choose protection: 10 % becomes 18 %.

    >>> flag_posterior(Fraction(1, 10), among_carriers=Fraction(8, 10), among_others=Fraction(4, 10))
    Fraction(2, 11)
    """
    for name, share in (("prior", prior), ("carriers", among_carriers), ("others", among_others)):
        validation.real_number(share, name, low=0, high=1, code="share")
    try:
        return bayes((prior, 1 - prior), (among_carriers, among_others))[0]
    except ZeroDivisionError:
        raise PrivacyError("impossible.protection", 0) from None


def redraw_exposure(block: Block, row: BlockAnswers, draws: int) -> Fraction:
    """Return the chance that a true row is sent at least twice, if its owner's answers are drawn anew.

    A row of many answers that comes twice is the truth, since no decoy comes twice.

    Parameters
    ----------
    block : Block
        A protected block.
    row : tuple of values, or "skipped"
        The true answers.
    draws : int, 1 to 1,000

    Notes
    -----
    With h = p + (1 - p) q(row), 1 - (1 - h)^d - d h (1 - h)^(d - 1). Devices draw once; this is what a client
    that drew again, or a wave with new coins, would cost.

    Examples
    --------
    Ten yes/no questions, p = .5, three draws.

    >>> from privacy.survey import Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> round(float(redraw_exposure(block, (1,) * 10, 3)), 2)
    0.5
    """
    count = validation.whole_number(draws, "draws", low=1, high=MOST_DRAWS, code="draws")
    truth = Fraction(block.truth_probability, SCALE)
    hit = (
        block.near.chance(0)
        if block.near is not None
        else truth + (1 - truth) * unrelated_probability(block, row)
    )
    return 1 - (1 - hit) ** count - count * hit * (1 - hit) ** (count - 1)
