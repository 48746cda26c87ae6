"""The test of a share, with the variance that the hypothesis has, and the shares that it accepts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags
from privacy.scales.running_sum import Moments, moments_of
from privacy.scales.scale_groups import ScaleGroups

__all__ = ["Quadratics", "set_moments", "share_ends", "share_quadratics"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Quadratics:
    """Hypotheses w that a test accepts: those with c0 + c1 w + c2 w^2 <= 0."""

    c0: Array
    c1: Array
    c2: Array

    def at(self, w: float | Array) -> Array:
        """Return the value at w."""
        value: Array = self.c0 + w * (self.c1 + w * self.c2)
        return value

    def roots(self) -> tuple[Array, Array]:
        """Return both roots, the lower first; NaN where there are none, one infinite where there is one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            half = -(self.c1 + np.copysign(np.sqrt(self.c1**2 - 4 * self.c0 * self.c2), self.c1)) / 2
            first, second = half / self.c2, self.c0 / half
        return np.fmin(first, second), np.fmax(first, second)


def share_quadratics(moments: Moments, limit: float) -> Quadratics:
    """Return which shares are accepted of each set of bins or cells.

    Parameters
    ----------
    moments : Moments
        Of the scores of sets of bins or cells.
    limit : float
        Of the test's statistic, chi-square of one degree of freedom.

    Notes
    -----
    With z the score of a set and a that of having answered, z - t a has mean 0 where t is the share. The test
    accepts t with n (mean of z - t a)^2 <= limit V(t). V is the mean of (z - t a)^2, moved from the share
    that the rows show to t at the rate at which the channel moves it. Where z has two values that is
    Wilson's interval.

    References
    ----------
    Wilson 1927.
    """
    answer, mean = moments.answer, moments.mean
    return Quadratics(
        c0=moments.n * mean**2 - limit * (moments.square - mean * moments.slope),
        c1=-2 * moments.n * mean * answer
        - limit * (2 * mean * moments.slope_with + answer * moments.slope - 2 * moments.with_answer),
        c2=moments.n * answer**2 - limit * (moments.answer_square - 2 * answer * moments.slope_with),
    )


def share_ends(moments: Moments, limit: float) -> tuple[Array, Array]:
    """Return both ends of what the test accepts; infinite where it may be that no row is an answer.

    Parameters
    ----------
    moments : Moments
        Of the scores of sets of bins or cells.
    limit : float
        Of the test's statistic, chi-square of one degree of freedom.
    """
    test = share_quadratics(moments, limit)
    low, high = test.roots()
    bounded, shares = test.c2 > 0, moments.mean / moments.answer
    return np.where(bounded, np.fmin(low, shares), -np.inf), np.where(bounded, np.fmax(high, shares), np.inf)


def set_moments(groups: ScaleGroups, scores: Array, inside: Flags) -> Moments:
    """Return the moments of the scores of one set of bins or cells, people spread evenly in and out of it.

    Parameters
    ----------
    groups : ScaleGroups
    scores : ndarray, shape (kinds,)
        z of each kind of row, group after group.
    inside : ndarray of bool, shape (inputs,)
        Neither of all bins or cells nor of none.
    """

    def slopes(values: Array) -> Array:
        within, without = (values.mean(axis=-1, where=part) for part in (inside, ~inside))
        return np.asarray(within - without)

    return moments_of(groups, scores[None], slopes)
