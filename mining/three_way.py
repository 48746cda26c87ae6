"""Test whether three answers go together more, or less, than their pairs predict."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
import scipy

from mining.columns.bitmatrix import FULL, BitMatrix, columns_at, unpacked_columns
from mining.columns.count_cache import CountCache
from mining.predicted_itemsets import count_asked, predicted_pairs
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.completion import complete_supports
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.holm import holm
from privacy.levels import normal_quantile
from privacy.p_values import PValue
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.printed import UNCHECKED, Measured

MOST_TRIPLE_ITEMS: Final = 24
"""Largest number of items whose triples are tested; those with the largest variance are chosen."""


@dataclass(frozen=True, kw_only=True)
class ThreeWay:
    """Excess of triples over the predictions from shares and pairs.

    Attributes
    ----------
    mean : Measured or None
        Mean excess of the tested triples, weighted by the number of people asked; None if there are none.
    p_value : float
        Two-sided p-value of a mean of 0; NaN if there is none.
    tested : dict of Columns to (Measured, float)
        Excess and Holm-adjusted p-value of each triple that at least 100 people were asked.
    """

    mean: Measured | None
    p_value: float
    tested: dict[Columns, tuple[Measured, float]]

    @property
    def test(self) -> PValue:
        """The p-value of the mean, with its test."""
        return PValue(
            value=self.p_value, test="three answers", n=0 if self.mean is None else self.mean.n,
            estimable=self.mean is not None, adjustment="none", family=1, origin=UNCHECKED,
        )  # fmt: skip

    @property
    def adjusted(self) -> dict[Columns, PValue]:
        """The adjusted p-value of each triple, with its test."""
        return {
            triple: replace(self.test, value=p_value, n=own.n, adjustment="Holm", family=len(self.tested))
            for triple, (own, p_value) in self.tested.items()
        }


def three_way(count_cache: CountCache) -> ThreeWay | None:
    """Test the triples of items that can borrow; None if nothing is borrowed.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.

    Notes
    -----
    A triple is tested only if the error of each of its pairs is at most the product of the pair's shares.
    Within larger errors, the moment F is far from linear, and up to .45 of the tests of true hypotheses
    rejected them.

    Centred at the shares, the score of a triple is an unbiased estimate of its third central moment. The
    maximum-entropy distribution with the shares s and pair excesses C predicts the moment F(s, C). The
    difference is linearised in the estimates of s and C: D = mean(c_abc) - F(s, C0) - sum F_C (mean(c_ab) -
    C0), and each row has one influence on D, whose variance is that of D. C0 is unshrunk if 100 people were
    asked the pair: with shrunk C0, the mean of D was .3 of its error too large in 1,600 surveys of
    independent items. The derivatives follow from the eight cells of that distribution, whose three-way log
    odds ratio is 0.

    The error of the mean is at least that of the design if items are independent, because few rows have a
    large score where answers are rare. With items of 2 to 10%, the test rejected in 22 of 469 surveys of
    independent items; without this floor, in 26.

    References
    ----------
    Deville 1999; Holm 1979.
    """
    known_pairs = predicted_pairs(count_cache)
    if known_pairs is None:
        return None
    figures, pairs = known_pairs
    index = index_of(figures.design)
    single = np.flatnonzero(~index.exclusive[figures.items])
    variance = pairs.shares * (1 - pairs.shares)
    top = np.sort(single[np.argsort(-variance[single], kind="stable")][:MOST_TRIPLE_ITEMS])
    if len(top) < 3:
        return None
    shares, full = np.clip(pairs.shares, 1e-3, 1 - 1e-3), np.zeros((len(figures.items),) * 2)
    value = np.where(np.isfinite(figures.estimates), figures.estimates, pairs.value)
    full[figures.pairs[:, 0], figures.pairs[:, 1]] = value - pairs.shares[figures.pairs].prod(axis=1)
    item_shares, excess, items = shares[top], (full + full.T)[np.ix_(top, top)], figures.items[top]
    triples = np.array(list(itertools.combinations(range(len(top)), 3)))
    triples = triples[count_cache.withheld.allowed(figures.design, items[triples])]
    if not len(triples):
        return None
    rows = _Rows(count_cache.matrix, items, item_shares)
    is_precise = rows.are_precise()
    i, j, k = triples.T
    triples = triples[is_precise[i, j] & is_precise[i, k] & is_precise[j, k]]
    nothing = ThreeWay(mean=None, p_value=np.nan, tested={})
    if not len(triples):
        return nothing
    moment, on_pairs, on_shares = _moments(item_shares, excess, triples)
    asked = count_asked(count_cache, items[triples])
    kept_score = cache(rows.score)

    def test(scores: Array, weights: Array, wider: float = 1.0) -> tuple[float, float, float]:
        """Return a weighted mean of D, its standard error and p-value, from the scores of triples by row."""
        by_pair, by_share = np.zeros_like(excess), np.zeros(len(item_shares))
        np.add.at(by_pair, (triples[:, [0, 0, 1]], triples[:, [1, 2, 2]]), weights[:, None] * on_pairs)
        np.add.at(by_share, triples, weights[:, None] * on_shares)
        influence = scores.copy()
        for i, j in np.argwhere(by_pair).tolist():
            influence -= by_pair[i, j] / max(rows.both[i, j], 1.0) * kept_score((i, j))
        for i in np.flatnonzero(by_share).tolist():
            influence -= by_share[i] / rows.both[i, i] * kept_score((i,))
        value = float(influence.sum() + (by_pair * excess).sum() - weights @ moment)
        error = wider * float(influence.std() * np.sqrt(rows.n))
        return value, error, float(2 * scipy.special.ndtr(-abs(value) / error)) if error else 1.0

    total, found, scores = asked.sum(), {}, np.zeros(rows.n)
    if not total:
        return nothing
    for triple_number, triple in enumerate(map(tuple, triples.tolist())):
        score = rows.score(triple)
        scores += score / total
        if asked[triple_number] >= LEAST_COMPLETE_ROWS:
            # With about a hundred rows, the design gives a more reliable variance than the rows do.
            wider = np.sqrt(max(1.0, rows.variance(triple) * asked[triple_number] / float((score**2).sum())))
            alone = (np.arange(len(triples)) == triple_number).astype(float)
            found[tuple(items[triples[triple_number]].tolist())] = test(
                score / asked[triple_number], alone, wider
            )
    # Where answers are rare, few rows have a large score, so the rows can understate the variance, too.
    by_design = math.fsum(
        (count / total) ** 2 * rows.variance(triple) / count
        for triple, count in zip(map(tuple, triples.tolist()), asked.tolist(), strict=True)
        if count
    )
    plain_error = test(scores, asked / total)[1]
    wider = max(1.0, math.sqrt(by_design) / plain_error) if plain_error else 1.0
    mean, error, p_value = test(scores, asked / total, wider)
    adjusted = holm([own_p for _, _, own_p in found.values()])
    asked_of = dict(zip(map(tuple, items[triples].tolist()), asked.tolist(), strict=True))
    tested = {
        triple: (_measured(*found[triple][:2], asked_of[triple]), p)
        for triple, p in zip(found, adjusted, strict=True)
    }
    return ThreeWay(mean=_measured(mean, error, int(total)), p_value=p_value, tested=tested)


def _measured(value: float, error: float, n: int) -> Measured:
    """Return an excess with its normal interval; `n` counts a person once for each triple."""
    reach = normal_quantile(0.95) * error
    return Measured(
        value=value,
        low=value - reach,
        high=value + reach,
        standard_error=error,
        estimable=True,
        n=n,
        effective_n=float(n),
        level=0.95,
        possible=(-1.0, 1.0),
        method="excess",
        shift=None,
        origin=UNCHECKED,
    )


_CELLS: Final = np.kron(np.kron([[1, -1], [0, 1]], [[1, -1], [0, 1]]), [[1, -1], [0, 1]])
"""The eight cells of three items from the supports of their subsets: none, c, b, bc, a, ac, ab, abc."""


def _moments(shares: Array, excess: Array, triples: Whole) -> tuple[Array, Array, Array]:
    """Return third central moments of the maximum-entropy distribution, and the derivatives of D."""
    pairs = excess + np.outer(shares, shares)
    pairs = np.clip(pairs, np.maximum(0, np.add.outer(shares, shares) - 1), np.minimum.outer(shares, shares))
    every, one = complete_supports(shares, pairs, triples), np.ones(len(triples))
    (a, b, c), (i, j, k) = shares[triples].T, triples.T
    ab, ac, bc = pairs[i, j], pairs[i, k], pairs[j, k]
    inverse = 1 / np.maximum(_CELLS @ np.stack([one, c, b, bc, a, ac, ab, every]), 1e-6)
    # Keep the log odds ratio of three at 0: it changes by the sum of d cell / cell, signed as in `every`.
    slopes = -(_CELLS * _CELLS[:, -1:]).T @ inverse / inverse.sum(axis=0)
    _, on_c, on_b, on_bc, on_a, on_ac, on_ab, _ = slopes
    moment = every - a * bc - b * ac - c * ab + 2 * a * b * c
    on_pairs = np.stack([on_ab - c, on_ac - b, on_bc - a], axis=1)
    on_shares = np.stack(
        [
            on_a + on_ab * b + on_ac * c - b * c,
            on_b + on_ab * a + on_bc * c - a * c,
            on_c + on_ac * a + on_bc * b - a * b,
        ],
        axis=1,
    )
    return moment, on_pairs, on_shares


class _Rows:
    """Products of the items' scores minus their shares, by row; 0 if a row was not asked all items."""

    def __init__(self, matrix: BitMatrix, items: Whole, shares: Array) -> None:
        index = index_of(matrix.design)
        self.n, self._shares, self._block = matrix.n, shares, index.block[items]
        self._has_item = _flags(matrix, items)
        self._is_asked = _flags(matrix, index.asked_column[items])
        self.both = self._is_asked @ self._is_asked.T
        self._decoy, self._answering = index.unrelated[items], index.answering[self._block]
        direct = np.arange(matrix.n) < matrix.n_direct
        self._truth = np.where(direct, index.truth[0][self._block, None], index.truth[1][self._block, None])

    def score(self, items: tuple[int, ...]) -> Array:
        """Return the centred product c of a set of items by row."""
        product = np.ones(self.n)
        for block in set(self._block[list(items)].tolist()):
            block_items = [item for item in items if self._block[item] == block]
            p, answering = self._truth[block_items[0]], self._answering[block_items[0]]
            seen, decoy, skipped = np.ones(self.n), answering, 1 - answering
            for item in block_items:
                seen = seen * (self._has_item[item] - self._shares[item])
                decoy *= self._decoy[item] - self._shares[item]
                skipped *= -self._shares[item]
            product *= (seen - (1 - p) * (decoy + skipped)) / p
        return np.asarray(product * self._is_asked[list(items)].prod(axis=0))

    def variance(self, items: tuple[int, ...]) -> float:
        """Return the variance of a score if items are independent."""
        product, s, q = np.ones(self.n), self._shares, self._decoy
        for block in set(self._block[list(items)].tolist()):
            block_items = np.array([item for item in items if self._block[item] == block])
            p, answering = self._truth[block_items[0]], self._answering[block_items[0]]
            squares = (
                answering * (q * (1 - q) + (q - s) ** 2)[block_items].prod()
                + (1 - answering) * (s[block_items] ** 2).prod()
            )
            mean = answering * (q - s)[block_items].prod() + (1 - answering) * (-s[block_items]).prod()
            product *= (
                p * (s * (1 - s))[block_items].prod() + (1 - p) * squares - ((1 - p) * mean) ** 2
            ) / p**2
        return float(product.mean())

    def are_precise(self) -> Flags:
        """Return whether the error of each pair, due to the design, is at most the product of its shares.

        The shape is (m, m). The pair's own estimate must not decide: among rare answers, it would choose the
        surveys in which chance made it large.
        """
        m = len(self._shares)
        found = np.ones((m, m), dtype=np.bool_)
        for pair in itertools.combinations(range(m), 2):
            error = np.sqrt(self.variance(pair) / max(self.both[pair], 1.0))
            found[pair] = found[pair[::-1]] = error <= self._shares[list(pair)].prod()
        return found


def _flags(matrix: BitMatrix, columns: Whole) -> Array:
    """Return columns as rows of 0 and 1, direct rows first."""
    # A question that every row was asked has no "asked" column; -1 selects the appended `FULL`.
    positions = np.append(matrix.stored_at, FULL)[columns]
    parts = [
        unpacked_columns(columns_at(group.words, group.n, positions), group.n)
        for group in (matrix.direct, matrix.protected)
    ]
    return np.concatenate(parts, axis=1).astype(np.float64)
