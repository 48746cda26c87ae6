"""What disguised places tell together: the density on the map, shares of regions, the mean place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy import validation
from privacy.disguise.area import DEGREE, Area
from privacy.disguise.cells import painted, read_rectangle
from privacy.disguise.windows import Region, Windows
from privacy.errors import ParameterError
from privacy.numbers.expectation import GAIN, MOST_STEPS, Fit, Map, fit
from privacy.numbers.scores import LARGEST, score
from privacy.places.alike import tells_nothing
from privacy.places.operator import Operator
from privacy.places.pieces import REACH

__all__ = ["MeanPlace", "Share", "density", "mean_place", "region_share", "shown_cells"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Share:
    """Share of people whose place lies in a region, with its standard error; may leave [0, 1]."""

    value: float
    standard_error: float
    n: int


@dataclass(frozen=True, kw_only=True)
class MeanPlace:
    """The mean place, in degrees, with what it may be off, in metres.

    Parameters
    ----------
    longitude, latitude : float
    error_east, error_north : float
        Standard errors: so far would the figure change with other answers.
    off_east, off_north : float
        So far the figure can be off besides, whatever the number of answers: places that are sent alike
        cannot be told apart. 0 where the figure is unbiased.
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
        """How far to the east and to the north an interval of 95 % reaches to either side, at least."""
        return (
            self.off_east + REACH * self.error_east,
            self.off_north + REACH * self.error_north,
        )


def density(
    windows: Windows,
    counts: ArrayLike,
    *,
    smooth: bool = False,
    direct: ArrayLike | None = None,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the share of each cell, from counts of the cells that were sent.

    Parameters
    ----------
    windows : Windows
    counts : array_like of int, shape (cells,) or (rows, columns)
        Rows of the protected group by the cell they sent.
    smooth : bool
        Plain EM (default) overfits to a speckle, smoothed EM blurs borders: look at both.
    direct : array_like of int, same shape, optional
        Rows of the direct group; their shares are mixed with those reconstructed from the others.
    gain, most_steps
        When to stop.

    Raises
    ------
    ParameterError
        ``counts``, ``no_rows``.

    Examples
    --------
    Two cells, told apart with chance 3/4; all people are in the first:

    >>> from privacy.disguise.area import Area
    >>> from privacy.disguise.level import Level
    >>> area = Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> found = density(Windows(mechanism="grid", area=area, levels=(level,)), [750, 250])
    >>> found.shares.round(2).tolist()
    [[1.0, 0.0]]
    """
    operator = Operator(windows)
    table = counted_map(counts, windows, "counts")
    found = fitted(
        table, operator.forward, operator.backward, smooth=smooth, gain=gain, most_steps=most_steps
    )
    if direct is None:
        return found
    return beside(counted_map(direct, windows, "direct counts"), found, float(table.sum()))


def fitted(sent: Array, forward: Map, backward: Map, *, smooth: bool, gain: float, most_steps: int) -> Fit:
    """Return the shares of all cells of a map, from even ones on, under a channel and its transpose."""
    return fit(
        sent,
        np.full(sent.shape, 1 / sent.size),
        forward,
        backward,
        values=(-2, -1),
        outputs=(-2, -1),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )


def beside(told: Array, found: Fit, people: float) -> Fit:
    """Return the shares among direct rows and those reconstructed of `people` others, mixed."""
    shares = (told + found.shares * people) / (told.sum() + people)
    return Fit(shares=shares, steps=found.steps, gain=found.gain, reason=found.reason)


def counted_map(counts: ArrayLike, windows: Windows, name: str) -> Array:
    """Return counts of the cells as a map of floats; refuse another size, and what is no count."""
    table = np.asarray(counts, dtype=np.float64)
    if table.size != windows.outputs or not ((table >= 0) & np.isfinite(table)).all():
        raise ParameterError(
            "counts",
            f"{name} of shape {table.shape}",
            table.shape,
            f"give {windows.outputs} numbers of 0 or more, one per cell",
        )
    return table.reshape(windows.area.rows, windows.area.columns)


def shown_cells(shares: Array, n: int, n_min: float) -> NDArray[np.bool_]:
    """Return which cells may be shown: those that hold `n_min` people or more, by the reconstruction."""
    n_min = validation.real_number(n_min, "n_min", low=0, high=1e12, code="n_min")
    shown: NDArray[np.bool_] = shares * n >= n_min
    return shown


def region_share(
    windows: Windows, counts: ArrayLike, region: Region, *, direct: ArrayLike | None = None
) -> Share:
    """Return the share of people in a region, unbiased, with the standard error of the population.

    Parameters
    ----------
    windows : Windows
    counts, direct
        As for `density`.
    region : tuple of Rectangle
        Rectangles of cells that share no cell.

    Raises
    ------
    ParameterError
        ``regions``; ``too_large``: on a map of more than 2,000 cells a region has to hold each window wholly
        or not at all; ``no_score``, ``no_rows``.

    Notes
    -----
    Where the region holds every window wholly or not at all, an output in it scores (1 - (1-beta) q)/beta and
    one outside it -(1-beta) q/beta, with q = S_R/S_A: the share is (n_R/n - (1-beta) q)/beta, its error
    sqrt(lambda (1-lambda)/n)/beta with lambda = n_R/n. Elsewhere outputs have the least-variance scores of
    `privacy.numbers.scores.score`.

    Examples
    --------
    >>> from privacy.disguise.area import Area
    >>> from privacy.disguise.level import Level
    >>> area = Area(west=0, south=0, east=3000, north=1000, columns=3, rows=1)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> usm = Windows(mechanism="usm", area=area, levels=(level,))  # beta = 1/2
    >>> region_share(usm, [40, 40, 20], ((2, 0, 1, 1),)).value  # outside: .2 / beta
    0.4
    """
    table = counted_map(counts, windows, "counts")
    inside, scores = region_scores(windows, region)
    values, weights = [scores], [table.ravel()]
    if direct is not None:
        values.append(inside.astype(np.float64))
        weights.append(counted_map(direct, windows, "direct counts").ravel())
    value = np.concatenate(values)
    weight = np.concatenate(weights)
    n = int(weight.sum())
    if n == 0:
        raise ParameterError("no_rows", "0 rows", 0, "wait for answers")
    mean = float(weight @ value / n)
    return Share(value=mean, standard_error=float(np.sqrt(weight @ (value - mean) ** 2) / n), n=n)


def region_scores(windows: Windows, region: Region) -> tuple[NDArray[np.bool_], Array]:
    """Return which cells lie in a region, and what each output scores for it; both of shape (cells,)."""
    columns, rows = windows.area.columns, windows.area.rows
    region = tuple(read_rectangle(part, columns, rows, code="regions") for part in region)
    inside = painted(region, columns, rows).ravel()
    if windows.follows_law(region):
        beta = windows.levels[0].truth
        decoy = (1 - beta) * windows.levels[0].share_of(region)
        return inside, np.where(inside, float((1 - decoy) / beta), float(-decoy / beta))
    if windows.inputs**2 > LARGEST:
        raise ParameterError(
            "too_large",
            f"{windows.inputs} cells, and windows that lie partly in the region",
            windows.inputs,
            "ask for whole connected sensitive places, or sum the cells of the reconstructed density",
        )
    return inside, score(_matrix(windows), inside.astype(np.float64))


def _matrix(windows: Windows) -> Array:
    operator = Operator(windows)
    unit = np.eye(windows.inputs).reshape(-1, *operator.shape)
    return np.stack([operator.forward(one).ravel() for one in unit], axis=1)


def mean_place(windows: Windows, counts: ArrayLike, *, direct: ArrayLike | None = None) -> MeanPlace:
    """Return the mean place, from scores of the coordinates of the cells that were sent.

    Parameters
    ----------
    windows : Windows
        With one level.
    counts, direct
        As for `density`; a direct row counts as its own cell.

    Raises
    ------
    ParameterError
        ``levels``: there are several. ``says_nothing``: every place is sent alike. ``no_rows``.

    Notes
    -----
    An output y scores s(y) = (r(y) - (1 - beta) r_A)/beta, r its coordinate, in a level moved by d, and r_A
    what r is on average for any cell of the level. So E[s | x] is x outside the level, and the middle of the
    window of x, moved by d, in it: where its number of cells is even the middle lies half a cell to one side
    of x, and d takes that back. Places
    that have one window, on a lattice or near a border, get one number whatever the score is; how far the
    middle of a window lies from a place, at most, is the most that the mean is off.

    Examples
    --------
    Two cells, kept with chance 3/4, half of the people in each: 500 of 1,000 rows say either.

    >>> from privacy.disguise.level import Level
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.009, metres=1000)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> found = mean_place(Windows(mechanism="grid", area=area, levels=(level,)), [500, 500])
    >>> round(found.longitude, 6), round(found.error_east, 1), found.off_east  # 1 km * .5 / .5 / sqrt(1000)
    (0.009, 31.6, 0.0)
    """
    table = counted_map(counts, windows, "counts")
    told = np.zeros_like(table) if direct is None else counted_map(direct, windows, "direct counts")
    n = int(table.sum() + told.sum())
    if n == 0:
        raise ParameterError("no_rows", "0 rows", 0, "wait for answers")
    middles, errors, off = [], [], []
    for axis in coordinates(windows):
        values = np.concatenate([axis.scores.ravel(), axis.true.ravel()])
        weights = np.concatenate([table.ravel(), told.ravel()])
        middles.append(float(weights @ values / n))
        errors.append(float(np.sqrt(weights @ (values - middles[-1]) ** 2)) / n)
        off.append(axis.off)
    return mean_in_degrees(windows.area, middles, errors, off, n)


@dataclass(frozen=True, kw_only=True, eq=False)
class Coordinate:
    """One coordinate of all cells, in cells: what an output scores, the truth, and what a mean is off."""

    scores: Array
    true: Array
    off: float


def coordinates(windows: Windows) -> tuple[Coordinate, Coordinate]:
    """Return what each output scores for the column and for the row of a place; shape (rows, columns)."""
    if len(windows.levels) != 1:
        raise ParameterError(
            "levels",
            f"{len(windows.levels)} levels",
            len(windows.levels),
            "take the mean of the reconstructed density",
        )
    if tells_nothing(windows):
        raise ParameterError(
            "says_nothing",
            "every place is sent alike",
            windows.mechanism,
            "the answers say nothing of places",
        )
    level, area = windows.levels[0], windows.area
    beta = float(level.truth)
    moved = _pushed(windows)
    chances = level.chances(area.columns, area.rows)
    inside = chances > 0
    found = []
    for axis, (count, (low, high)) in enumerate(zip((area.columns, area.rows), moved, strict=True)):
        along: Array = np.arange(count, dtype=np.float64) + 0.5
        true = np.broadcast_to(along if axis == 0 else along[:, None], inside.shape)
        # Around its place a window of an even number of cells lies half a cell to one side.
        even = not level.snap and all(size[axis] % 2 == 0 for size in level.sizes)
        moved_back = 0.5 if even else 0.0
        read = true + inside * moved_back
        middle = float((chances * read).sum())
        found.append(
            Coordinate(
                scores=(read - (1 - beta) * middle) / beta,
                true=true,
                off=max(abs(low + moved_back), abs(high + moved_back)),
            )
        )
    return found[0], found[1]


@lru_cache(maxsize=64)
def _pushed(windows: Windows) -> tuple[tuple[float, float], tuple[float, float]]:
    """By how much the middle of a window lies beyond its place, least and most, in cells."""
    level, area = windows.levels[0], windows.area
    y, x = np.nonzero(painted(level.rectangles, area.columns, area.rows))
    left, low, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    east, north = left + across / 2 - x - 0.5, low + up / 2 - y - 0.5
    return (float(east.min()), float(east.max())), (float(north.min()), float(north.max()))


def mean_in_degrees(
    area: Area, middles: Sequence[float], errors: Sequence[float], off: Sequence[float], n: int
) -> MeanPlace:
    """Return a mean place from its column and row, their errors, and how far these may be off; in cells."""
    west, south, east, north = (edge / DEGREE for edge in (area.west, area.south, area.east, area.north))
    width, height = area.cell_metres
    return MeanPlace(
        longitude=west + middles[0] * (east - west) / area.columns,
        latitude=south + middles[1] * (north - south) / area.rows,
        error_east=errors[0] * width,
        error_north=errors[1] * height,
        off_east=off[0] * width,
        off_north=off[1] * height,
        n=n,
    )
