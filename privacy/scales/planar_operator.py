"""A place's channel applied to a whole map, and its transpose: sums over windows, without a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.scales.planar_level import Level
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.rectangles import painted

__all__ = ["Operator"]

Array: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Sized:
    """The windows of one size in a level: whose they are, and where each of them begins.

    Attributes
    ----------
    across, up : int
        Columns and rows of a window.
    cells : ndarray of int64
        Numbers of the cells that have such a window, on the map.
    corners : ndarray of int64
        Number of the first cell of each one's window, inside the box.
    near : float
        Chance of each cell of a window beside what any cell of the level has.
    """

    across: int
    up: int
    cells: Integers
    corners: Integers
    near: float


@dataclass(frozen=True, eq=False)
class _LevelWindows:
    """A level: its cells, the box around them, windows by size, the chance to pass it.

    `far` is the chance of each cell of the box whatever the place is, of those that come as far.
    """

    inside: NDArray[np.bool_]
    box: tuple[slice, slice]
    sizes: tuple[_Sized, ...]
    far: Array
    beta: float
    passing: Array


class Operator:
    """The channel of a disguise over all cells of its map.

    Parameters
    ----------
    windows : PlanarWindowChannel

    Notes
    -----
    Every window is a rectangle of cells. So what cells bring to their windows is added up where the windows
    begin, and spread by two sliding sums, one along each axis; the transpose takes the sliding sums first. A
    step costs as much as the map has cells, whatever frames, lattices and levels there are.
    """

    def __init__(self, windows: PlanarWindowChannel) -> None:
        self.windows = windows
        self.shape = (windows.area.rows, windows.area.columns)
        self._levels = tuple(_level_windows(level, self.shape) for level in windows.levels)
        self._outside = np.ones(self.shape)
        for level in self._levels:
            self._outside[level.inside] = 0
        self._passing = self._outside * np.prod([level.beta for level in self._levels])

    def forward(self, shares: Array) -> Array:
        """Return the chances of the outputs under shares of the cells; both of shape (..., rows, columns)."""
        sent = np.zeros(shares.shape)
        left = shares.astype(np.float64)
        tables = shares.shape[:-2]
        for level in self._levels:
            box = level.inside[level.box].shape
            whole, flat = left.sum(axis=(-2, -1), keepdims=True), left.reshape(*tables, -1)
            near = np.zeros((*tables, *box))
            for sized in level.sizes:
                marks = _summed_at(flat[..., sized.cells], sized.corners, box)
                near += sized.near * _spread(marks, sized)
            near *= level.inside[level.box]
            near += level.far * whole
            sent[..., *level.box] += near
            left *= level.passing
        sent += left
        return sent

    def backward(self, ratios: Array) -> Array:
        """Return the transpose of `forward`, applied to one number per output, shape (..., rows, columns)."""
        pulled = ratios * self._passing
        tables = ratios.shape[:-2]
        flat = pulled.reshape(*tables, -1)
        passed = 1.0
        # What a place has met before its own level, the same for all that come as far.
        met = np.zeros((*tables, 1))
        for level in self._levels:
            boxed = ratios[..., *level.box]
            any_cell = passed * (boxed * level.far).sum(axis=(-2, -1))[..., None]
            for sized in level.sizes:
                sums = _window_sums(boxed, sized).reshape(*tables, -1)[..., sized.corners]
                sums *= passed * sized.near
                sums += met + any_cell
                flat[..., sized.cells] = sums
            met = met + any_cell
            passed *= level.beta
        pulled += met[..., None] * self._outside
        return pulled


def _summed_at(values: Array, corners: Integers, box: tuple[int, ...]) -> Array:
    """Add up values where their windows begin: from shape (..., cells) to (..., rows, columns) of the box."""
    tables, size = values.shape[:-1], box[0] * box[1]
    if not tables:
        return np.bincount(corners, values, size).astype(np.float64).reshape(box)
    many = values.reshape(-1, values.shape[-1])
    positions = corners + size * np.arange(len(many))[:, None]
    sums = np.bincount(positions.ravel(), many.ravel(), size * len(many))
    return sums.astype(np.float64).reshape(*tables, *box)


def _spread(marks: Array, sized: _Sized) -> Array:
    """Spread marks over the windows that begin at them."""
    for axis, width in ((-1, sized.across), (-2, sized.up)):
        running = marks.cumsum(axis=axis)
        old, new = running.swapaxes(0, axis), marks.swapaxes(0, axis)
        new[:width] = old[:width]
        np.subtract(old[width:], old[:-width], out=new[width:])
    return marks


def _window_sums(table: Array, sized: _Sized) -> Array:
    """Return the sum over the window that begins at each cell; 0 for one that would leave the table."""
    for axis, width in ((-1, sized.across), (-2, sized.up)):
        running, table = table.cumsum(axis=axis), np.zeros(table.shape)
        old, new = running.swapaxes(0, axis), table.swapaxes(0, axis)
        new[0] = old[width - 1]
        np.subtract(old[width:], old[:-width], out=new[1 : len(old) - width + 1])
    return table


def _level_windows(level: Level, shape: tuple[int, int]) -> _LevelWindows:
    inside = painted(level.rectangles, shape[1], shape[0])
    left = min(box[0] for box in level.rectangles)
    low = min(box[1] for box in level.rectangles)
    wide = max(box[0] + box[2] for box in level.rectangles) - left
    high = max(box[1] + box[3] for box in level.rectangles) - low
    y, x = np.nonzero(inside)
    first_x, first_y, wide_of, high_of = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    cells, corners = y * shape[1] + x, (first_y - low) * wide + first_x - left
    beta = float(level.truth)
    box = slice(low, low + high), slice(left, left + wide)
    return _LevelWindows(
        inside=inside,
        box=box,
        sizes=tuple(
            _Sized(across=across, up=up, cells=cells[own], corners=corners[own], near=beta / (across * up))
            for across, up in level.sizes
            for own in [np.flatnonzero((wide_of == across) & (high_of == up))]
        ),
        far=(1 - beta) * level.chances(shape[1], shape[0])[box],
        beta=beta,
        passing=np.where(inside, 0.0, beta),
    )
