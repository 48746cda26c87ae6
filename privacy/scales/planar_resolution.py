"""Resolution limit of a disguised place: which cells have the same disguise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import PlanarWindowChannel


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """Resolution limit of a disguise.

    Parameters
    ----------
    cells : int
        Number of cells on the map.
    kinds : int
        Number of kinds of cells that the answers distinguish; cells of one kind have the same disguise. 1 if
        the answers carry no information.
    across, up : float, metres
        Width of the widest kind, and height of the highest.
    """

    cells: int
    kinds: int
    across: float
    up: float

    @property
    def is_all(self) -> bool:
        """Whether all places have the same disguise, so that the answers carry no information."""
        return self.kinds == 1

    @property
    def is_none(self) -> bool:
        """Whether every cell is distinguishable from every other one."""
        return self.kinds == self.cells


def alike(windows: PlanarWindowChannel) -> Resolution:
    """Return how many kinds of cells have different columns in the channel, and the size of these kinds.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.

    Notes
    -----
    Two places have the same disguise exactly if they are in one level and have the same window. On a lattice,
    these are the cells of a tile; otherwise, they are cells near a border whose window is pushed inside.

    Examples
    --------
    Five columns in two tiles:

    >>> from privacy.scales.area import Area
    >>> area = Area.of_cell_size(west=0, south=0, east=0.045, north=0.009, metres=1000)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 5, 1),), frames=(), snap=True,
    ...               tiles=((2, 1),))
    >>> regions = alike(PlanarWindowChannel(mechanism="grid", area=area, levels=(level,)))
    >>> regions.kinds, round(regions.across, -2), regions.is_all
    (2, 3000.0, False)
    """
    area = windows.area
    width, height = area.cell_metres
    kinds, across, up = area.cells, 1, 1
    for level in windows.levels:
        y, x = np.nonzero(paint_cells(level.rectangles, area.columns, area.rows))
        of, count = _kinds(level, x.astype(np.int64), y.astype(np.int64), area.columns)
        kinds += count - len(x)
        spans = []
        for line in (x, y):
            low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
            np.minimum.at(low, of, line)
            np.maximum.at(high, of, line)
            spans.append(int((high - low).max()) + 1)
        across, up = max(across, spans[0]), max(up, spans[1])
    return Resolution(cells=area.cells, kinds=kinds, across=across * width, up=up * height)


def _kinds(level: PlanarLevel, x: np.ndarray, y: np.ndarray, columns: int) -> tuple[np.ndarray, int]:
    left, low, across, up = level.windows_of(x, y)
    # Windows that start at the same cell can differ in size, so the size is part of the key.
    sizes = {size: number for number, size in enumerate(level.sizes)}
    number = np.zeros_like(left)
    for size, kind in sizes.items():
        number[(across == size[0]) & (up == size[1])] = kind
    distinct, of = np.unique((low * columns + left) * len(sizes) + number, return_inverse=True)
    return of, len(distinct)


@lru_cache(maxsize=64)
def reveals_nothing(windows: PlanarWindowChannel) -> bool:
    """Return whether all places on the map have the same disguise, that is, equal columns of the channel.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.

    Examples
    --------
    >>> from privacy.scales.area import Area
    >>> area = Area(west=0, south=0, east=20, north=10, columns=2, rows=1)
    >>> def made(window):
    ...     level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                   frames=((0, 0, 2, 1, window, 1),), snap=True)
    ...     return PlanarWindowChannel(mechanism="grid", area=area, levels=(level,))
    >>> reveals_nothing(made(2)), reveals_nothing(made(1))
    (True, False)
    """
    if windows.exact_outside or len(windows.levels) > 1:
        return False
    columns, rows = windows.area.columns, windows.area.rows
    corners = {windows.levels[0].window_at(x, y) for x in (0, columns - 1) for y in (0, rows - 1)}
    # If corners differ, there is no need to compare a million cells.
    return len(corners) == 1 and alike(windows).is_all
