"""Screening of candidates: those that too few complete rows show need no estimate from all rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.columns.remembered import key_of
from mining.thresholds import Thresholds
from privacy.arrays import Array, Flags, Whole
from privacy.estimation import Estimates
from privacy.estimation.design_index import BLANK, DesignIndex, index_of
from privacy.estimation.shapes import alike, first_positions
from privacy.policy import SCREENING_ERRORS

__all__ = ["NORMAL", "promising"]

NORMAL: Final = 1.959963984540054
"""97.5 % quantile of the normal distribution: policy "inclusive" keeps what is so many errors short."""


def promising(
    count_cache: CountCache,
    candidates: Whole,
    levels: Sequence[Whole],
    estimates: Sequence[Estimates],
    thresholds: Thresholds,
) -> Whole:
    """Return the candidates that may reach the required support, judged by complete rows only.

    Parameters
    ----------
    count_cache : CountCache
    candidates : ndarray of int64, shape (m, size)
        Ascending items.
    levels, estimates : sequence of ndarray of int64, shape (c, s); sequence of Estimates
        Kept itemsets of s = 1, 2, ..., size - 1 items in lexicographic order, every subset of each candidate
        among them, and their estimates.
    thresholds : Thresholds

    Returns
    -------
    ndarray of int64, shape (at most m, size)

    Notes
    -----
    An estimate from all rows needs up to 3 to the number of parts counts per itemset, most of them used
    nowhere else; this screen needs one. Blocks have their own coins. With b = (1 - p) q, a row of a group
    that draws all questions of E, of which E_g are in block g, shows all its items with probability

        sum over sets F of the blocks of (prod_{g in F} p_g) (prod_{g not in F} b_g) support(E_F),

    and draws them with probability f. All supports except that of E are known from shorter itemsets. They
    give the number of rows N f chance expected to show E if its support equals the threshold, and the error
    of that number: the square root of the count plus the propagated errors of the shorter itemsets, all added
    up. Groups with different p are weighted as in the estimate. A candidate is dropped if the count is below
    the expected number by more than `SCREENING_ERRORS` of these errors.

    Rows alone stray by 8 roots with probability exp(-8^2 / 2), 1e-14, at most (Chernoff 1952: the lower tail
    of independent trials, weighted or not). The estimate from all rows uses the same rows and errs less: of
    100,000 itemsets it was never 3 such errors away from what these rows say (docs/evidence/scale.md).

    Candidates that everyone is asked, or that open answers lead to, are not looked at.

    References
    ----------
    Chernoff 1952.
    """
    index = index_of(count_cache.matrix.design)
    plain = index.is_drawn[candidates].any(axis=1)
    plain &= ((index.base[candidates] == BLANK) & (index.led[candidates] == BLANK)).all(axis=1)
    items = candidates[plain]
    shown, n = count_cache.of(items).T, count_cache.of(np.array([[BLANK]])).T
    rows = n * index.drawing.chance(index.question[items])
    short, error = np.zeros(len(items)), np.zeros(len(items))
    groups = n > 0
    for some, expected in _expected(index, items, levels, estimates, thresholds.support, groups):
        # The weight of a row in the estimate: both groups put together by their shares, or all rows as one.
        weight = 1 / np.where(expected.truth > 0, expected.truth, 1.0)
        if thresholds.estimator == "pooled":
            weight = np.ones(weight.shape)
        mean = rows[:, some] * expected.chance
        short[some] = (weight * (mean - shown[:, some])).sum(axis=0)
        error[some] = np.sqrt((weight**2 * mean).sum(axis=0))
        error[some] += (weight * groups * rows[:, some].sum(axis=0) * expected.error).sum(axis=0)
    errors = SCREENING_ERRORS + (NORMAL if thresholds.policy == "inclusive" else 0.0)
    stay = np.ones(len(candidates), dtype=np.bool_)
    # Keep values that are not numbers: the group carries no information.
    stay[plain] = ~(short > errors * error)
    return candidates[stay]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Expected:
    """How likely rows that are asked everything show itemsets that just have the support asked for.

    Attributes
    ----------
    truth : ndarray of float, shape (2, m)
        By group, direct first: the product of p over the blocks.
    chance : ndarray of float, shape (2, m)
    error : ndarray of float, shape (2, m)
        Error of `chance` times the group's share of the rows, as if the errors of shorter itemsets added up.
    """

    truth: Array
    chance: Array
    error: Array


def _expected(
    index: DesignIndex,
    items: Whole,
    levels: Sequence[Whole],
    estimates: Sequence[Estimates],
    support: float,
    groups: Flags,
) -> Iterator[tuple[Whole, _Expected]]:
    """Yield the positions of itemsets that touch blocks in the same pattern, and their expected counts."""
    keys = [key_of(level, index.n_items) for level in levels]
    block = first_positions(np.where(index.is_open[items], BLANK, index.block[items]))
    for some, example in alike(block):
        own, places = items[some], block[example]
        as_sent = tuple(np.flatnonzero(places == BLANK).tolist())
        parts = [
            tuple(np.flatnonzero(places == part).tolist()) for part in np.unique(places[places != BLANK])
        ]
        blocks = [index.block[own[:, part[0]]] for part in parts]
        p = [index.truth[:, number] for number in blocks]
        q = [math.prod(index.unrelated[own[:, position]] for position in part) for part in parts]
        b = [
            (1 - truth) * index.answering[number] * share
            for truth, number, share in zip(p, blocks, q, strict=True)
        ]
        truth = np.array(p).reshape(-1, 2, len(some)).prod(axis=0)
        chance, error = support * truth, np.zeros(truth.shape)
        for chosen in itertools.product((False, True), repeat=len(parts)):
            if all(chosen):
                continue
            factor = math.prod(true if on else decoy for true, decoy, on in zip(p, b, chosen, strict=True))
            columns = sorted(itertools.chain(as_sent, *itertools.compress(parts, chosen)))
            if not columns:
                chance = chance + factor
                continue
            known, size = estimates[len(columns) - 1], len(columns) - 1
            position = np.searchsorted(keys[size], key_of(own[:, columns], index.n_items))
            # Group membership may depend on the true answers. The error of a group, times its share of the
            # rows, is at most the error of both groups together.
            chance = chance + factor * np.where(
                groups, np.stack([known.direct[position], known.protected[position]]), 0.0
            )
            error = error + factor * known.standard_error[position]
        yield some, _Expected(truth=truth, chance=np.maximum(chance, 0.0), error=error)
