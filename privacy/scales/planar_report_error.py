"""Expected error of a report's map, for choosing mechanisms and their sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Whole
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_tiles import tile_edges
from privacy.scales.planar_window import PlanarWindowChannel

__all__ = ["ANSWERS", "MapGrid", "map_error"]


ANSWERS: Final = 1_000
"""Number of people in the predicted report."""

TOWNS: Final = 10
"""Assumed number of spots where people gather. Without such an assumption, no map could be estimated."""

_TOWN: Final = 0.04
"""Standard deviation of a spot, as a share of the map's side; sharper spots need windows of one cell."""

_INPUTS: Final = 24
_OUTPUTS: Final = 72
_NOBODY: Final = 1e-12


@dataclass(frozen=True, eq=False)
class _Axis:
    """Lines that divide a map along one axis, in cells: `true` for bins of places, `reports` for reports."""

    true: Whole
    reports: Whole
    metres: float


@dataclass(frozen=True, eq=False)
class MapGrid:
    """A map divided into bins for `map_error`, once for all mechanisms that are compared on it.

    Parameters
    ----------
    axes : (_Axis, _Axis)
        Lines from the west, and from the south.
    cells : int
        Number of cells on the map. People are assumed to be spread evenly over them.
    """

    axes: tuple[_Axis, _Axis]
    cells: int

    @classmethod
    def of(cls, windows: PlanarWindowChannel) -> MapGrid:
        """Divide the map of a disguise into bins."""
        area = windows.area
        axes = tuple(
            _Axis(_lines(length, _INPUTS), _lines(length, _OUTPUTS), metres)
            for length, metres in zip((area.columns, area.rows), area.cell_metres, strict=True)
        )
        return cls(axes=(axes[0], axes[1]), cells=area.cells)

    def mass(self, left: Whole, right: Whole, low: Whole, high: Whole) -> Array:
        """Return the share of people between columns and between rows, shape (low, left)."""
        return np.outer(high - low, right - left) / self.cells


def _lines(length: int, most: int) -> Whole:
    """Return lines between cells that form at most `most` bins of about equal width."""
    if length <= most:
        return np.arange(length + 1, dtype=np.int64)
    return np.linspace(0, length, most + 1).round().astype(np.int64)


def map_error(windows: PlanarWindowChannel, *, grid: MapGrid | None = None) -> float:
    """Return the expected error of the map of `ANSWERS` answers, in metres.

    Parameters
    ----------
    windows : PlanarWindowChannel
    grid : MapGrid, optional
        The divided map, if several mechanisms are compared on it.

    Notes
    -----
    The error is the Wasserstein-1 distance between the reconstructed and the true shares from west to east,
    plus that from south to north: the mean distance by which people would have to be moved. It bounds the
    error of the mean place.

    The map is unknown. We assume that people gather around spots, whose shares have the mean g of an even
    spread and the covariance diag(g) / `TOWNS` under the constraint that they add up to 1. Let K be the
    channel between spots and reports in bins along an axis. With n answers, the best linear reconstruction
    leaves the covariance

        P = (diag(TOWNS / g) + n K' diag(1 / K g) K)^-1,    projected on shares that add up to 0,

    and the distance is sqrt(2 / pi) times the integral of the standard error of the running sum. Positions
    inside a bin are known up to the window size, so a quarter of the side of the window, or of the bin if
    that is smaller, is added.

    Expectation-maximisation keeps shares nonnegative. So if a window has L decoys on average, E (X - L)+ of
    them look like people, where X has a Poisson distribution with mean L. With many small windows, decoys
    look like people everywhere. If there are f such decoys per true report, a share f / (1 + f) of the map
    has the error of an unknown map.

    A disguise that reveals nothing leaves P unchanged and has the largest error. (A single report, in
    contrast, is nearest to its place on average if it always names the middle of the map.)

    Examples
    --------
    Two cells 1 km wide, kept with rho = 3, or both in one tile, which reveals nothing:

    >>> from privacy.scales.area import Area
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.009, metres=1000)
    >>> def cells(window):
    ...     level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                   frames=((0, 0, 2, 1, window, 1),), snap=True)
    ...     return PlanarWindowChannel(mechanism="grid", area=area, levels=(level,))
    >>> round(map_error(cells(1))), round(map_error(cells(2)))
    (27, 126)
    """
    grid = grid or MapGrid.of(windows)
    pieces = [_pieces(level, grid) for level in windows.levels]
    false = _false_share(windows)
    return sum(_axis_error(_states(windows, grid, pieces, axis), grid.axes[axis], false) for axis in (0, 1))


def _false_share(windows: PlanarWindowChannel) -> float:
    """Return the share of a map that consists of decoys which look like people."""
    false, passed = 0.0, 1.0
    for level in windows.levels:
        beta, count = float(level.truth), level.ground / level.parts
        mean = ANSWERS * passed * (1 - beta) / count
        below = math.floor(mean)
        over = math.exp((below + 1) * math.log(mean) - mean - math.lgamma(below + 1)) if mean > 0 else 0.0
        false += count * over / (ANSWERS * passed * beta)
        passed *= beta
    return false / (1 + false)


@dataclass(frozen=True, eq=False)
class _Pieces:
    """A level divided by the lines of a map: bins, people and middle windows of its pieces."""

    bins: tuple[Whole, Whole]
    mass: Array
    begin: tuple[Whole, Whole]
    size: tuple[Whole, Whole]


def _pieces(level: PlanarLevel, map_grid: MapGrid) -> _Pieces:
    pieces: list[list[NDArray[np.generic]]] = []
    for left, low, width, height in level.rectangles:
        stretches = [
            _overlapping_bins(axis.true, start, length)
            for axis, start, length in zip(map_grid.axes, (left, low), (width, height), strict=True)
        ]
        (x_bins, x_lines), (y_bins, y_lines) = stretches
        mass = map_grid.mass(x_lines[:-1], x_lines[1:], y_lines[:-1], y_lines[1:])
        middle = [(lines[:-1] + lines[1:] - 1) // 2 for lines in (x_lines, y_lines)]
        grids = np.meshgrid(x_bins, y_bins), np.meshgrid(*middle)
        pieces.append([*(grid.ravel() for pair in grids for grid in pair), mass.ravel()])
    x_bin, y_bin, x, y, mass_of = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    first_x, first_y, across, up = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    return _Pieces(
        bins=(x_bin.astype(np.int64), y_bin.astype(np.int64)),
        mass=mass_of.astype(np.float64),
        begin=(first_x, first_y),
        size=(across, up),
    )


def _overlapping_bins(lines: Whole, start: int, length: int) -> tuple[Whole, Whole]:
    """Return the bins that overlap a stretch of cells, and their borders in it."""
    first = int(np.searchsorted(lines, start, side="right")) - 1
    last = int(np.searchsorted(lines, start + length, side="left"))
    cuts = lines[first : last + 1].clip(start, start + length)
    return np.arange(first, last), cuts


@dataclass(frozen=True, eq=False)
class _States:
    """States of places along an axis: a bin of one level, or of the area outside all levels.

    Attributes
    ----------
    bins, levels : ndarray of int64, shape (states,)
    shares : ndarray, shape (states,)
        Shares of the people.
    sizes : ndarray, shape (states,)
        Mean width of the windows, in cells.
    reports : ndarray, shape (states, reports)
        The probabilities of the reports of each state: the transposed channel K'.
    """

    bins: Whole
    levels: Whole
    shares: Array
    sizes: Array
    reports: Array


def _states(windows: PlanarWindowChannel, grid: MapGrid, pieces: list[_Pieces], axis: int) -> _States:
    lines = grid.axes[axis]
    bins, n_outputs = len(lines.true) - 1, len(lines.reports) - 1
    whole = np.array([0]), np.array([(windows.area.rows, windows.area.columns)[axis]])
    edges = lines.true[:-1], lines.true[1:]
    outside = grid.mass(*edges, *whole)[0] if axis == 0 else grid.mass(*whole, *edges)[:, 0]
    spots: list[Whole] = []
    shares: list[Array] = []
    sizes: list[Array] = []
    reports: list[Array] = []
    passed = 1.0
    met: Array = np.zeros(len(windows.levels) * n_outputs + bins)
    for number, (level, part) in enumerate(zip(windows.levels, pieces, strict=True)):
        people = np.bincount(part.bins[axis], part.mass, bins)
        outside -= people
        occupied = np.flatnonzero(people > _NOBODY)
        near = _near(part, axis, lines.reports, bins)
        beta, rows = float(level.truth), slice(number * n_outputs, (number + 1) * n_outputs)
        met[rows] += passed * (1 - beta) * _decoys(level, axis, lines.reports)
        channel = np.repeat(met[None, :], len(occupied), axis=0)
        channel[:, rows] += passed * beta * near[occupied] / people[occupied, None]
        spots.append(occupied)
        shares.append(people[occupied].astype(np.float64))
        sizes.append(
            np.bincount(part.bins[axis], part.mass * part.size[axis], bins)[occupied] / people[occupied]
        )
        reports.append(channel)
        passed *= beta
    occupied = np.flatnonzero(outside > _NOBODY)
    channel = np.repeat(met[None, :], len(occupied), axis=0)
    # An undisguised place is reported in its own bin.
    channel[np.arange(len(occupied)), len(windows.levels) * n_outputs + occupied] = passed
    spots.append(occupied)
    return _States(
        bins=np.concatenate(spots),
        levels=np.repeat(np.arange(len(spots)), [len(occupied) for occupied in spots]),
        shares=np.concatenate([*shares, outside[occupied]]),
        sizes=np.concatenate([*sizes, np.ones(len(occupied))]),
        reports=np.concatenate([*reports, channel]),
    )


def _axis_error(states: _States, lines: _Axis, false: float) -> float:
    """Return the expected distance along one axis, in metres."""
    middles = ((lines.true[:-1] + lines.true[1:]) / 2 / lines.true[-1])[states.bins]
    near = np.exp(-(((middles[:, None] - middles[None, :]) / _TOWN) ** 2) / 2) * states.shares
    near *= states.levels[:, None] == states.levels[None, :]
    near /= near.sum(axis=1, keepdims=True)
    with_data, no_data = _running_errors(states, near, len(lines.true) - 1)
    off = (1 - false) * with_data + false * no_data
    widths = np.diff(lines.true)
    distance = math.sqrt(2 / math.pi) * float(widths @ (off[:-1] + off[1:]) / 2)
    # For the share due to decoys, the position inside a bin is also unknown.
    true_widths = widths[states.bins]
    blur = (1 - false) * np.minimum(states.sizes, true_widths) + false * true_widths
    within_bins = float(states.shares @ (blur - 1)) / 4
    return (distance + within_bins) * lines.metres


def _near(part: _Pieces, axis: int, lines: Whole, bins: int) -> Array:
    """Return how many people of each bin have windows that send to each report bin, shape (bins, sent)."""
    # Many pieces have the same window along an axis, so compute each window once.
    reach = int(lines[-1]) + 1
    code = (part.bins[axis] * reach + part.begin[axis]) * reach + part.size[axis]
    kinds, of = np.unique(code, return_inverse=True)
    mass_by_kind = np.zeros((bins, len(kinds)))
    mass_by_kind[kinds // reach**2, np.arange(len(kinds))] = np.bincount(of, part.mass)
    near: Array = mass_by_kind @ _bin_shares(kinds // reach % reach, kinds % reach, lines)
    return near


def _running_errors(states: _States, near: Array, bins: int) -> tuple[Array, Array]:
    """Return standard errors of the running shares at each line, with `ANSWERS` answers and with none.

    `near` is the distribution of people around a spot.
    """
    g, channel = states.shares, near @ states.reports
    information = channel @ (channel / np.maximum(g @ channel, 1e-300)).T * ANSWERS
    running = np.zeros((len(g), bins))
    np.add.at(running.T, states.bins, near.T)
    running = running.cumsum(axis=1)
    errors = []
    for left in (np.linalg.inv(np.diag(TOWNS / g) + information), np.diag(g / TOWNS)):
        rows = left.sum(axis=1)
        within = left - np.outer(rows, rows) / rows.sum()
        variances = ((within @ running) * running).sum(axis=0)
        errors.append(np.concatenate([[0.0], np.sqrt(np.maximum(variances, 0))]))
    return errors[0], errors[1]


def _bin_shares(begin: Whole, size: Whole, lines: Whole) -> Array:
    """Return the share of each stretch of cells that is in each bin, shape (stretches, bins)."""
    passed = np.clip((lines[None, :] - begin[:, None]) / size[:, None], 0, 1)
    hits: Array = np.diff(passed, axis=1)
    return hits


def _decoys(level: PlanarLevel, axis: int, lines: Whole) -> Array:
    """Return the probability that a random cell of a level is in each bin along an axis."""
    boxes = np.array(level.rectangles, dtype=np.int64)
    if not level.tiles:
        weights = boxes[:, 2] * boxes[:, 3] / level.cells
        hits: Array = weights @ _bin_shares(boxes[:, axis], boxes[:, 2 + axis], lines)
        return hits
    counts = np.array([across * up for across, up in level.tiles]) / sum(a * u for a, u in level.tiles)
    passed = np.zeros(len(lines))
    for share, box, tiles in zip(counts, level.rectangles, level.tiles, strict=True):
        edges = box[axis] + tile_edges(box[2 + axis], tiles[axis])
        passed += share * np.interp(lines, edges, np.linspace(0, 1, len(edges)))
    return np.diff(passed)
