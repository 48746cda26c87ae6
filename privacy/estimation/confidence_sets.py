"""Confidence sets: parameter values that a test does not reject, and their intersection with a range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["ConfidenceSets", "Intervals"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Intervals:
    """The smallest intervals that hold the sets, inside a range.

    Parameters
    ----------
    low, high : float array
        Ends, both inside the range.
    estimable : bool array
        False where the whole range is left: "not estimable with this n".
    """

    low: Array
    high: Array
    estimable: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceSets:
    """One set per element: an interval, the outside of one, or everything.

    Parameters
    ----------
    low, high : float array
        The set is [low, high], or with `outside` (-inf, high] and [low, inf), high < low.
    outside : bool array
        A ratio's set is of this kind when its denominator may be zero.
    whole : bool array
        No value is rejected.

    Examples
    --------
    >>> sets = ConfidenceSets(low=np.array([-0.5, 3.0]), high=np.array([0.5, -2.0]),
    ...                       outside=np.array([False, True]), whole=np.array([False, False]))
    >>> inside = sets.inside(0.0, np.inf)
    >>> inside.low, inside.high
    (array([0., 3.]), array([0.5, inf]))
    """

    low: Array
    high: Array
    outside: NDArray[np.bool_]
    whole: NDArray[np.bool_]

    def part(self, which: slice) -> ConfidenceSets:
        """Return the sets of some elements."""
        return ConfidenceSets(
            low=self.low[which], high=self.high[which], outside=self.outside[which], whole=self.whole[which]
        )

    def inside(self, least: float, greatest: float) -> Intervals:
        """Intersect with [least, greatest] and return the smallest intervals that hold the result.

        Notes
        -----
        Two pieces at the two ends of the range leave the whole range. Where nothing is left (all
        possible values are rejected), the end of the range nearest to the set is given as both ends:
        adding a point to a set that covers often enough does no harm.
        """
        low = np.where(self.outside, least, np.clip(self.low, least, greatest))
        high = np.where(self.outside, greatest, np.clip(self.high, least, greatest))
        # Of the two rays only the part inside the range counts.
        below, above = self.outside & (self.high >= least), self.outside & (self.low <= greatest)
        low = np.where(above & ~below, np.maximum(self.low, least), low)
        high = np.where(below & ~above, np.minimum(self.high, greatest), high)
        nothing = self.outside & ~below & ~above
        with np.errstate(invalid="ignore"):  # infinity - infinity, where something is left anyway
            nearest = np.where(least - self.high <= self.low - greatest, least, greatest)
        low, high = np.where(nothing, nearest, low), np.where(nothing, nearest, high)
        low, high = np.where(self.whole, least, low), np.where(self.whole, greatest, high)
        return Intervals(low=low, high=high, estimable=~((low <= least) & (high >= greatest)))
