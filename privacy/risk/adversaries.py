"""Adversaries of a row, from ignorant to well informed, and the rows each identifies as true.

Further attacks: known answers, repeated draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy import validation
from privacy.coins import SCALE
from privacy.entropy import entropy
from privacy.risk.budget import least_likely_decoy
from privacy.risk.constrained_prior import ExclusivePrior
from privacy.risk.gathering import Part
from privacy.risk.posterior import Prevalence, SentRow
from privacy.risk.reidentification import reidentification_rate
from privacy.risk.row_distribution import (
    NearRowDistribution,
    RowDistribution,
    answer_shares,
    gathered,
    joined_parts,
    knowing_one,
    parts_of,
    row_distribution,
    with_skip,
)
from privacy.survey.block import Block, BlockAnswers
from privacy.survey.grouping import unrelated_probability
from privacy.survey.question import Value

__all__ = [
    "Attacker",
    "AttackerName",
    "KnownAnswers",
    "attackers",
    "excluding",
    "ignorant",
    "knowing",
    "known_answers",
    "redraw_exposure",
]


AttackerName: TypeAlias = Literal["nothing", "marginals", "joint", "exclusions", "one_fact"]

EXCLUSIONS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Attacker:
    """Reidentification rates of one adversary in the rows of a block.

    Parameters
    ----------
    name : {"nothing", "marginals", "joint", "exclusions", "one_fact"}
        Holds all rows for equally likely; knows how frequent each answer is; knows how frequent each whole
        row is; knows the marginals and some rows that are not this person's; knows the marginals and one
        true answer of this person.
    knows : str
        Which answer, or how many exclusions; empty else.
    truthful : tuple of float
        Share of truthful rows recognised at each of `privacy.risk.reidentification.LEVELS`.
    highest : float
        Largest coin posterior that any row can have.
    exact : bool
        False where these are upper bounds.
    """

    name: AttackerName
    knows: str
    truthful: tuple[float, ...]
    highest: float
    exact: bool


def attackers(
    block: Block,
    prevalence: Prevalence,
    *,
    distribution: RowDistribution | None = None,
    joint: RowDistribution | None = None,
    exclusions: int = EXCLUSIONS,
    exclusive: ExclusivePrior | None = None,
) -> tuple[Attacker, ...]:
    """Measure each adversary on the rows of a protected block.

    Parameters
    ----------
    block : Block
    prevalence : mapping
        See `privacy.risk.posterior.check_prevalence`.
    distribution : RowDistribution, optional
        What `row_distribution` makes of block and prevalence, where it is known already.
    joint : RowDistribution, optional
        Chances of whole rows where they are known; the joint attacker is left out without it.
    exclusions : int
        How many rows the fourth attacker can exclude; fewer where the block has no more, and left out at 0.
    exclusive : ExclusivePrior, optional
        Chances of the rows where answers exclude each other: all but the first attacker know that they do.

    Returns
    -------
    tuple of Attacker
    """
    distribution = distribution or row_distribution(block, prevalence, exclusive=exclusive)
    if isinstance(distribution, NearRowDistribution):
        return _of_near_rows(block, prevalence, distribution)
    count = validation.whole_number(exclusions, "exclusions", low=0, high=10**6, code="exclusions")
    count = min(count, block.patterns + (block.refusal is not None) - 2)
    part = most_telling(block, prevalence)
    seen: list[tuple[AttackerName, str, RowDistribution]] = [
        ("nothing", "", ignorant(distribution)),
        ("marginals", "", distribution),
        ("one_fact", part.key, knowing(block, prevalence, part.key, exclusive)),
    ]
    if count:
        seen.insert(2, ("exclusions", str(count), excluding(distribution, count)))
    if joint is not None:
        seen.insert(2, ("joint", "", joint))
    return tuple(_attacker(*view) for view in seen)


def _attacker(name: AttackerName, knows: str, view: RowDistribution) -> Attacker:
    return Attacker(
        name=name,
        knows=knows,
        truthful=reidentification_rate(view),
        highest=float(view.highest_truthful_posterior.max()),
        exact=view.exact,
    )


def _of_near_rows(
    block: Block, prevalence: Prevalence, distribution: NearRowDistribution
) -> tuple[Attacker, ...]:
    """Give posteriors from near-truth rows by adversary: the best discrimination from fair coins."""
    part = most_telling(block, prevalence)
    number = next(position for position, question in enumerate(block.questions) if question.key == part.key)
    shares = [prevalence[question.key][0] / SCALE for question in block.questions]
    return (
        _attacker("nothing", "", ignorant(distribution)),
        _attacker("marginals", "", distribution),
        _attacker("one_fact", part.key, knowing_one(block, shares, number)),
    )


def ignorant(distribution: RowDistribution) -> RowDistribution:
    """Return the distribution for an adversary who gives every row the same prior.

    With decoys that are fair coins no row then says more than another: the coin posterior is p.

    Parameters
    ----------
    distribution : RowDistribution
        Of the rows of a block.
    """
    highest = float(distribution.log_rows.max())
    log_total = highest + math.log(float(np.exp(distribution.log_rows - highest).sum()))
    return distribution.seen_by(np.full(len(distribution.log_prior), -log_total))


def excluding(distribution: RowDistribution, count: int) -> RowDistribution:
    """Return the distribution for an adversary who excludes `count` rows that are not the true one.

    Parameters
    ----------
    distribution : RowDistribution
        Of the rows of a block.
    count : int
        Rows that the adversary rules out, 0 or more.

    Notes
    -----
    P(y) becomes P(y)/(1 - P(E)), where E are the likeliest rows other than y: no other exclusions of that
    many rows help more.
    """
    order = np.argsort(-distribution.log_prior, kind="stable")
    rows = np.exp(distribution.log_rows[order])
    prior = np.exp(distribution.log_prior[order])
    before = np.cumsum(rows) - rows

    def likeliest(number: int) -> float:
        return float((prior * np.clip(number - before, 0.0, rows)).sum())

    # A row among the likeliest cannot be excluded itself: the next one takes its place.
    among = before < count
    excluded = np.where(among, likeliest(count + 1) - prior, likeliest(count))
    with np.errstate(divide="ignore"):
        left = np.log(np.maximum(1 - excluded, prior))
    held = np.empty(len(order))
    held[order] = np.minimum(distribution.log_prior[order] - np.where(np.isfinite(left), left, 0.0), 0.0)
    return distribution.seen_by(held)


def most_telling(block: Block, prevalence: Prevalence) -> Part:
    """Return the part of largest prior entropy, whose true answer informs an adversary most."""
    return max(parts_of(block, prevalence), key=lambda part: float(entropy(part.prior)))


def knowing(
    block: Block, prevalence: Prevalence, key: str, exclusive: ExclusivePrior | None = None
) -> RowDistribution:
    """Return the distribution for an adversary who knows the true answer to one part of the block.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        Ten-thousandths of each answer, by the key of the question.
    key : str
        Of the part: a question, or ``question=option`` of a multi-select.
    exclusive : ExclusivePrior, optional
        Chances of the rows where answers exclude each other: to know one then tells something of others.

    Notes
    -----
    Rows that contradict the answer are decoys for sure. The others have p P(rest)/(p P(rest) + (1 - p) q(y)),
    q(y) with the chance that a decoy shows the known answer.
    """
    parts = parts_of(block, prevalence)
    keys = {part.key: number for number, part in enumerate(parts)}
    number = keys[validation.one_of(key, "known answer", allowed=keys, code="unknown_item")]
    known = parts[number]
    others = [part for part in parts if part is not known]
    rests = [
        gathered(block, others if exclusive is None else joined_parts(exclusive, (number, answer)))
        for answer in range(1 if exclusive is None else len(known.prior))
    ] * (len(known.prior) if exclusive is None else 1)
    with np.errstate(divide="ignore"):
        shares = known.prior if exclusive is None else answer_shares(exclusive, number)
        prior, decoy = np.log(shares), np.log(known.decoy)
    distribution = replace(
        rests[0],
        log_prior=np.concatenate([rest.log_prior + more for rest, more in zip(rests, prior, strict=True)]),
        log_decoy=np.concatenate([rest.log_decoy + more for rest, more in zip(rests, decoy, strict=True)]),
        log_rows=np.concatenate([rest.log_rows for rest in rests]),
        log_held=np.concatenate([rest.log_prior for rest in rests]),
        slack=max(rest.slack for rest in rests),
    )
    return with_skip(distribution, block)


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
        Which answers exclude each other: an adversary who knows one of them knows that the others are not
        true.

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
