"""Priors of an adversary, reconstructed from the rows themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.channels.retention import numerator
from privacy.coins import SCALE
from privacy.policy import AUDIT_ROWS_PER_PATTERN
from privacy.risk.constrained_prior import BlockPrior, ItemPosition
from privacy.risk.observed import Bits, by_question
from privacy.risk.report import Prior
from privacy.risk.row_distribution import RowDistribution
from privacy.survey.block import Block
from privacy.survey.question import Question

__all__ = ["Seen", "likeliest_shares", "reconstructed_prevalence", "seen_with"]


def reconstructed_prevalence(
    block: Block, rows: Bits, counts: Whole, is_asked: Bits | None = None
) -> dict[str, list[int]]:
    """Return the shares of the items of a block among those who answer it, in ten-thousandths.

    Parameters
    ----------
    block : Block
    rows : uint8 array, shape (distinct, items of the block)
    counts : int64 array, shape (distinct + 1,)
        "skipped" last.
    is_asked : uint8 array, shape (distinct, questions of the block), optional
        Of a rotating block, which questions each row was asked.

    Notes
    -----
    (observed share - (1 - p) q)/p, cut to [0, 1]; shares of a single choice are cut below and made to sum
    to 1. With p = 0 nothing can be reconstructed, and the shares are even. Of a question that is not asked of
    all, the share among those who were asked it counts, a skip being as frequent among them as among all.
    """
    n, p = int(counts.sum()), block.truth_probability / SCALE
    skip = (block.refusal or 0) / SCALE
    shown = counts[:-1] @ rows / n
    if is_asked is not None:
        of_question = counts[:-1] @ is_asked
        widths = [question.n_items for question in block.questions]
        shown = shown * np.repeat(int(counts[:-1].sum()) / np.maximum(of_question, 1), widths)
    answered = _inverted(1 - counts[-1] / n, 1 - skip, p)
    prevalence: dict[str, list[int]] = {}
    for question, part in zip(block.questions, by_question(shown, block.questions), strict=True):
        raw = _inverted(part, (1 - skip) * np.array(question.unrelated) / SCALE, p)
        share = np.clip(raw / max(float(answered), 1e-9), 0.0, 1.0)
        prevalence[question.key] = _whole(question, share)
    return prevalence


def _inverted(shown: Array | float, decoy: Array | float, p: float) -> Array:
    if p == 0:
        return np.full_like(np.asarray(shown, dtype=np.float64), 0.5)
    return np.clip(numerator(np.asarray(shown), p, np.asarray(decoy)) / p, 0.0, 1.0)


def _whole(question: Question, share: Array) -> list[int]:
    """Return ten-thousandths; of a single choice they sum to 10,000, the largest one taking the rest."""
    if question.kind != "single":
        return [round(SCALE * float(part)) for part in share]
    total = float(share.sum())
    even = share / total if total > 0 else np.full(len(share), 1 / len(share))
    whole = [int(SCALE * float(part)) for part in even]
    whole[int(np.argmax(even))] += SCALE - sum(whole)
    return whole


def likeliest_shares(counts: Whole, decoy: Array, p: float) -> Array:
    """Return the most likely shares of true rows, given how often each distinct row was sent.

    Parameters
    ----------
    counts : int64 array, shape (distinct,)
    decoy : float array, shape (distinct,)
        q of each row.
    p : float, in (0, 1]

    Returns
    -------
    float array, shape (distinct,)
        None below 0, together 1. Rows that were never sent have none.

    Notes
    -----
    The likelihood sum f ln(p P + (1 - p) q) on the simplex has its maximum where p P + (1 - p) q = p f/nu for
    all rows with P > 0, nu making the shares sum to 1: P = max(0, f/nu - (1 - p) q/p). Rows are taken by
    falling f/q until the next one would be negative; no iteration is needed.

    Examples
    --------
    p = .5, four rows with q = 1/4: raw .15, .35, -.05, .55, the third one is cut and the others share.

    >>> likeliest_shares(np.array([20, 30, 10, 40]), np.full(4, .25), .5).round(3).tolist()
    [0.139, 0.333, 0.0, 0.528]
    """
    share = counts / counts.sum()
    floor = (1 - p) / p * decoy
    order = np.argsort(-share / np.maximum(decoy, 1e-300), kind="stable")
    # With the first m rows: sum (f/nu - floor) = 1, hence 1/nu = (1 + sum floor)/sum f.
    level = (1 + np.cumsum(floor[order])) / np.cumsum(share[order])
    last = int(np.flatnonzero(share[order] * level > floor[order])[-1])
    return np.asarray(np.maximum(0.0, share * level[last] - floor))


@dataclass(frozen=True, kw_only=True, eq=False)
class Seen:
    """The rows of a block, in one cell of open answers or altogether, as one prior sees them.

    Parameters
    ----------
    prior : {"marginals", "joint"}
    shares, coin : float array, shape (distinct + 1,)
        P and coin posterior of each distinct row, "skipped" last.
    counts : int64 array, shape (distinct + 1,)
        How often each was sent.
    distribution : RowDistribution or None
        Of whole rows, for the prior "joint".
    """

    prior: Prior
    shares: Array
    coin: Array
    counts: Whole
    distribution: RowDistribution | None


def seen_with(prior: BlockPrior, rows: Bits, counts: Whole, is_asked: Bits | None) -> Seen:
    """Look at the rows of a block with the prior of whole rows, or of independent items if rows are few.

    No chance is left to rows that nobody can have. Nobody gives a whole row of a rotating block: there items
    are independent.

    Parameters
    ----------
    prior : BlockPrior
        Of independent items.
    rows : ndarray of shape (distinct, columns)
        Distinct reports of the block.
    counts : ndarray of int, shape (distinct,)
        Respondents with each.
    is_asked : ndarray of shape (distinct, questions), or None
        Which questions each row was asked; None where all were.
    """
    block = prior.block
    p, n = block.truth_probability / SCALE, int(counts.sum())
    log_decoy = _log_chances(block, block.unrelated, rows, is_asked)
    dense = (
        p > 0
        and is_asked is None
        and n >= AUDIT_ROWS_PER_PATTERN * (block.patterns + (block.refusal is not None))
    )
    possible = _possible(block, rows, prior.sets)[: len(log_decoy)]
    if dense:
        shares, sent = np.zeros(len(log_decoy)), (counts[: len(log_decoy)] > 0) & possible
        shares[sent] = likeliest_shares(counts[: len(log_decoy)][sent], np.exp(log_decoy[sent]), p)
        with np.errstate(divide="ignore"):
            log_prior = np.log(shares)
    else:
        log_prior = _log_chances(block, prior.shares, rows, is_asked)
        log_prior[: len(rows)] -= math.log(prior.possible)
        log_prior[~possible] = -np.inf
    distribution = RowDistribution(
        truth=p, log_prior=log_prior, log_decoy=log_decoy, log_rows=np.zeros(len(log_decoy))
    )
    # Where no skip is offered nobody sends one: the last place stays empty.
    coin, shares = np.zeros(len(counts)), np.zeros(len(counts))
    coin[: len(distribution.coin)], shares[: len(distribution.coin)] = distribution.coin, np.exp(log_prior)
    return Seen(
        prior="joint" if dense else "marginals",
        shares=shares,
        coin=coin,
        counts=counts,
        distribution=distribution if dense else None,
    )


def _possible(block: Block, rows: Bits, sets: Sequence[Sequence[ItemPosition]]) -> Flags:
    """Return which rows are possible; a skip is always one of them, and last."""
    starts = np.cumsum([0, *(question.n_items for question in block.questions)])
    possible = np.ones(len(rows) + 1, dtype=np.bool_)
    for items in sets:
        possible[:-1] &= rows[:, [starts[question] + item for question, item in items]].sum(axis=1) <= 1
    return possible


def _log_chances(
    block: Block, shares: Mapping[str, Sequence[int]], rows: Bits, is_asked: Bits | None = None
) -> Array:
    """Return ln of the chance of each row, questions independent; "skipped" last where it is offered."""
    skip = (block.refusal or 0) / SCALE
    total = np.full(len(rows), np.log1p(-skip))
    columns = by_question(rows.astype(bool), block.questions)
    with np.errstate(divide="ignore", invalid="ignore"):
        for position, (question, bits) in enumerate(zip(block.questions, columns, strict=True)):
            share = np.array(shares[question.key]) / SCALE
            without = np.zeros(question.n_items) if question.kind == "single" else np.log(1 - share)
            chances = np.where(bits, np.log(share), without).sum(axis=1)
            total += chances if is_asked is None else np.where(is_asked[:, position], chances, 0.0)
    return np.append(total, np.log(skip)) if skip else total
