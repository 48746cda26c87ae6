"""Adversaries of a row, from ignorant to well informed, and the rows each identifies as true.

Further attacks: known answers, repeated draws.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.channels import bayes
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.beliefs import BlockPrior, ItemPosition, SentRow, item_positions, sets_of_blocks
from privacy.risk.budget import Part
from privacy.risk.row_distribution import (
    RowDistribution,
    answer_shares,
    gathered,
    given_answer,
    joined_parts,
    parts_of,
    reidentification_rate,
    with_skip,
)
from privacy.survey.block import Block
from privacy.survey.design import Design

__all__ = [
    "MOST_COMBINATIONS",
    "Attacker",
    "AttackerName",
    "ImpossibleDecoys",
    "KnownAnswers",
    "attackers",
    "excluding",
    "exclusive_decoys",
    "ignorant",
    "knowing",
    "known_answers",
    "no_breach",
    "property_of",
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
        Share of truthful rows recognised at each of `privacy.risk.row_distribution.LEVELS`.
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
    prior: BlockPrior, distribution: RowDistribution, *, joint: RowDistribution | None = None
) -> tuple[Attacker, ...]:
    """Measure each adversary on the rows of a protected block.

    Parameters
    ----------
    prior : BlockPrior
        All but the first attacker know which answers exclude each other.
    distribution : RowDistribution
        What `row_distribution` makes of it.
    joint : RowDistribution, optional
        Probabilities of whole rows where they are known; the joint attacker is left out without it.

    Returns
    -------
    tuple of Attacker
        The one who excludes rows excludes 3, or fewer where the block has no more; left out at 0.
    """
    block = prior.block
    count = min(EXCLUSIONS, block.patterns + (block.refusal is not None) - 2)
    part = most_telling(prior)
    seen: list[tuple[AttackerName, str, RowDistribution]] = [
        ("nothing", "", ignorant(distribution)),
        ("marginals", "", distribution),
        ("one_fact", part.key, knowing(prior, part.key)),
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


def ignorant(distribution: RowDistribution) -> RowDistribution:
    """Return the distribution for an adversary who gives every row the same prior.

    With decoys that are fair coins no row then says more than another: the coin posterior is p.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.
    """
    highest = float(distribution.log_rows.max())
    log_total = highest + math.log(float(np.exp(distribution.log_rows - highest).sum()))
    return distribution.seen_by(np.full(len(distribution.log_prior), -log_total))


def excluding(distribution: RowDistribution, count: int) -> RowDistribution:
    """Return the distribution for an adversary who excludes `count` rows that are not the true one.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.
    count : int
        Number of rows that the adversary rules out, 0 or more.

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

    # A row among the likeliest cannot exclude itself: use the next one instead.
    among = before < count
    excluded = np.where(among, likeliest(count + 1) - prior, likeliest(count))
    with np.errstate(divide="ignore"):
        left = np.log(np.maximum(1 - excluded, prior))
    held = np.empty(len(order))
    held[order] = np.minimum(distribution.log_prior[order] - np.where(np.isfinite(left), left, 0.0), 0.0)
    return distribution.seen_by(held)


def most_telling(prior: BlockPrior) -> Part:
    """Return the part of largest prior entropy, whose true answer informs an adversary most."""
    return max(
        parts_of(prior.block, prior.prevalence), key=lambda part: float(scipy.special.entr(part.prior).sum())
    )


def knowing(prior: BlockPrior, key: str) -> RowDistribution:
    """Return the distribution for an adversary who knows the true answer to one part of the block.

    Parameters
    ----------
    prior : BlockPrior
        Prior of the block; if answers exclude each other, knowing one is informative about others.
    key : str
        Key of the part: a question, or ``question=option`` of a multi-select.

    Notes
    -----
    Rows that contradict the answer are decoys for sure. The others have p P(rest)/(p P(rest) + (1 - p) q(y)),
    q(y) with the probability that a decoy shows the known answer.
    """
    block = prior.block
    parts = parts_of(block, prior.shares)
    keys = {part.key: number for number, part in enumerate(parts)}
    number = keys[validation.one_of(key, "known answer", allowed=keys, code="unknown_item")]
    answers = len(parts[number].prior)
    tells_of_others = any(number in group.parts for group in prior.together)
    rests = [
        gathered(block, joined_parts(prior, (number, answer)))
        for answer in range(answers if tells_of_others else 1)
    ]
    rests *= answers // len(rests)
    distribution = given_answer(rests, answer_shares(prior, number), parts[number].decoy)
    return with_skip(distribution, block)


@dataclass(frozen=True, kw_only=True)
class KnownAnswers:
    """Attack by answers known beforehand, when they are seen in the row.

    Parameters
    ----------
    keys : tuple of str
        The questions whose known answers reveal most, most telling first.
    coin : Fraction
        Probability that the whole row is then the truth, before its other answers are looked at.
    asked : Fraction
        Share of people who are asked all of them: no other row shows them together.
    """

    keys: tuple[str, ...]
    coin: Fraction
    asked: Fraction = Fraction(1)


def known_answers(prior: BlockPrior) -> tuple[KnownAnswers, ...]:
    """Return the worst-case posterior after one, two, ... known answers of a block.

    Parameters
    ----------
    prior : BlockPrior
        Prior of a protected block. An adversary who knows one of several mutually exclusive answers knows
        that the others are false. For a rotating block, the known questions are those of its worst booklet:
        others are not part of the row, so knowing their answers does not help.

    Returns
    -------
    tuple of KnownAnswers
        One for each number of questions that a device asks, all of them last.

    Notes
    -----
    p/(p + (1 - p) q(known)), with the known answers that decoys show least often. The other answers then have
    their own prior: p P(r|K)/(p P(r|K) + (1 - p) q(known) q(r)).

    Examples
    --------
    >>> from privacy.risk.beliefs import independent
    >>> from privacy.survey.design import Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(5))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> prior = independent(block, {question.key: [2000] for question in questions})
    >>> [round(float(known.coin), 2) for known in known_answers(prior)]
    [0.67, 0.8, 0.89, 0.94, 0.97]
    """
    asked_of, positions = prior.block, prior.block.worst_booklet
    prior = prior.of_booklet(positions)
    block, row = prior.block, prior.least_likely_answer()

    def by_chance(known: Collection[int]) -> Fraction:
        return prior.shown_by_chance([row[at] if at in known else None for at in range(len(row))])

    order = sorted(range(len(row)), key=lambda position: by_chance([position]))
    attacks = []
    for count in range(1, len(row) + 1):
        known = order[:count]
        keys = tuple(block.questions[position].key for position in known)
        sent = SentRow(truth=block.truth, prior=Fraction(1), decoy=by_chance(known))
        share = asked_of.share_asked(positions[position] for position in known)
        attacks.append(KnownAnswers(keys=keys, coin=sent.coin, asked=share))
    return tuple(attacks)


def property_of(
    members: Sequence[int], prior: Sequence[Fraction], likelihood: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return prior and posterior of a property, to be held against rho1 and rho2.

    Parameters
    ----------
    members : sequence of int
        Positions of the true values that have the property.
    prior : sequence of Fraction
        P of each true value, together 1.
    likelihood : sequence of Fraction
        p[x -> y] of each true value x, a row of the channel.

    Raises
    ------
    PrivacyError
        ``prior``, ``impossible``.

    References
    ----------
    Li and others, definitions 1 and 2: upward from rho1 to rho2 where the prior is at most rho1 and the
    posterior at least rho2; downward where the prior is at least rho2 and the posterior at most rho1.
    """
    if min(prior) < 0 or sum(prior) != 1:
        raise PrivacyError("prior.sum", prior, total=float(sum(prior)), least=float(min(prior)))
    try:
        posterior = bayes(prior, likelihood)
    except ZeroDivisionError:
        raise PrivacyError("impossible.observed", likelihood) from None
    before, after = (sum((shares[value] for value in members), Fraction(0)) for shares in (prior, posterior))
    return before, after


def no_breach(gamma: Fraction | None, rho1: Fraction, rho2: Fraction) -> bool:
    """Return whether a gamma-amplifying channel can have no breach from rho1 to rho2, whatever the prior.

    Parameters
    ----------
    gamma : Fraction or None
        None where it is infinite.
    rho1, rho2 : Fraction, 0 < rho1 < rho2 < 1

    Notes
    -----
    rho2 (1 - rho1)/(rho1 (1 - rho2)) > gamma excludes upward breaches from rho1 to rho2 and downward ones
    from rho2 to rho1, also for an adversary who knows Z, as long as Z has no part in the drawing: p[x -> y]
    is the same for every z. In the source's proof x2 must be the value outside Q with the *smallest* p[x ->
    y]; it prints the largest for both.

    References
    ----------
    Li and others, conditions (a) and (b); Evfimievski, Gehrke and Srikant 2003.

    Examples
    --------
    >>> no_breach(1 + Fraction(1001, 201), Fraction(1, 7), Fraction(1, 2))  # 6 > 5.98
    True
    """
    return gamma is not None and odds_ratio(rho1, rho2) > gamma


def odds_ratio(rho1: Fraction, rho2: Fraction) -> Fraction:
    """Return rho2 (1 - rho1)/(rho1 (1 - rho2)), which gamma has to stay below."""
    if not 0 < rho1 < rho2 < 1:
        raise PrivacyError("rho.order", (rho1, rho2), rho1=rho1, rho2=rho2)
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


MOST_COMBINATIONS: Final = 40
"""Pairs of answers of one block that exclude each other."""

MOST_BOOKLETS: Final = 1_000
"""Sets of questions that are looked at one by one; beyond, it is taken that one device asks all of them."""


@dataclass(frozen=True, kw_only=True)
class ImpossibleDecoys:
    """Decoys of a block that cannot be true.

    Parameters
    ----------
    block : str
    share : Fraction
        Share of the block's decoys that reveal themselves. For a rotating block, the largest over its
        booklets: only answers that are asked together can contradict each other.
    counted_in : bool
        Whether the other figures of the block know it, or leave it aside because too much hangs together.
    """

    block: str
    share: Fraction
    counted_in: bool = False


def exclusive_decoys(design: Design, exclusive: Sequence[Sequence[str]]) -> tuple[ImpossibleDecoys, ...]:
    """Measure the disclosure by decoys with exclusive answers, block by block.

    Parameters
    ----------
    design : Design
    exclusive : sequence of sequences of str
        Item keys, two or more of one protected block each, of which at most one is true of anyone.

    Returns
    -------
    tuple of ImpossibleDecoys
        One for each block that has some, in design order.

    Raises
    ------
    PrivacyError
        ``combinations``: more than 40 pairs in a block. ``blocks``: a set is of several blocks.
        ``open_block``, ``unknown_item``.

    Examples
    --------
    Of eight rows of three fair answers four show two of them or more.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=questions),), group=GroupPolicy(), use="live")
    >>> (decoys,) = exclusive_decoys(design, ["abc"])
    >>> decoys.share
    Fraction(1, 2)
    """
    sets = sets_of_blocks(design, exclusive)
    return tuple(_of_block(block, sets[block.key]) for block in design.blocks if block.key in sets)


def _of_block(block: Block, exclusive: Sequence[Sequence[str]]) -> ImpossibleDecoys:
    if not block.protected:
        raise PrivacyError("open_block", block.key)
    pairs = sum(math.comb(len(keys), 2) for keys in exclusive)
    if pairs > MOST_COMBINATIONS:
        raise PrivacyError("combinations", pairs, most=MOST_COMBINATIONS)
    return ImpossibleDecoys(block=block.key, share=_impossible(block, item_positions(block, exclusive)))


def _impossible(block: Block, sets: Sequence[Sequence[ItemPosition]]) -> Fraction:
    """Return the probability that a decoy has two items of a set, in the booklet where it is largest."""
    touched = {question for items in sets for question, _item in items}
    booklets = _asked_together(block, touched)
    answered = 1 - Fraction(block.refusal or 0, SCALE)
    return answered * (1 - min(_possible(block, sets, booklet) for booklet in booklets))


def _asked_together(block: Block, touched: set[int]) -> Iterable[Iterable[int]]:
    """Return what booklets ask of some questions; all of them where there are too many booklets."""
    if block.booklets is not None:
        return {frozenset(touched.intersection(booklet)) for booklet in block.booklets}
    count = min(block.most_asked, len(touched))
    if math.comb(len(touched), count) > MOST_BOOKLETS:
        return [touched]
    return combinations(sorted(touched), count)


def _possible(block: Block, sets: Sequence[Sequence[ItemPosition]], drawn: Iterable[int]) -> Fraction:
    """Return the probability that the drawn answers to some questions have at most one item of each set."""
    parts: list[list[tuple[Fraction, frozenset[int]]]] = []
    for number in drawn:
        question = block.questions[number]
        shown = [
            (share, frozenset(own for own, items in enumerate(sets) if (number, item) in items))
            for item, share in enumerate(question.decoy_shares)
        ]
        if question.is_exclusive:
            parts.append(shown)
        else:
            parts += [[(share, own), (1 - share, frozenset())] for share, own in shown if own]
    # Item after item of a set, so that few sets are begun and not ended.
    parts.sort(key=lambda part: min(own for _share, sets_shown in part for own in sets_shown))
    # By the sets of which an item is shown already, as far as later parts can show another.
    chances = {frozenset[int](): Fraction(1)}
    for number, part in enumerate(parts, start=1):
        later = frozenset[int]().union(*(own for rest in parts[number:] for _share, own in rest))
        after: dict[frozenset[int], Fraction] = defaultdict(Fraction)
        for begun, chance in chances.items():
            for share, own in part:
                if not own & begun:
                    after[(begun | own) & later] += chance * share
        chances = after
    return sum(chances.values(), Fraction(0))
