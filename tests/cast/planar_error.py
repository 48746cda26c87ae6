"""The mean square error of a design for places, exactly, for the map at hand."""

from __future__ import annotations

import numpy as np

from privacy.arrays import Array
from privacy.scales.area import Area, painted
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.skipping import Skipping

__all__ = ["cell_errors", "mean_square_error"]


def cell_errors(windows: PlanarWindowChannel, *, skipping: Skipping | None = None) -> Array:
    """Return E |y - x|^2 for each true cell x, in square metres; shape (rows, columns).

    Parameters
    ----------
    windows : PlanarWindowChannel
    skipping : Skipping, optional
        How the question may be skipped. "Skipped" is sent for every place with the same chance s and says
        nothing of it, so it is read as the middle m of the map: (1 - s) E |y - x|^2 + s |m - x|^2.

    Notes
    -----
    Between the middles of cells, as the plane of the projection measures it. A report from a window on a
    lattice is read as the middle of its tile, which loses nothing: all cells of a tile mean the same.

    With K the channel and r where a report is read, along each axis: K'(r^2) - 2 x K'(r) + x^2, where
    `Operator.backward` is K'.

    References
    ----------
    Feng and Zhu, equations 12 and 13, for one level.

    Examples
    --------
    Two cells 10 m apart, both sensitive, rho = 3, window of one cell: the wrong one is sent with chance 1/4.

    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area.of_cell_size(west=0, south=0, east=0.00018, north=0.00009, metres=10)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                     frames=((0, 0, 2, 1, 1, 1),))
    >>> errors = cell_errors(PlanarWindowChannel(mechanism="sm", area=area, levels=(level,)))
    >>> (errors / area.cell_metres[0] ** 2).round(9).tolist()
    [[0.25, 0.25]]
    """
    area, operator = windows.area, Operator(windows)
    places, read = _places(area), _read(windows)
    errors = np.zeros(operator.shape)
    for position, report, metres in zip(places, read, area.cell_metres, strict=True):
        mean, square = operator.backward(report), operator.backward(report**2)
        errors += metres**2 * (square - 2 * position * mean + position**2)
    # A report that is always right is off by what the machine rounds.
    errors = np.maximum(errors, 0)
    if skipping is None:
        return errors
    from_mean = np.zeros(operator.shape)
    for position, metres in zip(places, area.cell_metres, strict=True):
        from_mean += (metres * (position - position.mean())) ** 2
    skipped = float(skipping.skip_probability)
    return (1 - skipped) * errors + skipped * from_mean


def _places(area: Area) -> tuple[Array, Array]:
    """Return column and row of each cell, from the middle of the map: squares stay small."""
    shape = (area.rows, area.columns)
    across = np.arange(area.columns) - (area.columns - 1) / 2
    up = np.arange(area.rows) - (area.rows - 1) / 2
    return np.broadcast_to(across, shape), np.broadcast_to(up[:, None], shape)


def _read(windows: PlanarWindowChannel) -> tuple[Array, Array]:
    """Return where the report of each cell is read, as `_places`."""
    area = windows.area
    across, up = (positions.copy() for positions in _places(area))
    for level in windows.levels:
        if level.snap:
            y, x = np.nonzero(painted(level.rectangles, area.columns, area.rows))
            left, low, width, height = level.windows_of(x.astype(np.int64), y.astype(np.int64))
            across[y, x] += left + (width - 1) / 2 - x
            up[y, x] += low + (height - 1) / 2 - y
    return across, up


def mean_square_error(windows: PlanarWindowChannel, *, skipping: Skipping | None = None) -> float:
    """Return the mean of `cell_errors` over the map, in square metres.

    Parameters
    ----------
    windows : PlanarWindowChannel
    skipping : Skipping, optional
        As for `cell_errors`.

    Examples
    --------
    A million cells, rho = 3, a window of half the side: sqrt(35/144) = .493 of the side.

    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area(west=0, south=0, east=1_000_000, north=1_000_000, columns=1000, rows=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 1000, 1000),),
    ...               frames=((0, 0, 1000, 1000, 500, 500),))
    >>> windows = PlanarWindowChannel(mechanism="sm", area=area, levels=(level,))
    >>> round(mean_square_error(windows) ** .5 / area.metres[0], 4)
    0.493
    """
    return float(cell_errors(windows, skipping=skipping).mean())
