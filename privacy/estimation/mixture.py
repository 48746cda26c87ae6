"""Maximum likelihood of the true patterns on the simplex, by the EM algorithm, for many itemsets at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.channels.retention import adjoint, forward
from privacy.estimation.patterns import GROUPS
from privacy.scales.em import climb, explained

__all__ = ["Mixture", "along"]

Number = TypeVar("Number", bound=np.generic)

_MOST_STEPS: Final = 5_000
_SETTLED: Final = 1e-11
"""Largest change of a share in one step at which the search ends."""

_LEAST_LEAP: Final = 1e-3
"""Of its share an extrapolation leaves at least so much: a share of 0 would never rise again."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mixture:
    """Rows of both groups by pattern, of `R` itemsets of one shape, and the channel of each group.

    Parameters
    ----------
    rows : float array, shape (2, R, patterns of each block)
        Rows of the direct and of the protected group by what they show; one axis a block.
    truth : sequence of float array, shape (2, R)
        Per block chance p that a row of a group shows what is true.
    decoys : sequence of float array, shape (R, patterns of the block)
        Per block chance q of what a decoy shows.
    possible : bool array, shape (R, patterns of each block)
        Patterns that an answer can show; a decoy may show others.
    turned : mapping of int to float array, shape (R, patterns, patterns)
        Of blocks, by their number, that send rows near the true one: the chance N that a pattern comes of
        another one where no decoy is sent. It is symmetric.

    Notes
    -----
    The channel of a block in group g is C_g(y, x) = p_g N(y, x) + (1-p_g) q(y), N the identity where the true
    row is sent, or p_g = 1. The log-likelihood is
    sum_g sum R_g(y) ln (C_g pi)(y), C_g the product of the channels. It is concave in pi, and tells pi where
    the channels of the groups with rows, one below the other, have full column rank: as where all p_g > 0 in
    one of these groups.
    """

    rows: Array
    truth: Sequence[Array]
    decoys: Sequence[Array]
    possible: Flags
    turned: Mapping[int, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.possible)

    @property
    def n_by_group(self) -> Array:
        """Rows of each group, shape (2, R)."""
        total: Array = self.rows.reshape(2, len(self), -1).sum(axis=2)
        return total

    @property
    def n(self) -> Array:
        """Rows, shape (R,)."""
        total: Array = self.n_by_group.sum(axis=0)
        return total

    def part(self, which: Flags | NDArray[np.intp]) -> Mixture:
        """Return some of the itemsets."""
        return Mixture(
            rows=self.rows[:, which],
            truth=[truth[:, which] for truth in self.truth],
            decoys=[decoys[which] for decoys in self.decoys],
            possible=self.possible[which],
            turned={block: turned[which] for block, turned in self.turned.items()},
        )

    def shown(self, shares: Array, group: int) -> Array:
        """Return C_g pi: how often rows of a group show each pattern."""
        for axis, p, decoys in self._disguised[group]:
            shares = self._turn(shares, axis)
            shares = forward(shares, along(p, shares), along(decoys, shares, axis), axis=axis)
        return shares

    def back(self, weights: Array, group: int) -> Array:
        """Return C_g' w: what each true pattern gets of weights on what a group shows."""
        for axis, p, decoys in self._disguised[group]:
            weights = adjoint(weights, along(p, weights), along(decoys, weights, axis), axis=axis)
            weights = self._turn(weights, axis)
        return weights

    def _turn(self, table: Array, axis: int) -> Array:
        """Return N times what stands along an axis; what is the same for all patterns stays."""
        turned = self.turned.get(axis - 1)
        if turned is None:
            return table
        moved = np.moveaxis(table, axis, -1)
        turned_shares = np.einsum("rij,r...j->r...i", turned, moved)
        return np.moveaxis(turned_shares, -1, axis)

    @cached_property
    def _disguised(self) -> list[list[tuple[int, Array, Array]]]:
        """Axis, p and q of the blocks that are disguised, by group."""
        blocks = list(zip(self.truth, self.decoys, strict=True))
        return [
            [
                (axis, truth[group], decoys)
                for axis, (truth, decoys) in enumerate(blocks, start=1)
                if (truth[group] < 1).any()
            ]
            for group in GROUPS
        ]

    def log_likelihood(self, shares: Array) -> Array:
        """Return the log-likelihoods, without their constants; -infinity where a row is impossible."""
        parts = sum(scipy.special.xlogy(self.rows[group], self.shown(shares, group)) for group in GROUPS)
        total: Array = _flat(np.asarray(parts)).sum(axis=1)
        return total

    def _explained(self, shares: Array, chances: Array, group: int) -> Array:
        return explained(self.rows[group], shares, chances, lambda ratio: self.back(ratio, group))

    def fit(self) -> Array:
        """Return the most likely shares.

        Notes
        -----
        EM: pi(x) becomes proportional to pi(x) sum_g sum_y R_g(y) C_g(y,x) / (C_g pi)(y). Two steps at a
        time are extrapolated (squared iterative method) where that raises the likelihood.

        References
        ----------
        Dempster, Laird and Rubin 1977; Varadhan and Roland 2008.
        """
        possible = self.possible.astype(np.float64)
        even = possible / along(_flat(possible).sum(axis=1), possible)
        shares = _scaled(even)
        table, reached = self, self.log_likelihood(shares)

        def advance(shares: Array, _sets: NDArray[np.intp]) -> tuple[Array, Flags]:
            nonlocal table, reached
            first = table._step(shares)
            second = table._step(first)
            going = _flat(np.abs(second - shares)).max(axis=1) >= _SETTLED
            if not going.any():
                return second, going
            if not going.all():
                table, reached = table.part(going), reached[going]
            leap, reached = table._leap([point[going] for point in (shares, first, second)], reached)
            advanced = second
            advanced[going] = leap
            return advanced, going

        return climb(advance, shares, most_steps=_MOST_STEPS)[0]

    def _leap(self, steps: Sequence[Array], reached: Array) -> tuple[Array, Array]:
        """Extrapolate two steps where that is as likely as what was reached; return what is then reached."""
        shares, first, second = steps
        change, bend = first - shares, second - 2 * first + shares
        size, far = (np.sqrt((_flat(step) ** 2).sum(axis=1)) for step in (bend, change))
        length = np.maximum(1.0, np.divide(far, size, out=np.ones_like(far), where=size > 0))
        by = along(length, shares)
        leap = np.maximum(shares + 2 * by * change + by**2 * bend, _LEAST_LEAP * second)
        leap = self._step(_scaled(leap))
        likelihood = self.log_likelihood(leap)
        worse = likelihood < reached
        if worse.any():
            leap[worse] = second[worse]
            likelihood[worse] = self.part(worse).log_likelihood(second[worse])
        return leap, likelihood

    def _step(self, shares: Array) -> Array:
        # Undisguised rows are what they show.
        parts = (
            self._explained(shares, self.shown(shares, group), group)
            if self._disguised[group]
            else self.rows[group]
            for group in GROUPS
        )
        return _scaled(np.asarray(sum(parts)))


def _flat(table: Array) -> Array:
    return table.reshape(len(table), -1)


def along(values: NDArray[Number], table: NDArray[Any], axis: int | None = None) -> NDArray[Number]:
    """Lay values of itemsets, or of their patterns in one block, along the axes of a table.

    Parameters
    ----------
    values : ndarray of shape (itemsets,) or (itemsets, letters)
        One of each itemset, or of each of its letters in one block.
    table : ndarray
        Whose first axis is the itemset, and the others the blocks.
    axis : int, optional
        Of the block; None for values of whole itemsets.
    """
    shape = [len(values)] + [1] * (table.ndim - 1)
    if axis is not None:
        shape[axis] = values.shape[1]
    return values.reshape(shape)


def _scaled(shares: Array) -> Array:
    """Make shares of what is proportional to them."""
    whole: Array = shares / along(_flat(shares).sum(axis=1), shares)
    return whole
