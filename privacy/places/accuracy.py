"""The mean square error of a design for places, exactly, for the map at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.cells import painted
from privacy.disguise.level import Level
from privacy.disguise.windows import Windows
from privacy.errors import ParameterError

__all__ = ["cell_errors", "mean_square_error"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class _Spread:
    """Middle of a level's outputs, and their mean square distance from it, in metres."""

    x: float
    y: float
    square: float


def cell_errors(windows: Windows, *, every: int = 1) -> Array:
    """Return E |y - x|^2 for each true cell x, in square metres; shape (rows, columns).

    Parameters
    ----------
    windows : Windows
    every : int
        Look at every so-manieth row and column only, from the first on.

    Notes
    -----
    Between the middles of cells, as the plane of the projection measures it. A report from a window on a
    lattice is read as the middle of its tile, which loses nothing: all cells of a tile mean the same.

    With beta_l the chance to pass level l and R_l its cells, a place of level m has

        sum over l < m of (beta_1 ... beta_(l-1)) (1 - beta_l) far_l(x)
        + beta_1 ... beta_(m-1) ((1 - beta_m) far_m(x) + beta_m (window + |x - c(x)|^2)),

    far_l the mean square distance from x to R_l, window the mean square distance inside a window from its
    middle c(x); a place of no level has the first sum only.

    References
    ----------
    Feng and Zhu, equations 12 and 13, for one level.

    Examples
    --------
    Two cells 10 m apart, both sensitive, rho = 3, window of one cell: the wrong one is sent with chance 1/4.

    >>> from privacy.disguise.area import Area
    >>> area = Area.of_cell_size(west=0, south=0, east=0.00018, north=0.00009, metres=10)
    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    >>> errors = cell_errors(Windows(mechanism="sm", area=area, levels=(level,)))
    >>> (errors / area.cell_metres[0] ** 2).round(9).tolist()
    [[0.25, 0.25]]
    """
    area = windows.area
    width, height = area.cell_metres
    rows, columns = np.mgrid[: area.rows : every, : area.columns : every]
    errors = np.zeros(rows.shape)
    passed = np.ones(rows.shape)
    for level in windows.levels:
        beta = float(level.truth)
        spread = _spread(level, width, height)
        far = (columns * width - spread.x) ** 2 + (rows * height - spread.y) ** 2 + spread.square
        errors += passed * (1 - beta) * far
        passed *= beta
        inside = painted(level.rectangles, area.columns, area.rows)[::every, ::every]
        y, x = rows[inside], columns[inside]
        left, low, which = level.windows_of(x, y)
        sides = np.array([frame[4:] for frame in level.frames], dtype=np.float64)[which]
        off = ((left + (sides[:, 0] - 1) / 2 - x) * width) ** 2
        off += ((low + (sides[:, 1] - 1) / 2 - y) * height) ** 2
        if not level.snap:
            off += _within(sides, width, height)
        errors[inside] += passed[inside] * off
        # What reached its own level goes no further.
        passed[inside] = 0
    return errors


def _within(sides: Array, width: float, height: float) -> Array:
    """Mean square distance of the cells of a window from its middle."""
    found: Array = ((sides[:, 0] ** 2 - 1) * width**2 + (sides[:, 1] ** 2 - 1) * height**2) / 12
    return found


def _spread(level: Level, width: float, height: float) -> _Spread:
    boxes = np.array(level.rectangles, dtype=np.float64)
    share = boxes[:, 2] * boxes[:, 3] / level.cells
    x = (boxes[:, 0] + (boxes[:, 2] - 1) / 2) * width
    y = (boxes[:, 1] + (boxes[:, 3] - 1) / 2) * height
    middle_x, middle_y = float(share @ x), float(share @ y)
    square = share @ ((x - middle_x) ** 2 + (y - middle_y) ** 2 + _within(boxes[:, 2:], width, height))
    if level.snap:
        # Over all tiles, equally likely, each read as its middle.
        tile = np.array([level.frames[0][4:]], dtype=np.float64)
        square -= _within(tile, width, height)[0]
    return _Spread(middle_x, middle_y, float(square))


def mean_square_error(windows: Windows, prior: Array | None = None, *, every: int = 1) -> float:
    """Return the mean of `cell_errors` over a public prior, in square metres.

    Parameters
    ----------
    windows : Windows
    prior : ndarray, shape (rows, columns), optional
        Weights of the cells, from public knowledge or an earlier private estimate; uniform if left out.
    every : int
        As for `cell_errors`.

    Raises
    ------
    ParameterError
        ``prior``: another shape, a negative weight, or no weight at all.
    """
    errors = cell_errors(windows, every=every)
    if prior is None:
        return float(errors.mean())
    weights = np.asarray(prior, dtype=np.float64)
    shape = (windows.area.rows, windows.area.columns)
    if weights.shape != shape or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise ParameterError(
            "prior",
            f"a prior of shape {weights.shape}",
            weights.shape,
            f"give a weight of 0 or more for each cell, shape {shape}, not all 0",
        )
    weights = weights[::every, ::every]
    return float((errors * weights).sum() / weights.sum())
