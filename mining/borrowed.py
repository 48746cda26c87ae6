"""Itemsets predicted from shares and pairs, beside those that enough people were asked."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import scipy

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.transposition import FULL, columns_at, unpacked_columns
from mining.itemsets import ROUNDING, least_complete
from mining.open_crosses import disguised_rows
from mining.thresholds import ItemsetTable
from privacy.arrays import Array, Whole
from privacy.estimation.arm_effects import completed, holm, largest_sets
from privacy.estimation.borrowing import PairFigures, borrow, borrowing_items, released
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Estimates, estimates_of
from privacy.estimation.required_counts import Plan
from privacy.policy import LEAST_COMPLETE_ROWS

Basis: TypeAlias = Literal["direct", "shrunk", "pooled", "completed"]

LONGEST_COMPLETED: Final = 4
"""Items of the longest itemset that is predicted."""

_LEAST_ITEMS: Final = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class BorrowedItemsets:
    """Predicted supports of itemsets of two items or more; shorter ones first, then by items.

    Attributes
    ----------
    itemsets : tuple of Columns
    value, low, high : ndarray of float
        Completed itemsets have no interval: NaN.
    asked : ndarray of int64
        Rows that were asked everything.
    basis : tuple of str
        "shrunk": the pair's own rows and all others. "pooled": its shares and what all pairs have in common.
        "completed": the shares and pairs of a larger itemset.
    """

    itemsets: tuple[Columns, ...]
    value: Array
    low: Array
    high: Array
    asked: Whole
    basis: tuple[Basis, ...]

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}


def pair_figures(count_cache: CountCache) -> PairFigures | None:
    """Return shares and every pair of the items that can borrow; None where fewer than three can.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    """
    design = count_cache.matrix.design
    index, items = index_of(design), borrowing_items(design)
    alone = estimated(count_cache, items[:, None])
    asked = disguised_rows(design, alone.n_direct, alone.n_protected) >= LEAST_COMPLETE_ROWS
    items = items[asked]
    if len(items) < _LEAST_ITEMS:
        return None
    pairs = np.array(list(itertools.combinations(range(len(items)), 2)))
    pairs = pairs[~index.excludes(items[pairs[:, 0]], items[pairs[:, 1]])]
    together = index.reachable(items[pairs])
    found = estimated(count_cache, items[pairs[together]])
    estimates, both = np.full(len(pairs), np.nan), np.zeros((len(pairs), 2), dtype=np.int64)
    estimates[together] = found.value
    both[together] = np.stack([found.n_direct, found.n_protected], axis=1)
    return PairFigures(
        design=design,
        items=items,
        pairs=pairs,
        n=count_cache.matrix.n,
        shares=alone.value[asked],
        asked=np.stack([alone.n_direct, alone.n_protected], axis=1)[asked],
        estimates=estimates,
        asked_both=both,
        all_rows=count_cache.all_rows or not design.rotates,
    )


def borrowed_itemsets(
    count_cache: CountCache, *, least: float, size: int, also: Collection[Columns] = ()
) -> BorrowedItemsets | None:
    """Predict the itemsets of disguised items that reach a support.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    least : float
        Smallest predicted support.
    size : int
        Most items; predictions end at `LONGEST_COMPLETED`.
    also : collection of Columns, optional
        Itemsets that are predicted whatever comes out, as far as their items can borrow.

    Returns
    -------
    BorrowedItemsets or None
        None where the design leaves too little to borrow from.
    """
    figures = pair_figures(count_cache)
    pairs = None if figures is None else borrow(released(figures))
    if figures is None or pairs is None or size < 2:
        return None
    items, (first, second) = figures.items, figures.pairs.T
    table = np.full((len(items), len(items)), np.nan)
    table[first, second] = table[second, first] = pairs.value
    np.fill_diagonal(table, pairs.shares)
    place = {item: position for position, item in enumerate(items.tolist())}
    wanted = {tuple(place[item] for item in own) for own in also if place.keys() >= set(own)}
    named = [pair in wanted for pair in map(tuple, figures.pairs.tolist())]
    own = np.flatnonzero((pairs.value >= least - ROUNDING) | named)
    sets = [tuple(pair) for pair in items[figures.pairs[own]].tolist()]
    bases: list[Basis] = ["shrunk" if shrunk else "pooled" for shrunk in pairs.is_shrunk[own].tolist()]
    parts = [np.stack([pairs.value, pairs.low, pairs.high, figures.asked_both.sum(axis=1)])[:, own]]
    level, support = figures.pairs, pairs.value
    for longer in range(3, min(size, LONGEST_COMPLETED) + 1):
        known = {tuple(own): value for own, value in zip(level.tolist(), support.tolist(), strict=True)}
        level = largest_sets(table, known, least - ROUNDING)
        more = sorted({own for own in wanted if len(own) == longer} - set(map(tuple, level.tolist())))
        level = np.concatenate(
            [level.reshape(-1, longer), np.array(more, dtype=np.int64).reshape(-1, longer)]
        )
        if not len(level):
            break
        subsets = [np.delete(level, at, axis=1).tolist() for at in range(longer)]
        bound = np.array([[known.get(tuple(own), 1.0) for own in subset] for subset in subsets]).min(axis=0)
        support = np.minimum(completed(pairs.shares, table, level), bound)
        reached = (support >= least - ROUNDING) | (np.arange(len(level)) >= len(level) - len(more))
        listed = items[level[reached]]
        sets += [tuple(row) for row in listed.tolist()]
        bases += ["completed"] * len(listed)
        blank = np.full(len(listed), np.nan)
        parts.append(np.stack([support[reached], blank, blank, _asked(count_cache, listed)]))
    value, low, high, asked = np.concatenate(parts, axis=1)
    return BorrowedItemsets(
        itemsets=tuple(sets),
        value=value,
        low=low,
        high=high,
        asked=asked.astype(np.int64),
        basis=tuple(bases),
    )


def borrowed_columns(
    count_cache: CountCache, direct: ItemsetTable, *, least: float, size: int
) -> tuple[dict[str, Any], list[Columns]]:
    """Return predictions beside direct estimates, as columns of a table, and the itemsets of its rows.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    direct : ItemsetTable
        The itemsets whose own estimate reaches the support.
    least, size
        As in `borrowed_itemsets`.
    """
    found = borrowed_itemsets(count_cache, least=least, size=size, also=direct.itemsets)
    rows: dict[Columns, list[Any]] = {}
    if found is not None:
        for items, *own in zip(
            found.itemsets, found.value, found.low, found.high, found.asked, found.basis, strict=True
        ):
            rows[items] = [np.nan, *own]
    for items, at in direct.position_of.items():
        value, interval = direct.estimates.value[at], direct.interval
        alone = [value, interval.low[at], interval.high[at], direct.estimates.n[at], "direct"]
        rows[items] = [value, *rows.get(items, [np.nan, *alone])[1:]]
    missing = [items for items, row in rows.items() if np.isnan(row[0])]
    for items, value in _direct(count_cache, missing).items():
        rows[items][0] = value
    itemsets = sorted(rows, key=lambda items: (len(items), items))
    names = ("direct", "borrowed", "low", "high", "asked", "basis")
    columns = {name: [rows[items][at] for items in itemsets] for at, name in enumerate(names)}
    return columns, itemsets


def _direct(count_cache: CountCache, itemsets: list[Columns]) -> dict[Columns, float]:
    """Return the direct estimates of itemsets of which enough people were asked everything."""
    known: dict[Columns, float] = {}
    for _, same in itertools.groupby(sorted(itemsets, key=len), key=len):
        level = np.array(sorted(same))
        reached = index_of(count_cache.matrix.design).reachable(level)
        table = estimated(count_cache, level[reached])
        least = least_complete(count_cache.matrix.design, level[reached])
        for items, value, n, most in zip(level[reached].tolist(), table.value, table.n, least, strict=True):
            if n >= most and n:
                known[tuple(items)] = float(value)
    return known


def _asked(count_cache: CountCache, itemsets: Whole) -> Whole:
    """Count the rows that were asked everything in itemsets of one size."""
    index = index_of(count_cache.matrix.design)
    asked: Whole = count_cache.of(index.keys(index.asked_column[itemsets])).sum(axis=1)
    return asked


def estimated(count_cache: CountCache, itemsets: Whole) -> Estimates:
    """Estimate itemsets of one size.

    Parameters
    ----------
    count_cache : CountCache
    itemsets : ndarray of int64, shape (m, size)
    """
    plan = Plan.of_itemsets(count_cache.matrix.design, itemsets, all_rows=count_cache.all_rows)
    return estimates_of(plan, count_cache.of(plan.requests))


MOST_ITEMS: Final = 24
"""Items whose triples are tested: those with the largest variance."""


@dataclass(frozen=True, kw_only=True)
class ThreeWay:
    """Excess of triples over what shares and pairs predict.

    Attributes
    ----------
    excess, standard_error, p_value : float
        Mean over all triples, weighted by how many were asked; NaN where no one was asked three items.
    tested : dict of Columns to (float, float)
        Of each triple that 100 people or more were asked: its excess and Holm's adjusted p-value.
    """

    excess: float
    standard_error: float
    p_value: float
    tested: dict[Columns, tuple[float, float]]


def three_way(count_cache: CountCache) -> ThreeWay | None:
    """Test the triples of items that can borrow; None where nothing is borrowed.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.

    Notes
    -----
    Off the shares, the score of a triple is unbiased for its third central moment. The maximum-entropy law of
    the shares s and pair excesses C predicts the same moment F(s, C). The difference is linearised in the
    *unshrunk* estimates of s and C (at the borrowed ones): D = mean(c_abc) - F(s, C0) - sum F_C (mean(c_ab) -
    C0), and each row has one influence on D, whose variance is that of D. The derivatives follow from the
    eight cells of the law, of which the log odds ratio of three is 0.

    References
    ----------
    Deville 1999; Holm 1979.
    """
    figures = pair_figures(count_cache)
    pairs = None if figures is None else borrow(released(figures))
    if figures is None or pairs is None:
        return None
    index = index_of(figures.design)
    single = np.flatnonzero(~index.exclusive[figures.items])
    variance = pairs.shares * (1 - pairs.shares)
    kept = np.sort(single[np.argsort(-variance[single], kind="stable")][:MOST_ITEMS])
    if len(kept) < 3:
        return None
    shares, full = np.clip(pairs.shares, 1e-3, 1 - 1e-3), np.zeros((len(figures.items),) * 2)
    full[figures.pairs[:, 0], figures.pairs[:, 1]] = pairs.value - pairs.shares[figures.pairs].prod(axis=1)
    own, excess = shares[kept], (full + full.T)[np.ix_(kept, kept)]
    rows = _Rows(count_cache.matrix, figures.items[kept], own)
    triples = np.array(list(itertools.combinations(range(len(kept)), 3)))
    law = _Law(own, excess, triples)
    n, alone, both = rows.n, rows.asked.sum(axis=1), rows.asked @ rows.asked.T
    influences, weights, found = np.zeros(n), np.zeros(len(triples)), {}
    on_pairs, on_shares = np.zeros_like(excess), np.zeros(len(kept))
    for at, triple in enumerate(triples.tolist()):
        score, asked = rows.score(triple), int((rows.asked[triple].prod(axis=0)).sum())
        influences += score
        weights[at] = asked
        for (i, j), slope in zip(itertools.combinations(triple, 2), law.on_pairs[at], strict=True):
            on_pairs[i, j] += asked * slope
        on_shares[triple] += asked * law.on_shares[at]
        if asked >= LEAST_COMPLETE_ROWS:
            own_pairs, own_shares = np.zeros_like(excess), np.zeros(len(kept))
            for (i, j), slope in zip(itertools.combinations(triple, 2), law.on_pairs[at], strict=True):
                own_pairs[i, j] = slope
            own_shares[triple] = law.on_shares[at]
            influence = score * (n / asked) - rows.of(own_pairs, own_shares, both, alone)
            # Of a hundred rows the variance is known from the disguise better than from themselves.
            wider = np.sqrt(max(1.0, rows.variance(triple) * asked / float((score**2).sum())))
            found[tuple(figures.items[kept[triple]].tolist())] = _difference(
                influence, float((own_pairs * excess).sum()) - float(law.moment[at]), wider
            )
    total = weights.sum()
    if not total:
        return ThreeWay(excess=np.nan, standard_error=np.nan, p_value=np.nan, tested={})
    influences = influences * (n / total) - rows.of(on_pairs / total, on_shares / total, both, alone)
    known = float((on_pairs * excess).sum() - weights @ law.moment) / total
    mean, error = _difference(influences, known)
    adjusted = holm([_p_value(*own) for own in found.values()])
    return ThreeWay(
        excess=mean,
        standard_error=error,
        p_value=_p_value(mean, error),
        tested={items: (found[items][0], p) for items, p in zip(found, adjusted, strict=True)},
    )


def _difference(influence: Array, known: float, wider: float = 1.0) -> tuple[float, float]:
    return float(influence.mean()) + known, wider * float(influence.std() / np.sqrt(len(influence)))


def _p_value(value: float, error: float) -> float:
    return float(2 * scipy.special.ndtr(-abs(value) / error)) if error else 1.0


class _Law:
    """Third central moments of the maximum-entropy law, and how D follows shares and pairs."""

    def __init__(self, shares: Array, excess: Array, triples: Whole) -> None:
        pairs = excess + np.outer(shares, shares)
        least, most = np.maximum(0, np.add.outer(shares, shares) - 1), np.minimum.outer(shares, shares)
        pairs = np.clip(pairs, least, most)
        x = completed(shares, pairs, triples)
        a, b, c = shares[triples].T
        i, j, k = triples.T
        ab, ac, bc = pairs[i, j], pairs[i, k], pairs[j, k]
        only_a, only_b, only_c = a - ab - ac + x, b - ab - bc + x, c - ac - bc + x
        none = 1 - a - b - c + ab + ac + bc - x
        cells = np.stack([x, only_a, only_b, only_c, ab - x, ac - x, bc - x, none])
        inverse = 1 / np.maximum(cells, 1e-6)
        _, ia, ib, ic, iab, iac, ibc, inone = inverse
        total = inverse.sum(axis=0)
        of_ab, of_ac, of_bc = ((p + q + r + inone) / total for p, q, r in
                               ((ia, ib, iab), (ia, ic, iac), (ib, ic, ibc)))  # fmt: skip
        of_a, of_b, of_c = (-(own + inone) / total for own in (ia, ib, ic))
        cov_ab, cov_ac, cov_bc = ab - a * b, ac - a * c, bc - b * c
        self.moment = x - c * cov_ab - b * cov_ac - a * cov_bc - a * b * c
        self.on_pairs = np.stack([of_ab - c, of_ac - b, of_bc - a], axis=1)
        self.on_shares = np.stack(
            [
                of_a + of_ab * b + of_ac * c - b * c,
                of_b + of_ab * a + of_bc * c - a * c,
                of_c + of_ac * a + of_bc * b - a * b,
            ],
            axis=1,
        )


class _Rows:
    """Scores of rows off the shares, of sets of items: 0 where a row was not asked all of them."""

    def __init__(self, matrix: BitMatrix, items: Whole, shares: Array) -> None:
        index = index_of(matrix.design)
        self.n, self._shares, self._block = matrix.n, shares, index.block[items]
        self._seen = _flags(matrix, items)
        self.asked = _flags(matrix, index.asked_column[items])
        self._decoy, self._answering = index.unrelated[items], index.answering[self._block]
        direct = np.arange(matrix.n) < matrix.n_direct
        self._known: dict[tuple[int, ...], Array] = {}
        self._truth = np.where(direct, index.truth[0][self._block, None], index.truth[1][self._block, None])

    def score(self, items: list[int]) -> Array:
        """Return c of a set of items by row."""
        product = np.ones(self.n)
        for block in set(self._block[items].tolist()):
            own = [item for item in items if self._block[item] == block]
            p, answering = self._truth[own[0]], self._answering[own[0]]
            seen, decoy, skipped = np.ones(self.n), answering, 1 - answering
            for item in own:
                seen = seen * (self._seen[item] - self._shares[item])
                decoy *= self._decoy[item] - self._shares[item]
                skipped *= -self._shares[item]
            product *= (seen - (1 - p) * (decoy + skipped)) / p
        asked: Array = product * self.asked[items].prod(axis=0)
        return asked

    def variance(self, items: list[int]) -> float:
        """Return the variance of a score where the items are independent."""
        product, s, q = np.ones(self.n), self._shares, self._decoy
        for block in set(self._block[items].tolist()):
            own = np.array([item for item in items if self._block[item] == block])
            p, answering = self._truth[own[0]], self._answering[own[0]]
            squares = (
                answering * (q * (1 - q) + (q - s) ** 2)[own].prod() + (1 - answering) * (s[own] ** 2).prod()
            )
            mean = answering * (q - s)[own].prod() + (1 - answering) * (-s[own]).prod()
            product *= (p * (s * (1 - s))[own].prod() + (1 - p) * squares - ((1 - p) * mean) ** 2) / p**2
        return float(product.mean())

    def _kept(self, items: tuple[int, ...]) -> Array:
        if items not in self._known:
            self._known[items] = self.score(list(items))
        return self._known[items]

    def of(self, pairs: Array, shares: Array, both: Array, alone: Array) -> Array:
        """Return the influence of rows on a sum of pairs and shares with these weights."""
        influence = np.zeros(self.n)
        for i, j in np.argwhere(pairs).tolist():
            influence += pairs[i, j] * self.n / max(both[i, j], 1.0) * self._kept((i, j))
        for i in np.flatnonzero(shares).tolist():
            influence += shares[i] * self.n / alone[i] * self._kept((i,))
        return influence


def _flags(matrix: BitMatrix, columns: Whole) -> Array:
    """Return columns as rows of 0 and 1, direct rows first."""
    # No column is stored where every row is asked.
    stored = np.append(matrix.stored_at, FULL)[columns]
    parts = [
        unpacked_columns(columns_at(own.words, own.n, stored), own.n)
        for own in (matrix.direct, matrix.protected)
    ]
    return np.concatenate(parts, axis=1).astype(np.float64)
