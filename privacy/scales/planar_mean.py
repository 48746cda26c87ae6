"""Mean of disguised places, from unbiased coordinates of the cells that were sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.arrays import Array
from privacy.channels import numerator
from privacy.errors import PrivacyError
from privacy.forged import ratio_shift
from privacy.levels import normal_quantile
from privacy.printed import CHECKED, Measured
from privacy.scales.area import DEGREE
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_resolution import reveals_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.scale_groups import ScaleGroups, mean_score


@dataclass(frozen=True, kw_only=True)
class MeanPlace:
    """The mean place.

    Parameters
    ----------
    longitude, latitude : Measured
        In degrees. Their intervals include the bias.
    off_east, off_north : float
        Largest bias of the estimate in metres, for any number of answers: places with the same disguise
        cannot be distinguished. 0 if the estimate is unbiased.
    metres : (float, float)
        Metres in a degree of longitude and in one of latitude.
    """

    longitude: Measured
    latitude: Measured
    off_east: float
    off_north: float
    metres: tuple[float, float]

    @property
    def errors(self) -> tuple[float, float]:
        """Standard errors to the east and to the north, in metres."""
        east, north = (coordinate.standard_error or 0.0 for coordinate in (self.longitude, self.latitude))
        return east * self.metres[0], north * self.metres[1]

    @property
    def reach(self) -> tuple[float, float]:
        """Half-widths of the intervals to the east and to the north, in metres."""
        east, north = (own.high - own.low for own in (self.longitude, self.latitude))
        return east / 2 * self.metres[0], north / 2 * self.metres[1]

    @property
    def shifts(self) -> tuple[float, float]:
        """How far forged rows could have moved it to the east and to the north, in metres."""
        east, north = (coordinate.shift or 0.0 for coordinate in (self.longitude, self.latitude))
        return east * self.metres[0], north * self.metres[1]


def mean_place(windows: PlanarWindowChannel, groups: ScaleGroups, *, forged: int = 0) -> MeanPlace:
    """Return the mean place of those who answer, from scores of the sent cells' coordinates.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Groups of disguises with one level. An undisguised cell counts as itself.
    forged : int
        Number of rows that no device sent.

    Raises
    ------
    PrivacyError
        ``levels``: there are several levels. ``says_nothing``: all places have the same reports. ``no_rows``,
        ``no_answers``.

    Notes
    -----
    An output y scores s(y) = (r(y) - (1 - beta) r_A)/beta. Here r is the coordinate of y, shifted by d inside
    a level, and r_A is the mean of r for a random cell of the level. So E[s | x] is x outside the level;
    inside, it is the middle of the window of x, shifted by d. If a window's number of cells is even, its
    middle is half a cell to one side of x, and d corrects this. Places that share a window, on a lattice or
    near a border, get the same number whatever the score is. The largest distance between a place and the
    middle of its window bounds the bias of the mean.

    Examples
    --------
    Half of the people are in each of two cells, which are kept with probability 3/4. So 500 of 1,000 rows
    report either cell.

    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.009, metres=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> from privacy.scales.scale_groups import scale_groups
    >>> grid = PlanarWindowChannel(mechanism="grid", area=area, levels=(level,))
    >>> point = mean_place(grid, scale_groups(grid, [500, 500]))
    >>> round(point.longitude.value, 6), point.off_east
    (0.009, 0.0)
    >>> round(point.errors[0], 1), round(point.reach[0], 1)  # 1 km * .5 / .5 / sqrt(1000), times 1.96
    (31.6, 62.0)
    """
    axes = {
        group.disguise: coordinates(group.disguise)
        for group in groups
        if isinstance(group.disguise, PlanarWindowChannel)
    }

    def scores(axis: int) -> Callable[[PlanarWindowChannel], Array]:
        return lambda disguise: axes[disguise][axis].scores.ravel()

    area = windows.area
    off = [max(axis_scores[axis].off for axis_scores in axes.values()) for axis in (0, 1)]

    def coordinate(axis: int, first: int, last: int, cells: int) -> Measured:
        """Return the mean of one coordinate, between the edges of the area, in degrees."""
        true, degrees = axes[windows][axis].true.ravel(), (last - first) / DEGREE / cells
        value, error, n = mean_score(groups, true, scores(axis))
        shift = ratio_shift(groups.scores(true, scores(axis)), groups.answers, groups.rows, forged)
        middle = first / DEGREE + value * degrees
        reach = (off[axis] + normal_quantile(0.95) * error) * degrees
        return Measured(
            value=middle,
            low=middle - reach,
            high=middle + reach,
            standard_error=error * degrees,
            estimable=True,
            n=n,
            effective_n=float(n),
            level=0.95,
            possible=(first / DEGREE, last / DEGREE),
            method="place",
            shift=float(shift) * degrees,
            origin=CHECKED,
        )

    (width, height), (across, up) = area.cell_metres, area.metres
    return MeanPlace(
        longitude=coordinate(0, area.west, area.east, area.columns),
        latitude=coordinate(1, area.south, area.north, area.rows),
        off_east=off[0] * width,
        off_north=off[1] * height,
        metres=(across * DEGREE / (area.east - area.west), up * DEGREE / (area.north - area.south)),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Coordinate:
    """One coordinate of all cells, in cells: scores of outputs, true values, and the bias of a mean."""

    scores: Array
    true: Array
    off: float


def coordinates(windows: PlanarWindowChannel) -> tuple[Coordinate, Coordinate]:
    """Return each output's scores for the column and the row of a place; shape (rows, columns).

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.
    """
    if len(windows.levels) != 1:
        raise PrivacyError("levels", len(windows.levels))
    if reveals_nothing(windows):
        raise PrivacyError("says_nothing.places", windows.mechanism)
    level, area = windows.levels[0], windows.area
    beta = float(level.truth)
    shifts = _window_shifts(windows)
    probabilities = level.probabilities(area.columns, area.rows)
    is_sent = probabilities > 0
    axes = []
    for axis, (count, (low, high)) in enumerate(zip((area.columns, area.rows), shifts, strict=True)):
        along: Array = np.arange(count, dtype=np.float64) + 0.5
        true = np.broadcast_to(along if axis == 0 else along[:, None], is_sent.shape)
        # The middle of a window with an even number of cells is half a cell to one side of its place.
        even = not level.snap and all(size[axis] % 2 == 0 for size in level.sizes)
        moved_back = 0.5 if even else 0.0
        read = true + is_sent * moved_back
        middle = float((probabilities * read).sum())
        axes.append(
            Coordinate(
                scores=numerator(read, beta, middle) / beta,
                true=true,
                off=max(abs(low + moved_back), abs(high + moved_back)),
            )
        )
    return axes[0], axes[1]


@lru_cache(maxsize=64)
def _window_shifts(windows: PlanarWindowChannel) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the smallest and largest distance of a window's middle from its place, in cells."""
    level, area = windows.levels[0], windows.area
    y, x = np.nonzero(paint_cells(level.rectangles, area.columns, area.rows))
    left, low, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    east, north = left + across / 2 - x - 0.5, low + up / 2 - y - 0.5
    return (float(east.min()), float(east.max())), (float(north.min()), float(north.max()))
