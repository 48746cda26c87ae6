"""Mean of disguised places, and bounds on its bias."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.arrays import Array
from privacy.channels.retention import numerator
from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, painted
from privacy.scales.density_bootstrap import REACH
from privacy.scales.planar_alike import tells_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.scale_groups import ScaleGroups, mean_score

__all__ = ["Coordinate", "MeanPlace", "coordinates", "mean_place"]


@dataclass(frozen=True, kw_only=True)
class MeanPlace:
    """The mean place, in degrees, with its error bounds, in metres.

    Parameters
    ----------
    longitude, latitude : float
    error_east, error_north : float
        Standard errors: so far would the figure change with other answers.
    off_east, off_north : float
        Largest bias of the estimate, for any number of answers: places with the same disguise cannot be
        distinguished. 0 if the estimate is unbiased.
    n : int
    """

    longitude: float
    latitude: float
    error_east: float
    error_north: float
    off_east: float
    off_north: float
    n: int

    @property
    def reach(self) -> tuple[float, float]:
        """How far to the east and to the north an interval of 95% reaches to either side, at least."""
        return (
            self.off_east + REACH * self.error_east,
            self.off_north + REACH * self.error_north,
        )


def mean_place(windows: PlanarWindowChannel, groups: ScaleGroups) -> MeanPlace:
    """Return the mean place of those who answer, from scores of the coordinates of the cells that were sent.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Groups of disguises with one level. A cell that is sent as it is counts as its own.

    Raises
    ------
    PrivacyError
        ``levels``: there are several. ``says_nothing``: the same is sent for every place. ``no_rows``,
        ``no_answers``.

    Notes
    -----
    An output y scores s(y) = (r(y) - (1 - beta) r_A)/beta, with r its coordinate, shifted by d inside a
    level, and r_A the average of r for any cell of the level. So E[s | x] is x outside the level, and inside
    it the middle of the window of x, shifted by d: if its number of cells is even, the middle is half a cell
    to one side of x, and d corrects that. Places that share a window, on a lattice or near a border, get one
    number whatever the score is; the largest distance between a place and the middle of its window bounds the
    bias of the mean.

    Examples
    --------
    Two cells, kept with probability 3/4, half of the people in each: 500 of 1,000 rows say either.

    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.009, metres=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> from privacy.scales.scale_groups import scale_groups
    >>> grid = PlanarWindowChannel(mechanism="grid", area=area, levels=(level,))
    >>> point = mean_place(grid, scale_groups(grid, [500, 500]))
    >>> round(point.longitude, 6), round(point.error_east, 1), point.off_east  # 1 km * .5 / .5 / sqrt(1000)
    (0.009, 31.6, 0.0)
    """
    axes = {
        group.disguise: coordinates(group.disguise)
        for group in groups
        if isinstance(group.disguise, PlanarWindowChannel)
    }

    def scores(axis: int) -> Callable[[PlanarWindowChannel], Array]:
        return lambda disguise: axes[disguise][axis].scores.ravel()

    mean_scores = [mean_score(groups, axes[windows][axis].true.ravel(), scores(axis)) for axis in (0, 1)]
    area, (width, height) = windows.area, windows.area.cell_metres
    (column, east, n), (row, north, _) = mean_scores
    off = [max(own[axis].off for own in axes.values()) for axis in (0, 1)]
    return MeanPlace(
        longitude=(area.west + column * (area.east - area.west) / area.columns) / DEGREE,
        latitude=(area.south + row * (area.north - area.south) / area.rows) / DEGREE,
        error_east=east * width,
        error_north=north * height,
        off_east=off[0] * width,
        off_north=off[1] * height,
        n=n,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Coordinate:
    """One coordinate of all cells, in cells: the score of an output, the truth, and the bias of a mean."""

    scores: Array
    true: Array
    off: float


def coordinates(windows: PlanarWindowChannel) -> tuple[Coordinate, Coordinate]:
    """Return what each output scores for the column and for the row of a place; shape (rows, columns).

    Parameters
    ----------
    windows : PlanarWindowChannel
        Windows of a place.
    """
    if len(windows.levels) != 1:
        raise PrivacyError("levels", len(windows.levels))
    if tells_nothing(windows):
        raise PrivacyError("says_nothing.places", windows.mechanism)
    level, area = windows.levels[0], windows.area
    beta = float(level.truth)
    moved = _pushed(windows)
    chances = level.chances(area.columns, area.rows)
    inside = chances > 0
    axes = []
    for axis, (count, (low, high)) in enumerate(zip((area.columns, area.rows), moved, strict=True)):
        along: Array = np.arange(count, dtype=np.float64) + 0.5
        true = np.broadcast_to(along if axis == 0 else along[:, None], inside.shape)
        # Around its place a window of an even number of cells lies half a cell to one side.
        even = not level.snap and all(size[axis] % 2 == 0 for size in level.sizes)
        moved_back = 0.5 if even else 0.0
        read = true + inside * moved_back
        middle = float((chances * read).sum())
        axes.append(
            Coordinate(
                scores=numerator(read, beta, middle) / beta,
                true=true,
                off=max(abs(low + moved_back), abs(high + moved_back)),
            )
        )
    return axes[0], axes[1]


@lru_cache(maxsize=64)
def _pushed(windows: PlanarWindowChannel) -> tuple[tuple[float, float], tuple[float, float]]:
    """By how much the middle of a window lies beyond its place, least and most, in cells."""
    level, area = windows.levels[0], windows.area
    y, x = np.nonzero(painted(level.rectangles, area.columns, area.rows))
    left, low, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    east, north = left + across / 2 - x - 0.5, low + up / 2 - y - 0.5
    return (float(east.min()), float(east.max())), (float(north.min()), float(north.max()))
