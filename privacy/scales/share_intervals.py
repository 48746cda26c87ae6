"""Interval of the share of a set of bins or cells: the shares that a test of its moments accepts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags
from privacy.scales.scale_groups import ScaleGroups
from privacy.scales.score_moments import Moments, moments_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Quadratics:
    """Quadratics whose test accepts the hypotheses w with c0 + c1 w + c2 w^2 <= 0."""

    c0: Array
    c1: Array
    c2: Array

    def at(self, w: float | Array) -> Array:
        """Return the value at w."""
        value: Array = self.c0 + w * (self.c1 + w * self.c2)
        return value

    def roots(self) -> tuple[Array, Array]:
        """Return both roots, the lower first; NaN if there are none, one of them infinite if there is one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            half = -(self.c1 + np.copysign(np.sqrt(self.c1**2 - 4 * self.c0 * self.c2), self.c1)) / 2
            first, second = half / self.c2, self.c0 / half
        return np.fmin(first, second), np.fmax(first, second)


def share_quadratics(moments: Moments, limit: float) -> Quadratics:
    """Return the quadratics that accept shares of each set of bins or cells.

    Parameters
    ----------
    moments : Moments
        Moments of the scores of sets of bins or cells.
    limit : float
        Largest accepted test statistic: a quantile of chi-square with one degree of freedom.

    Notes
    -----
    Let z be the score of a set and a the score of having answered. If t is the share, z - t a has mean 0. The
    test accepts t with n (mean of z - t a)^2 <= limit V(t). V is the mean of (z - t a)^2, shifted from the
    observed share to t at the channel's rate of change. If z has two values, this is Wilson's interval.

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
    """Return both ends of the accepted set; they are infinite if perhaps no row is an answer.

    Parameters
    ----------
    moments : Moments
        Moments of the scores of sets of bins or cells.
    limit : float
        Largest accepted test statistic: a quantile of chi-square with one degree of freedom.
    """
    test = share_quadratics(moments, limit)
    low, high = test.roots()
    bounded, shares = test.c2 > 0, moments.mean / moments.answer
    return np.where(bounded, np.fmin(low, shares), -np.inf), np.where(bounded, np.fmax(high, shares), np.inf)


def set_moments(groups: ScaleGroups, scores: Array, inside: Flags) -> Moments:
    """Return the moments of the scores of one set of bins or cells.

    The slopes assume that people are evenly spread inside the set and outside it.

    Parameters
    ----------
    groups : ScaleGroups
    scores : ndarray, shape (kinds,)
        z of each kind of row, group after group.
    inside : ndarray of bool, shape (inputs,)
        A proper, nonempty subset of the bins or cells.
    """

    def slopes(values: Array) -> Array:
        within, without = (values.mean(axis=-1, where=part) for part in (inside, ~inside))
        return np.asarray(within - without)

    return moments_of(groups, scores[None], slopes)
