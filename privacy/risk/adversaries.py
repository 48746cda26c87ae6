"""Adversaries of a row, from ignorant to well informed, and the rows each identifies as true."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.coins import SCALE
from privacy.risk.constrained_prior import ExclusivePrior
from privacy.risk.gathering import Part
from privacy.risk.posterior import Prevalence
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
from privacy.survey.block import Block

__all__ = ["Attacker", "AttackerName", "attackers", "excluding", "ignorant", "knowing"]

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
    """
    highest = float(distribution.log_rows.max())
    log_total = highest + math.log(float(np.exp(distribution.log_rows - highest).sum()))
    return distribution.seen_by(np.full(len(distribution.log_prior), -log_total))


def excluding(distribution: RowDistribution, count: int) -> RowDistribution:
    """Return the distribution for an adversary who excludes `count` rows that are not the true one.

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
    return max(parts_of(block, prevalence), key=_entropy)


def knowing(
    block: Block, prevalence: Prevalence, key: str, exclusive: ExclusivePrior | None = None
) -> RowDistribution:
    """Return the distribution for an adversary who knows the true answer to one part of the block.

    Parameters
    ----------
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


def _entropy(part: Part) -> float:
    return float(scipy.special.entr(part.prior).sum())
