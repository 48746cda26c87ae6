"""Models of the values behind the labels of a published column.

The value behind a group's label is unknown. Under the *even* model, all possible values of a label are
equally likely. Under the *common* model, they are as likely as among all records, estimated from the labels
themselves. The truth usually lies between the two: among records labelled "any country", the most frequent
country is more common than the rarest, but less common than in the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.numeric_text import number_text
from privacy.sdc.label_conditions import Condition, label_fits, label_fitter
from privacy.sdc.published_labels import Domain, Interval, Prefix
from privacy.sdc.table import Column

_MOST_ATOMS: Final = 256
"""Most atoms of a numeric column: integers over a smaller range are kept apart, other numbers are binned."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """How each label of a column fits some conditions; the first axis of 2-D arrays is the model.

    Parameters
    ----------
    certain, possible : bool array, shape (labels,)
        Whether all, or some, of the label's possible values meet the conditions.
    share : float64 array, shape (2, labels)
        Share of the label's meaning that meets the conditions, in [0, 1].
    low, high : float64 array, shape (labels,)
        Smallest and largest number of the label that meets them; nan for texts.
    mean, square : float64 array, shape (2, labels)
        Mean of the numbers that meet them, and mean of their squares.
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
        """Evaluate conditions on the column for every label.

        Raises
        ------
        PrivacyError
            ``query``: texts are compared by size, or a number cannot be read.
        """
        results = label_fits(self.domain, self.column, conditions)
        certain = np.array([fit.certain for fit in results])
        possible = np.array([fit.possible for fit in results])
        share, low, high, mean = (
            np.array([getattr(fit, name) for fit in results], dtype=np.float64)
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
        has_mass = possible & (total > 0)
        even.share[1] = np.where(certain, 1.0, np.where(has_mass, np.minimum(total, 1.0), share))
        if self.domain.numeric:
            scale = np.maximum(total, 1e-300)
            # A label's interval may end inside an atom, so the mean of its atoms can lie outside it.
            common = np.clip(mass @ middle / scale, low, high)
            even.mean[1] = np.where(has_mass, common, mean)
            spread = np.maximum(mass @ middle**2 / scale - (mass @ middle / scale) ** 2, 0)
            even.square[1] = np.where(has_mass, even.mean[1] ** 2 + spread, even.square[0])
        return even

    def atom_fits(self, conditions: Sequence[Condition]) -> tuple[Array, Array]:
        """Return the share of each atom that meets conditions, and the middle of that part (0 for texts)."""
        fits = list(map(label_fitter(self.domain, conditions), self.atoms))
        return np.array([fit.share for fit in fits]), np.nan_to_num(np.array([fit.middle for fit in fits]))

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """Labels of the atoms, the smallest values or intervals that the models distinguish."""
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
        ends, is_closed = self._spans
        ends = np.unique(ends[np.isfinite(ends)])
        if not len(ends):
            return ()
        if self.domain.whole and ends[-1] - ends[0] < _MOST_ATOMS:
            return tuple(map(str, range(int(np.ceil(ends[0])), int(ends[-1]) + 1)))
        if len(ends) <= _MOST_ATOMS and is_closed.all():
            # Closed ends are numbers from the data, for example when neighbouring values were grouped.
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
        """Return the ends of each numeric label (nan for texts), and whether the label includes them."""
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
        """Probability of each atom given the label, by model: shape (2, labels, atoms); rows sum to 1."""
        cover, sizes = self._number_shares() if self.domain.numeric else self._text_shares()
        counts = np.bincount(self.column.codes, minlength=len(cover)).astype(np.float64)
        return np.stack(
            [_normalise_rows(cover * sizes), _normalise_rows(cover * self_consistent(cover, counts))]
        )

    def _text_shares(self) -> tuple[Array, Array]:
        overlaps = np.zeros((len(self.column.values), len(self.atoms)))
        for row, label in enumerate(self.column.values):
            meaning = self.domain.meaning(label)
            if isinstance(meaning, Prefix):
                overlaps[row] = [meaning.holds(atom) for atom in self.atoms]
            elif isinstance(meaning, frozenset):
                overlaps[row] = [atom in meaning for atom in self.atoms]
        return overlaps, np.ones(len(self.atoms))

    def _number_shares(self) -> tuple[Array, Array]:
        """Return the share of each atom that lies in each label, and the sizes of the atoms."""
        if not self.atoms:
            return np.zeros((len(self.column.values), 0)), np.zeros(0)
        spans = [self.domain.meaning(atom) for atom in self.atoms]
        low, high = np.array([(span.low, span.high) for span in spans if isinstance(span, Interval)]).T
        points = high == low
        (start, end), (from_start, to_end) = self._spans[0].T[:, :, None], self._spans[1].T[:, :, None]
        sizes = np.where(points, 1.0, high - low)
        inside = ((low > start) | ((low == start) & from_start)) & ((high < end) | ((high == end) & to_end))
        overlap = np.minimum(high, end) - np.maximum(low, start)
        overlaps = np.where(points, inside, np.clip(np.nan_to_num(overlap) / sizes, 0, 1))
        for row, label in enumerate(self.column.values):
            numbers = self.domain.leaves.get(label, ())
            single = (start[row, 0],) if start[row, 0] == end[row, 0] else ()
            if numbers or single:
                overlaps[row] = 0
            for number in map(float, numbers or single):
                overlaps[row, np.flatnonzero((low <= number) & (number <= high))[-1:]] = 1
        return overlaps, sizes


def self_consistent(atoms: Array, counts: Array) -> Array:
    """Estimate the distribution of values from generalised labels.

    Parameters
    ----------
    atoms : float64 array, shape (labels, atoms)
        Share of each atom that a label can mean, in [0, 1].
    counts : float64 array, shape (labels,)
        Number of records with each label.

    Returns
    -------
    float64 array, shape (atoms,)
        Shares of the atoms; they sum to 1 if any label can mean an atom.

    Notes
    -----
    Among the n_l records with label l, a share p_a / sum_b p_b has atom a, where b runs over the atoms of l.
    Summed over labels, this gives p_a = sum_l n_l held_la p_a / sum_b held_lb p_b, divided by n. Iterating it
    until it converges yields the maximum likelihood estimate if labels hide values at random.

    References
    ----------
    Turnbull 1976.

    Examples
    --------
    Two records read F, one M, and one either. The last is F with a probability of 2/3.

    >>> held = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> self_consistent(held, np.array([2.0, 1.0, 1.0])).round(4).tolist()
    [0.6667, 0.3333]
    """
    shares: Array = counts @ _normalise_rows(atoms) / max(counts.sum(), 1.0)
    for _ in range(100):
        before, totals = shares, atoms @ shares
        shares = before * ((counts / np.where(totals > 0, totals, np.inf)) @ atoms) / max(counts.sum(), 1.0)
        if np.abs(shares - before).max(initial=0) < 1e-6:
            break
    return shares


def _normalise_rows(table: Array) -> Array:
    sums = table.sum(axis=1, keepdims=True)
    return table / np.where(sums > 0, sums, 1.0)
