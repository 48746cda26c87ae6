"""Shares of regions of a map from disguised places."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from privacy.arrays import Array, Flags
from privacy.channel_scores import MOST_ENTRIES, score
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import UNCHECKED, Measured
from privacy.scales.planar_rectangles import paint_cells, read_rectangle
from privacy.scales.planar_scores import plain_scores
from privacy.scales.planar_window import Operator, PlanarWindowChannel, Region
from privacy.scales.scale_groups import ScaleGroups, mean_score
from privacy.scales.share_intervals import set_moments, share_ends


def region_share(
    windows: PlanarWindowChannel, groups: ScaleGroups, region: Region, *, level: float = 0.95, forged: int = 0
) -> Measured:
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
    the least-variance scores of `privacy.channel_scores.score`. A larger map, in which each window moves
    within its own rectangle, uses those of `privacy.scales.planar_scores.plain_scores`.

    The interval holds the shares that `privacy.scales.share_intervals.share_quadratics` accepts. For a region
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
    in_region = _inside(windows, region)
    true = in_region.astype(np.float64)

    def of(disguise: PlanarWindowChannel) -> Array:
        return region_scores(disguise, region)[1]

    value, error, n = mean_score(groups, true, of)
    low = high = np.array([value])
    if in_region.any() and not in_region.all():
        moments = set_moments(groups, groups.scores(true, of), in_region)
        low, high = share_ends(moments, chi_square_quantile(level))
    return Measured(
        value=value,
        standard_error=error,
        low=float(low[0]),
        high=float(high[0]),
        estimable=bool(n >= LEAST_EFFECTIVE_ROWS and (low[0] > 0 or high[0] < 1)),
        n=n,
        effective_n=float(n),
        level=level,
        possible=(0.0, 1.0),
        method="accepted shares",
        origin=UNCHECKED,
        shift=float(ratio_shift(groups.scores(true, of), groups.answers, groups.rows, forged)),
    )


def region_scores(windows: PlanarWindowChannel, region: Region) -> tuple[Flags, Array]:
    """Return flags of the cells in a region, and each output's score for it; both of shape (cells,).

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.
    region : tuple of Rectangle
        Rectangles of cells that share no cell.
    """
    in_region = _inside(windows, region)
    # Regions that cut windows of a small map use least-variance scores. Others need no matrix.
    if windows.inputs**2 <= MOST_ENTRIES and not windows.is_retention_channel(region):
        return in_region, _least_variance(windows, in_region.tobytes())
    scores = plain_scores(windows, region)
    if scores is None:
        raise PrivacyError("too_large.region", windows.inputs)
    return in_region, scores


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
