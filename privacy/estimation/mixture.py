"""Maximum likelihood of the true patterns on the simplex, by the EM algorithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.estimation.patterns import BlockPatterns
from privacy.scales.em import explained

__all__ = ["Mixture"]

_MOST_STEPS: Final = 5_000
_SETTLED: Final = 1e-11
"""Largest change of a share in one step at which the search ends."""

_LEAST_LEAP: Final = 1e-3
"""Of its share an extrapolation leaves at least so much: a share of 0 would never rise again."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mixture:
    """Rows of one group by pattern, and the channel that they came through.

    Parameters
    ----------
    rows : int or float array, shape (letters of each block)
        Rows of the group by what they show.
    parts : sequence of BlockPatterns
        The blocks, in the order of the axes.
    group : int
        0 for direct rows, 1 for protected ones.

    Notes
    -----
    The channel of a block is C(y, x) = p N(y, x) + (1-p) q(y), N the identity where the true row is sent. The
    log-likelihood is sum R(y) ln (C pi)(y), C the product of the channels. It is concave in pi, and tells pi
    where p > 0 in each block.
    """

    rows: Array | Whole
    parts: Sequence[BlockPatterns]
    group: int

    def shown(self, shares: Array) -> Array:
        """Return C pi: how often rows show each pattern."""
        for axis, part in enumerate(self.parts):
            shares = part.forward(shares, self.group, axis=axis)
        return shares

    def back(self, weights: Array) -> Array:
        """Return C' w: what each true pattern gets of weights on what is shown."""
        for axis, part in enumerate(self.parts):
            weights = part.backward(weights, self.group, axis=axis)
        return weights

    def log_likelihood(self, shares: Array) -> float:
        """Return the log-likelihood, without its constant; -infinity where a row is impossible."""
        return float(scipy.special.xlogy(self.rows, self.shown(shares)).sum())

    def fit(self) -> Array:
        """Return the most likely shares.

        Notes
        -----
        EM: pi(x) becomes proportional to pi(x) sum_y R(y) C(y,x) / (C pi)(y). Two steps at a time are
        extrapolated (squared iterative method) where that raises the likelihood.

        References
        ----------
        Dempster, Laird and Rubin 1977; Varadhan and Roland 2008.
        """
        shares = _scaled(reduce(np.multiply.outer, (part.can_be.astype(np.float64) for part in self.parts)))
        reached = self.log_likelihood(shares)
        for _ in range(_MOST_STEPS):
            first = self._step(shares)
            second = self._step(first)
            if np.abs(second - shares).max() < _SETTLED:
                return second
            change, bend = first - shares, second - 2 * first + shares
            size, far = (math.sqrt((step**2).sum()) for step in (bend, change))
            by = max(1.0, far / size) if size else 1.0
            leap = np.maximum(shares + 2 * by * change + by**2 * bend, _LEAST_LEAP * second)
            shares = self._step(_scaled(leap))
            likelihood = self.log_likelihood(shares)
            if likelihood < reached:
                shares, likelihood = second, self.log_likelihood(second)
            reached = likelihood
        return shares

    def _step(self, shares: Array) -> Array:
        return _scaled(
            explained(np.asarray(self.rows, dtype=np.float64), shares, self.shown(shares), self.back)
        )


def _scaled(shares: Array) -> Array:
    """Make shares of what is proportional to them."""
    whole: Array = shares / shares.sum()
    return whole
