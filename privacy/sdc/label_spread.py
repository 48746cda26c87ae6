"""Two models of the values behind published labels: spread evenly, or spread as in the whole table.

The value behind a group's label is unknown. Under the *even* model, all possible values of a label are
equally likely. Under the *common* model, they are as likely as among all records, estimated from the labels
themselves. The truth of a grouped table is mostly between the two: a group that reads "any country" holds the
most frequent one more often than the rarest, and less often than the whole table does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.sdc.labels import Condition, Domain, Interval, Prefix, label_fit, label_fits
from privacy.sdc.table import Column, number_text

__all__ = ["Fits", "LabelSpread", "self_consistent"]

_MOST_ATOMS: Final = 256
"""Whole numbers of a narrower range are told apart; others lie in so many intervals."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """Fit of each label of a column to conditions; the first axis of three arrays is the model.

    Parameters
    ----------
    certain, possible : bool array, shape (labels,)
    share : float64 array, shape (2, labels)
        Share of the label's meaning that meets the conditions, in [0, 1].
    low, high : float64 array, shape (labels,)
        Least and largest number that does; nan for texts.
    mean, square : float64 array, shape (2, labels)
        Mean of what does, and of its square.
    """

    certain: Flags
    possible: Flags
    share: Array
    low: Array
    high: Array
    mean: Array
    square: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelSpread:
    """The labels of a published column, and their possible values."""

    column: Column
    domain: Domain

    def fits(self, conditions: Sequence[Condition]) -> Fits:
        """Judge every label by conditions on the column.

        Raises
        ------
        PrivacyError
            ``query``: texts are compared by size, or a number cannot be read.
        """
        judged = label_fits(self.domain, self.column, conditions)
        certain = np.array([fit.certain for fit in judged])
        possible = np.array([fit.possible for fit in judged])
        share, low, high, mean = (
            np.array([getattr(fit, name) for fit in judged], dtype=np.float64)
            for name in ("share", "low", "high", "middle")
        )
        even = Fits(
            certain=certain,
            possible=possible,
            share=np.stack([share, share]),
            low=low,
            high=high,
            mean=np.stack([mean, mean]),
            square=np.stack([mean**2 + (high - low) ** 2 / 12] * 2),
        )
        if not (possible & ~certain).any() and not (high > low).any():
            return even
        inside, middle = self.atom_fits(conditions)
        mass = self.weights[1] * inside
        total = mass.sum(axis=1)
        known = possible & (total > 0)
        even.share[1] = np.where(certain, 1.0, np.where(known, np.minimum(total, 1.0), share))
        if self.domain.numeric:
            scale = np.maximum(total, 1e-300)
            # The ends of an interval of numbers cut through its atoms.
            common = np.clip(mass @ middle / scale, low, high)
            even.mean[1] = np.where(known, common, mean)
            spread = np.maximum(mass @ middle**2 / scale - (mass @ middle / scale) ** 2, 0)
            even.square[1] = np.where(known, even.mean[1] ** 2 + spread, even.square[0])
        return even

    def atom_fits(self, conditions: Sequence[Condition]) -> tuple[Array, Array]:
        """Return the share of each atom that meets conditions, and the middle of what does; 0 for texts."""
        fits = [label_fit(self.domain, atom, conditions) for atom in self.atoms]
        share, middle = (np.array([getattr(fit, name) for fit in fits]) for name in ("share", "middle"))
        return share, np.nan_to_num(middle)

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """Labels of the finest parts that the models distinguish."""
        if not self.domain.numeric:
            return tuple(
                sorted(
                    {
                        leaf
                        for label in self.column.values
                        if not isinstance(self.domain.meaning(label), Prefix)
                        for leaf in self.domain.leaves.get(label, (label,))
                    }
                )
            )
        ends, closed = self._spans
        ends = np.unique(ends[np.isfinite(ends)])
        if not len(ends):
            return ()
        if self.domain.whole and ends[-1] - ends[0] < _MOST_ATOMS:
            return tuple(map(str, range(int(np.ceil(ends[0])), int(ends[-1]) + 1)))
        if len(ends) <= _MOST_ATOMS and closed.all():
            # Ends that belong to their labels are numbers that occur, as where neighbours were grouped.
            return tuple(map(number_text, ends.tolist()))
        if len(ends) > _MOST_ATOMS:
            ends = np.unique(np.quantile(ends, np.linspace(0, 1, _MOST_ATOMS)))
        edges = list(map(number_text, ends.tolist()))
        if len(edges) == 1:
            return tuple(edges)
        parts = [f"[{low},{high})" for low, high in pairwise(edges[:-1])]
        return (*parts, f"[{edges[-2]},{edges[-1]}]")

    @cached_property
    def _spans(self) -> tuple[Array, Flags]:
        """Return the ends of each label of numbers, nan for names, and whether they belong to it."""
        meanings = [self.domain.meaning(label) for label in self.column.values]
        spans = [
            (meaning.low, meaning.high, meaning.low_closed, meaning.high_closed)
            if isinstance(meaning, Interval)
            else (np.nan, np.nan, False, False)
            for meaning in meanings
        ]
        ends = np.array(spans, dtype=np.float64)
        return ends[:, :2], ends[:, 2:] > 0

    @cached_property
    def weights(self) -> Array:
        """Share of each atom in each label under either model: shape (2, labels, atoms), rows sum to 1."""
        held, sizes = self._numbers_held() if self.domain.numeric else self._texts_held()
        counts = np.bincount(self.column.codes, minlength=len(held)).astype(np.float64)
        return np.stack([_rows_to_one(held * sizes), _rows_to_one(held * self_consistent(held, counts))])

    def _texts_held(self) -> tuple[Array, Array]:
        held = np.zeros((len(self.column.values), len(self.atoms)))
        for row, label in enumerate(self.column.values):
            meaning = self.domain.meaning(label)
            if isinstance(meaning, Prefix):
                held[row] = [meaning.holds(atom) for atom in self.atoms]
            elif isinstance(meaning, frozenset):
                held[row] = [atom in meaning for atom in self.atoms]
        return held, np.ones(len(self.atoms))

    def _numbers_held(self) -> tuple[Array, Array]:
        """Return which share of each atom lies in each label, and the sizes of atoms."""
        if not self.atoms:
            return np.zeros((len(self.column.values), 0)), np.zeros(0)
        spans = [self.domain.meaning(atom) for atom in self.atoms]
        low, high = np.array([(span.low, span.high) for span in spans if isinstance(span, Interval)]).T
        points = high == low
        (start, end), (from_start, to_end) = self._spans[0].T[:, :, None], self._spans[1].T[:, :, None]
        sizes = np.where(points, 1.0, high - low)
        inside = ((low > start) | ((low == start) & from_start)) & ((high < end) | ((high == end) & to_end))
        overlap = np.minimum(high, end) - np.maximum(low, start)
        held = np.where(points, inside, np.clip(np.nan_to_num(overlap) / sizes, 0, 1))
        for row, label in enumerate(self.column.values):
            named = self.domain.leaves.get(label, ())
            single = (start[row, 0],) if start[row, 0] == end[row, 0] else ()
            if named or single:
                held[row] = 0
            for number in map(float, named or single):
                held[row, np.flatnonzero((low <= number) & (number <= high))[-1:]] = 1
        return held, sizes


def self_consistent(held: Array, counts: Array) -> Array:
    """Estimate the distribution of values from labels that hide them.

    Parameters
    ----------
    held : float64 array, shape (labels, atoms)
        Share of each atom that a label can mean, in [0, 1].
    counts : float64 array, shape (labels,)
        Records of each label.

    Returns
    -------
    float64 array, shape (atoms,)
        Shares; they sum to 1 where any label holds an atom.

    Notes
    -----
    Of the n_l records with label l, the share p_a / sum over the atoms b of l of p_b has the atom a; p is the
    resulting overall share: p_a = sum_l n_l held_la p_a / sum_b held_lb p_b, divided by n, iterated until it
    converges. It is the maximum likelihood estimate if labels hide values at random.

    References
    ----------
    Turnbull 1976.

    Examples
    --------
    Two records read F, one M, and one either: it is F with two probabilities in three.

    >>> held = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> self_consistent(held, np.array([2.0, 1.0, 1.0])).round(4).tolist()
    [0.6667, 0.3333]
    """
    shares: Array = counts @ _rows_to_one(held) / max(counts.sum(), 1.0)
    for _ in range(100):
        before, totals = shares, held @ shares
        shares = before * ((counts / np.where(totals > 0, totals, np.inf)) @ held) / max(counts.sum(), 1.0)
        if np.abs(shares - before).max(initial=0) < 1e-6:
            break
    return shares


def _rows_to_one(table: Array) -> Array:
    sums = table.sum(axis=1, keepdims=True)
    return table / np.where(sums > 0, sums, 1.0)
