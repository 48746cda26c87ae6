"""A place's channel applied to a whole map, and its transpose: sums over windows, without a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.cells import painted
from privacy.disguise.level import Level
from privacy.disguise.windows import Windows

__all__ = ["Operator"]

Array: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Laid:
    """A level, laid out: its cells, and the corners of each cell's window on a grid one larger."""

    inside: NDArray[np.bool_]
    cells: Places
    corners: tuple[Places, Places, Places, Places]
    near: float
    far: float
    beta: float


class Operator:
    """The channel of a disguise over all cells of its map.

    Parameters
    ----------
    windows : Windows

    Notes
    -----
    Every window is a rectangle of cells: adding a value to all of its cells is four entries in a table of
    differences, and the sum over it four entries of a table of running sums. So a step costs as much as the
    map has cells, whatever frames, lattices and levels there are.
    """

    def __init__(self, windows: Windows) -> None:
        self.windows = windows
        self.shape = (windows.area.rows, windows.area.columns)
        self._levels = tuple(_laid(level, self.shape) for level in windows.levels)
        outside = np.ones(self.shape, dtype=np.bool_)
        for level in self._levels:
            outside &= ~level.inside
        self._outside = outside

    def forward(self, shares: Array) -> Array:
        """Return the chances of the outputs under shares of the cells; both of shape (rows, columns)."""
        found = np.zeros(self.shape)
        left = shares.astype(np.float64).copy()
        for level in self._levels:
            own = left.ravel()[level.cells]
            found[level.inside] += level.far * left.sum()
            size = (self.shape[0] + 1) * (self.shape[1] + 1)
            marks = np.zeros(size)
            for corner, sign in zip(level.corners, (1, -1, -1, 1), strict=True):
                marks += sign * np.bincount(corner, weights=own, minlength=size)
            table = marks.reshape(self.shape[0] + 1, self.shape[1] + 1)
            near = table.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
            found += level.near * near * level.inside
            left[level.inside] = 0
            left *= level.beta
        found[self._outside] += left[self._outside]
        return found

    def backward(self, ratios: Array) -> Array:
        """Return the transpose of `forward`, applied to one number per output."""
        found = np.zeros(self.shape)
        passed = 1.0
        # What a place has met before its own level, the same for all that come as far.
        met = 0.0
        for level in self._levels:
            running = np.zeros((self.shape[0] + 1, self.shape[1] + 1))
            running[1:, 1:] = ratios.cumsum(axis=0).cumsum(axis=1)
            flat = running.ravel()
            low_left, low_right, high_left, high_right = (flat[corner] for corner in level.corners)
            near = high_right - low_right - high_left + low_left
            any_cell = passed * level.far * float(ratios[level.inside].sum())
            found[level.inside] = met + any_cell + passed * level.near * near
            met += any_cell
            passed *= level.beta
        found[self._outside] = met + passed * ratios[self._outside]
        return found


def _laid(level: Level, shape: tuple[int, int]) -> _Laid:
    inside = painted(level.rectangles, shape[1], shape[0])
    y, x = np.nonzero(inside)
    left, low, which = level.windows_of(x.astype(np.int64), y.astype(np.int64))
    sizes = np.array([frame[4:] for frame in level.frames], dtype=np.int64)[which]
    wide = shape[1] + 1
    right, high = left + sizes[:, 0], low + sizes[:, 1]
    beta = float(level.truth)
    return _Laid(
        inside=inside,
        cells=y * shape[1] + x,
        corners=(low * wide + left, low * wide + right, high * wide + left, high * wide + right),
        near=beta / level.window,
        far=(1 - beta) / level.cells,
        beta=beta,
    )
