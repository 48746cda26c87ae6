"""Shares of regions of a map from disguised places; quantiles and bars from disguised numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.arrays import Array, Flags
from privacy.channels import LARGEST, score
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile
from privacy.scales.area import paint_cells, read_rectangle
from privacy.scales.planar_report_error import plain_scores
from privacy.scales.planar_window import Operator, PlanarWindowChannel, Region
from privacy.scales.scale_groups import Moments, ScaleGroups, mean_score, moments_of

__all__ = ["Quadratics", "Share", "region_share", "set_moments", "share_ends", "share_quadratics"]


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


@dataclass(frozen=True, kw_only=True)
class Share:
    """Share of people whose place is in a region; the share and its interval may be outside [0, 1].

    `shift` is how far forged rows can have moved it.
    """

    value: float
    standard_error: float
    low: float
    high: float
    n: int
    shift: float = 0.0

    @property
    def estimable(self) -> bool:
        """Whether the interval excludes some possible share."""
        return self.low > 0 or self.high < 1


def region_share(
    windows: PlanarWindowChannel, groups: ScaleGroups, region: Region, *, level: float = 0.95, forged: int = 0
) -> Share:
    """Return an unbiased estimate of the share in a region among those who answer, with error and interval.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Rows of the groups, all of which count in n.
    region : tuple of Rectangle
        Rectangles of cells that share no cell.
    level : float, in (0, 1)
    forged : int
        Number of rows that no device sent.

    Raises
    ------
    PrivacyError
        ``regions``; ``too_large``: on a map of more than 2,000 cells, the region cuts both a window and the
        border of a rectangle in which windows move; ``no_score``, ``no_rows``.

    Notes
    -----
    If every window is wholly inside or wholly outside the region, let q = S_R/S_A. An output inside then
    scores (1 - (1-beta) q)/beta, and one outside scores -(1-beta) q/beta. The share is (n_R/n - (1-beta)
    q)/beta, and its error is sqrt(lambda (1-lambda)/n)/beta with lambda = n_R/n. Otherwise, a small map uses
    the least-variance scores of `privacy.channels.score`. A larger map, in which each window moves within its
    own rectangle, uses those of `privacy.scales.planar_report_error.plain_scores`.

    The interval holds the shares that `privacy.scales.region_share.share_quadratics` accepts. For a region
    that cuts no window, it is (Wilson's interval of lambda - (1-beta) q)/beta. It has no ends if perhaps no
    one answered.

    Examples
    --------
    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area(west=0, south=0, east=3000, north=1000, columns=3, rows=1)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> usm = PlanarWindowChannel(mechanism="usm", area=area, levels=(level,))  # beta = 1/2
    >>> from privacy.scales.scale_groups import scale_groups
    >>> groups = scale_groups(usm, [40, 40, 20])
    >>> outside = region_share(usm, groups, ((2, 0, 1, 1),))  # .2 / beta; Wilson has [.1334, .2888]
    >>> outside.value, round(outside.low, 4), round(outside.high, 4)
    (0.4, 0.2667, 0.5777)
    """
    inside = _inside(windows, region)
    true = inside.astype(np.float64)

    def of(disguise: PlanarWindowChannel) -> Array:
        return region_scores(disguise, region)[1]

    value, error, n = mean_score(groups, true, of)
    low = high = np.array([value])
    if inside.any() and not inside.all():
        moments = set_moments(groups, groups.scores(true, of), inside)
        low, high = share_ends(moments, chi_square_quantile(level))
    return Share(
        value=value,
        standard_error=error,
        low=float(low[0]),
        high=float(high[0]),
        n=n,
        shift=float(ratio_shift(groups.scores(true, of), groups.answers, groups.rows, forged)),
    )


def region_scores(windows: PlanarWindowChannel, region: Region) -> tuple[Flags, Array]:
    """Return flags of the cells in a region, and each output's score for it; both of shape (cells,)."""
    inside = _inside(windows, region)
    # Regions that cut windows of a small map use least-variance scores. Others need no matrix.
    if windows.inputs**2 <= LARGEST and not windows.is_retention_channel(region):
        return inside, _least_variance(windows, inside.tobytes())
    scores = plain_scores(windows, region)
    if scores is None:
        raise PrivacyError("too_large.region", windows.inputs)
    return inside, scores


def _inside(windows: PlanarWindowChannel, region: Region) -> Flags:
    columns, rows = windows.area.columns, windows.area.rows
    parts = [read_rectangle(part, columns, rows, code="regions") for part in region]
    return paint_cells(parts, columns, rows).ravel()


@lru_cache(maxsize=128)
def _least_variance(windows: PlanarWindowChannel, inside: bytes) -> Array:
    """Return the scores of a region; cached, because one page uses many regions of the same map."""
    scores = score(_matrix(windows), np.frombuffer(inside, dtype=np.bool_).astype(np.float64))
    scores.setflags(write=False)
    return scores


@lru_cache(maxsize=2)
def _matrix(windows: PlanarWindowChannel) -> Array:
    operator = Operator(windows)
    unit = np.eye(windows.inputs).reshape(-1, *operator.shape)
    return np.stack([operator.forward(shares).ravel() for shares in unit], axis=1)
