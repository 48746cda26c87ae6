"""Tests of what completed itemsets assume: three items go together as their pairs say, not more or less."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from mining.borrowed import pair_figures
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.transposition import FULL
from privacy.arrays import Array, Whole
from privacy.estimation import Columns
from privacy.estimation.arm_effects import holm
from privacy.estimation.borrowing import borrow, released
from privacy.estimation.completion import completed
from privacy.estimation.design_index import BLANK, index_of
from privacy.policy import LEAST_COMPLETE_ROWS

__all__ = ["MOST_ITEMS", "ThreeWay", "three_way"]

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
    flags = np.ones((len(columns), matrix.n))
    for row, column in enumerate(columns.tolist()):
        place = FULL if column == BLANK else int(matrix.stored_at[column])
        if place != FULL:
            parts = [
                np.unpackbits(own.words[place].view(np.uint8), count=own.n, bitorder="little")
                for own in (matrix.direct, matrix.protected)
            ]
            flags[row] = np.concatenate(parts)
    return flags
