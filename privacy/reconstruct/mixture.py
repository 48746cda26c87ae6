"""Maximum likelihood of the true patterns on the simplex, by the EM algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mixture"]

Array: TypeAlias = NDArray[np.float64]

_MOST_STEPS: Final = 5_000
_SETTLED: Final = 1e-11
"""Largest change of a share in one step at which the search ends."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mixture:
    """Rows of both groups by pattern, and the channel that protected rows went through.

    Parameters
    ----------
    direct, protected : float array, one axis per block
        Rows by what they show.
    channels : sequence of float array
        Per block chance of what is shown (rows) given what is true (columns).
    possible : bool array
        Patterns that an answer can show.

    Notes
    -----
    The log-likelihood is sum D(x) ln pi(x) + sum R(y) ln (C pi)(y), C the product of the channels; it is
    concave in pi.
    """

    direct: Array
    protected: Array
    channels: Sequence[Array]
    possible: NDArray[np.bool_]

    @property
    def n(self) -> float:
        """Rows."""
        return float(self.direct.sum() + self.protected.sum())

    def shown(self, shares: Array) -> Array:
        """Return C pi: how often protected rows show each pattern."""
        return _through(self.channels, shares)

    def _back(self, weights: Array) -> Array:
        return _through([channel.T for channel in self.channels], weights)

    def log_likelihood(self, shares: Array) -> float:
        """Return the log-likelihood, without its constant; -infinity where a row is impossible."""
        total = 0.0
        for rows, chance in ((self.direct, shares), (self.protected, self.shown(shares))):
            seen = rows > 0
            with np.errstate(divide="ignore"):
                total += float((rows[seen] * np.log(chance[seen])).sum())
        return total

    def fit(self, *, cell: tuple[int, ...] | None = None, share: float = 0.0) -> Array:
        """Return the most likely shares; with `cell` those under "the share of this cell is `share`".

        Notes
        -----
        EM: pi(x) becomes proportional to D(x) + pi(x) sum_y R(y) C(y,x) / (C pi)(y). Two steps at a time are
        extrapolated (squared iterative method) where that raises the likelihood.

        References
        ----------
        Dempster, Laird and Rubin 1977; Varadhan and Roland 2008.
        """
        shares = self.possible / self.possible.sum()
        if cell is not None:
            shares = _fixed(shares, cell, share)

        def step(now: Array) -> Array:
            chance = self.shown(now)
            ratio = np.divide(self.protected, chance, out=np.zeros_like(chance), where=chance > 0)
            grown = self.direct + now * self._back(ratio)
            return grown / grown.sum() if cell is None else _fixed(grown, cell, share)

        reached = self.log_likelihood(shares)
        for _ in range(_MOST_STEPS):
            first = step(shares)
            second = step(first)
            if float(np.abs(second - shares).max()) < _SETTLED:
                return np.asarray(second, dtype=np.float64)
            change, bend = first - shares, second - 2 * first + shares
            size = float(np.linalg.norm(bend))
            length = max(1.0, float(np.linalg.norm(change)) / size) if size > 0 else 1.0
            leap = np.maximum(shares + 2 * length * change + length**2 * bend, 0.0)
            leap = step(leap / leap.sum() if cell is None else _fixed(leap, cell, share))
            found = self.log_likelihood(leap)
            if found < reached:
                leap, found = second, self.log_likelihood(second)
            shares, reached = leap, found
        return np.asarray(shares, dtype=np.float64)

    def covariance(self, shares: Array) -> Array:
        """Return the inverse of the expected information, shape (cells, cells); 0 where a share is 0.

        Notes
        -----
        Information diag(n0/pi) + C' diag(n1/(C pi)) C on the shares above 0, which add up to 1.
        """
        flat = shares.ravel()
        free = np.flatnonzero(flat > 1e-9)
        channel = np.ones((1, 1))
        for more in self.channels:
            channel = np.asarray(np.kron(channel, more), dtype=np.float64)
        chance = channel @ flat
        seen = chance > 0
        part = channel[np.ix_(seen, free)]
        information = np.diag(self.direct.sum() / flat[free])
        information += (part.T * (self.protected.sum() / chance[seen])) @ part
        result = np.zeros((len(flat), len(flat)))
        if len(free) > 1:
            # All directions in which the shares keep their sum.
            basis = np.linalg.svd(np.ones((1, len(free))))[2][1:].T
            inner = np.linalg.pinv(basis.T @ information @ basis)
            result[np.ix_(free, free)] = basis @ inner @ basis.T
        return result


def _through(channels: Sequence[Array], table: Array) -> Array:
    """Apply a channel to each axis in turn."""
    sizes = [len(channel) for channel in channels]
    for channel in channels:
        # What was the first axis goes last: after all of them each is where it was.
        table = (channel @ table.reshape(channel.shape[1], -1)).T
    result: Array = table.reshape(sizes)
    return result


def _fixed(shares: Array, cell: tuple[int, ...], share: float) -> Array:
    """Give one cell its share, and the others theirs of the rest."""
    others = shares.copy()
    others[cell] = 0.0
    total = others.sum()
    result: Array = others * ((1 - share) / total) if total > 0 else others
    result[cell] = share
    return result
