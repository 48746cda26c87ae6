"""Audit of the rows that devices sent, under priors estimated from these rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.channels import numerator
from privacy.coins import SCALE
from privacy.policy import AUDIT_LEAST_ROWS, AUDIT_ROWS_PER_PATTERN
from privacy.posterior import retention_posterior
from privacy.risk.design_audit import audit_design, light_audit
from privacy.risk.open_answers import open_after
from privacy.risk.prevalences import Prevalence
from privacy.risk.prior import BlockPrior, ItemPosition, prior_of, sets_of_blocks
from privacy.risk.reidentification import reidentification
from privacy.risk.report import Audit, BlockAudit, ItemAudit, Prior, StrengthAudit
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.risk.unique_combinations import unique_combinations
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.question import Question

ReportedBits: TypeAlias = NDArray[np.uint8]


def by_question(columns: NDArray[Any], questions: Sequence[Question]) -> list[NDArray[Any]]:
    """Split columns of items by question.

    Parameters
    ----------
    columns : ndarray, shape (..., items)
        One column per item, in the order of the questions.
    questions : sequence of Question
        At least one.
    """
    ends = np.cumsum([question.n_items for question in questions])
    return np.split(columns, ends[:-1], axis=-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class ObservedBlock:
    """Rows that one group sent for one protected block, under its strength.

    Parameters
    ----------
    rows : uint8 array, shape (distinct, items of the block)
        Distinct complete answers.
    counts : int64 array, shape (distinct + 1,)
        Number of rows with each, "skipped" last. Respondents who were not asked are not counted.
    is_asked : uint8 array, shape (distinct, questions of the block), or None
        For a rotating block, flags of the questions that each row was asked; rows with different questions
        are distinct.
    """

    rows: ReportedBits
    counts: Whole
    is_asked: ReportedBits | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Observed:
    """Counts of all rows of one design.

    Parameters
    ----------
    n_direct, n_protected : int
    open : int64 array, shape (cells, 2)
        For each combination of open answers, the number of rows in the direct and in the protected group.
    blocks : dict of str to ObservedBlock
        Rows of the protected group by block key, for every protected block except numbers and places.
    light : dict of str to ObservedBlock
        Rows of the direct group by block key, if they are lightly disguised; otherwise empty.
    own : int or None
        For a design with rotation, the number of rows whose combination of asked questions and open answers
        is unique.
    """

    n_direct: int
    n_protected: int
    open: Whole
    blocks: dict[str, ObservedBlock]
    light: dict[str, ObservedBlock] = field(default_factory=dict)
    own: int | None = None


def reconstructed_prevalence(
    block: Block, rows: ReportedBits, counts: Whole, is_asked: ReportedBits | None = None
) -> dict[str, list[int]]:
    """Estimate the shares of a block's items among respondents who answer it, in ten-thousandths.

    Parameters
    ----------
    block : Block
    rows : uint8 array, shape (distinct, items of the block)
    counts : int64 array, shape (distinct + 1,)
        "skipped" last.
    is_asked : uint8 array, shape (distinct, questions of the block), optional
        For a rotating block, the questions that each row was asked.

    Notes
    -----
    The estimate is (observed share - (1 - p) q)/p, clipped to [0, 1]. Shares of a single choice are clipped
    at 0 and scaled to sum to 1. With p = 0 nothing can be estimated, and the shares are equal. For a question
    that not everyone is asked, the share among respondents who are asked is used, assuming that they skip as
    often as all others.
    """
    n, p = int(counts.sum()), block.truth_probability / SCALE
    skip = (block.refusal or 0) / SCALE
    rates = counts[:-1] @ rows / n
    if is_asked is not None:
        of_question = counts[:-1] @ is_asked
        widths = [question.n_items for question in block.questions]
        rates = rates * np.repeat(int(counts[:-1].sum()) / np.maximum(of_question, 1), widths)
    p_answer = _invert_rate(1 - counts[-1] / n, 1 - skip, p)
    prevalence: dict[str, list[int]] = {}
    for question, part in zip(block.questions, by_question(rates, block.questions), strict=True):
        raw = _invert_rate(part, (1 - skip) * np.array(question.unrelated) / SCALE, p)
        share = np.clip(raw / max(float(p_answer), 1e-9), 0.0, 1.0)
        prevalence[question.key] = _round_shares(question, share)
    return prevalence


def _invert_rate(rate: Array | float, decoy: Array | float, p: float) -> Array:
    if p == 0:
        return np.full_like(np.asarray(rate, dtype=np.float64), 0.5)
    return np.clip(numerator(np.asarray(rate), p, np.asarray(decoy)) / p, 0.0, 1.0)


def _round_shares(question: Question, share: Array) -> list[int]:
    """Round shares to ten-thousandths; those of a single choice sum to 10,000, by adjusting the largest."""
    if not question.is_exhaustive:
        return [round(SCALE * float(part)) for part in share]
    total = float(share.sum())
    even = share / total if total > 0 else np.full(len(share), 1 / len(share))
    whole = [int(SCALE * float(part)) for part in even]
    whole[int(np.argmax(even))] += SCALE - sum(whole)
    return whole


def likeliest_shares(counts: Whole, decoy: Array, p: float) -> Array:
    """Return maximum likelihood estimates of the shares of true rows, given counts of sent rows.

    Parameters
    ----------
    counts : int64 array, shape (distinct,)
    decoy : float array, shape (distinct,)
        q of each row.
    p : float, in (0, 1]

    Returns
    -------
    float array, shape (distinct,)
        Nonnegative, with sum 1. Rows that were never sent have share 0.

    Notes
    -----
    On the simplex, the log-likelihood sum f ln(p P + (1 - p) q) is largest if p P + (1 - p) q = p f/nu for
    all rows with P > 0, where nu makes the shares sum to 1: P = max(0, f/nu - (1 - p) q/p). Rows are added by
    decreasing f/q until the next one would be negative, so no iteration is needed.

    Examples
    --------
    p = .5, four rows with q = 1/4: unclipped estimates are .15, .35, -.05 and .55. The third becomes 0, and
    the others absorb the difference.

    >>> likeliest_shares(np.array([20, 30, 10, 40]), np.full(4, .25), .5).round(3).tolist()
    [0.139, 0.333, 0.0, 0.528]
    """
    floor = (1 - p) / p * decoy
    order = np.argsort(-counts / np.maximum(decoy, 1e-300), kind="stable")
    # With the first m rows: sum (f/nu - floor) = 1, hence 1/nu = (1 + sum floor)/sum f.
    level = (1 + np.cumsum(floor[order])) / np.cumsum(counts[order])
    last = int(np.flatnonzero(counts[order] * level > floor[order])[-1])
    return np.asarray(np.maximum(0.0, counts * level[last] - floor))


@dataclass(frozen=True, kw_only=True, eq=False)
class RowView:
    """The rows of a block, for one combination of open answers or in total, under one prior.

    Parameters
    ----------
    prior : {"marginals", "joint"}
    shares, coin : float array, shape (distinct + 1,)
        P and truthful posterior of each distinct row, for a respondent who answers; "skipped", with 0, last.
    counts : int64 array, shape (distinct + 1,)
        Number of times each row was sent.
    distribution : RowDistribution or None
        Distribution of complete rows, for the prior "joint".
    """

    prior: Prior
    shares: Array
    coin: Array
    counts: Whole
    distribution: RowDistribution | None


def view_rows(prior: BlockPrior, rows: ReportedBits, counts: Whole, is_asked: ReportedBits | None) -> RowView:
    """Evaluate the rows of a block under a prior of complete rows, or of independent items if rows are few.

    Impossible rows get probability 0. In a rotating block, no respondent sends a complete row, so items are
    always treated as independent.

    Parameters
    ----------
    prior : BlockPrior
        Prior of independent items.
    rows : ndarray of shape (distinct, columns)
        Distinct reports of the block.
    counts : ndarray of int, shape (distinct,)
        Number of respondents with each report.
    is_asked : ndarray of shape (distinct, questions), or None
        Flags of the questions that each row was asked; None if everyone is asked all.
    """
    block = prior.block
    p, n = block.truth_probability / SCALE, int(counts.sum())
    log_decoy = _log_probabilities(block, block.unrelated, rows, (block.refusal or 0) / SCALE, is_asked)
    dense = (
        p > 0
        and is_asked is None
        and n >= AUDIT_ROWS_PER_PATTERN * (block.patterns + (block.refusal is not None))
    )
    possible = _possible(block, rows, prior.sets)[: len(log_decoy)]
    if dense:
        shares, sent = np.zeros(len(log_decoy)), (counts[: len(log_decoy)] > 0) & possible
        shares[sent] = likeliest_shares(counts[: len(log_decoy)][sent], np.exp(log_decoy[sent]), p)
        shares[len(rows) :] = 0.0
        shares /= shares.sum() or 1.0
        with np.errstate(divide="ignore"):
            log_prior = np.log(shares)
    else:
        log_prior = _log_probabilities(block, prior.shares, rows, 0.0, is_asked)
        log_prior[: len(rows)] -= math.log(prior.possible)
        log_prior[~possible] = -np.inf
    distribution = RowDistribution(
        truth=p, log_prior=log_prior, log_decoy=log_decoy, log_rows=np.zeros(len(log_decoy))
    )
    # If no skip is offered, the last position stays 0.
    coin, shares = np.zeros(len(counts)), np.zeros(len(counts))
    coin[: len(distribution.coin)], shares[: len(distribution.coin)] = distribution.coin, np.exp(log_prior)
    return RowView(
        prior="joint" if dense else "marginals",
        shares=shares,
        coin=coin,
        counts=counts,
        distribution=distribution if dense else None,
    )


def _possible(block: Block, rows: ReportedBits, sets: Sequence[Sequence[ItemPosition]]) -> Flags:
    """Return flags of possible rows; a skip, which is last, is always possible."""
    starts = np.cumsum([0, *(question.n_items for question in block.questions)])
    possible = np.ones(len(rows) + 1, dtype=np.bool_)
    for items in sets:
        possible[:-1] &= rows[:, [starts[question] + item for question, item in items]].sum(axis=1) <= 1
    return possible


def _log_probabilities(
    block: Block,
    shares: Mapping[str, Sequence[int]],
    rows: ReportedBits,
    skip: float,
    is_asked: ReportedBits | None,
) -> Array:
    """Return ln of each row's probability for independent questions; "skipped" last if it is offered."""
    total = np.full(len(rows), np.log1p(-skip))
    columns = by_question(rows.astype(bool), block.questions)
    with np.errstate(divide="ignore", invalid="ignore"):
        for position, (question, bits) in enumerate(zip(block.questions, columns, strict=True)):
            share = np.array(shares[question.key]) / SCALE
            without = np.zeros(question.n_items) if question.is_exhaustive else np.log(1 - share)
            probabilities = np.where(bits, np.log(share), without).sum(axis=1)
            total += (
                probabilities if is_asked is None else np.where(is_asked[:, position], probabilities, 0.0)
            )
    return np.append(total, np.log(skip) if skip else -np.inf) if block.refusal else total


def audit_rows(
    design: Design,
    prior_shares: Prevalence,
    observations: Observed,
    *,
    waves: int = 1,
    other_waves: Sequence[float] = (),
    exclusive: Sequence[Sequence[str]] = (),
) -> Audit:
    """Audit the rows of a survey.

    Parameters
    ----------
    design : Design
    prior_shares : mapping
        Prevalences stated before launch; kept if fewer than 100 protected rows were sent.
    observations : Observed
        The counted rows.
    waves, other_waves, exclusive
        As in `privacy.risk.design_audit.audit_design`.

    Returns
    -------
    Audit
        A block's prior is one of complete rows if there are 25 rows per possible row, otherwise one of
        independent items. Rows of the direct group are evaluated under their own strength if they are lightly
        disguised.

    Notes
    -----
    An attacker with all rows can estimate shares as a researcher does. Estimates below 0 and above 1 are
    clipped here, because a prior must be a probability.
    """
    prevalence = _reconstruct_shares(design, prior_shares, observations.blocks)
    n = observations.n_direct + observations.n_protected
    before = audit_design(design, prevalence, waves=waves, other_waves=other_waves, exclusive=exclusive)
    blocks, items = _audit_blocks(design, before, prevalence, observations, exclusive)
    return replace(
        before,
        when="after",
        n=n,
        blocks=blocks,
        items=items,
        open=open_after(design, observations.open),
        group=replace(
            before.group,
            direct_share=observations.n_direct / n if n else None,
            n_direct=observations.n_direct,
            n_protected=observations.n_protected,
        ),
        light=_audit_light(design, prevalence, observations, exclusive),
        own=unique_combinations(design, n, own=observations.own),
    )


def _audit_light(
    design: Design, prevalence: Prevalence, observations: Observed, exclusive: Sequence[Sequence[str]]
) -> StrengthAudit | None:
    """Audit lightly disguised rows under their own priors, or the other group's if there are too few."""
    light = design.in_group(direct=True)
    if light is None or not design.has_two_strengths:
        return None
    light_prevalence = _reconstruct_shares(light, prevalence, observations.light)
    before = light_audit(design, light_prevalence, exclusive=exclusive)
    if before is None:
        return None
    blocks, items = _audit_blocks(light, before, light_prevalence, observations, exclusive, direct=True)
    return replace(before, n=observations.n_direct, blocks=blocks, items=items)


def _reconstruct_shares(design: Design, prior: Prevalence, seen: Mapping[str, ObservedBlock]) -> Prevalence:
    """Replace stated prevalences by estimated ones if there are enough rows."""
    prevalences = dict(prior)
    for block in design.blocks:
        if block.has_coin:
            counts = seen[block.key].counts
            if counts.sum() >= AUDIT_LEAST_ROWS:
                prevalences |= reconstructed_prevalence(
                    block, seen[block.key].rows, counts, seen[block.key].is_asked
                )
    return prevalences


def _audit_blocks(
    design: Design,
    before: Audit | StrengthAudit,
    prevalence: Prevalence,
    observations: Observed,
    exclusive: Sequence[Sequence[str]],
    *,
    direct: bool = False,
) -> tuple[tuple[BlockAudit, ...], tuple[ItemAudit, ...]]:
    """Audit the rows of one group under the design of its strength."""
    blocks = {block.key: block for block in design.blocks}
    by_block = observations.light if direct else observations.blocks
    sets = sets_of_blocks(design, exclusive)
    results = [
        _audit_block(blocks[part.key], part, prevalence, by_block[part.key], sets.get(part.key, ()))
        for part in before.blocks
    ]
    highest = {key: value for _, items in results for key, value in items.items()}
    items = tuple(replace(item, worst=highest.get(item.key, item.worst)) for item in before.items)
    return tuple(block for block, _ in results), items


def _audit_block(
    block: Block, part: BlockAudit, prevalence: Prevalence, seen: ObservedBlock, sets: Sequence[Sequence[str]]
) -> tuple[BlockAudit, dict[str, float]]:
    """Return the audit of a block, and the largest posterior of each of its items in any sent row."""
    counts = seen.counts
    n = int(counts.sum())
    if n < AUDIT_LEAST_ROWS:
        return replace(part, n=n), {}
    prior = prior_of(block, prevalence, sets)
    evidence = view_rows(prior, seen.rows, counts, seen.is_asked)
    posterior = _item_posteriors(prior, seen.rows, evidence, seen.is_asked)
    distribution = evidence.distribution or row_distribution(prior)
    unmixing = replace(reidentification(distribution), highest=float(evidence.coin[counts > 0].max()))
    return replace(part, n=n, prior=evidence.prior, unmixing=unmixing), posterior


def _item_posteriors(
    prior: BlockPrior, rows: ReportedBits, seen: RowView, is_asked: ReportedBits | None
) -> dict[str, float]:
    """Return the largest posterior of each item after any row that was sent."""
    block = prior.block
    keys = [key for question in block.questions for key in question.item_keys]
    if seen.prior == "joint":
        before = seen.shares[:-1] @ rows
    else:
        before = np.concatenate([np.array(prior.prevalence[q.key]) / SCALE for q in block.questions])
    bits = np.concatenate([rows, np.zeros((1, len(keys)), dtype=np.uint8)])[seen.counts > 0]
    coin = seen.coin[seen.counts > 0, None]
    after = retention_posterior(coin, bits.astype(np.float64), before)
    if is_asked is not None:
        # A row reveals nothing about an unasked question.
        widths = [question.n_items for question in block.questions]
        shown = np.concatenate([np.repeat(is_asked, widths, axis=1), np.ones((1, len(keys)), dtype=np.uint8)])
        after = np.where(shown[seen.counts > 0], after, before)
    return dict(zip(keys, after.max(axis=0).tolist(), strict=True))
