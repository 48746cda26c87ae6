"""Cells that rows send for their places under their draws."""

from __future__ import annotations

from math import prod

import numpy as np

from privacy.arrays import Whole
from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.row_coins import Draws, whole_numbers


def sent_cells(area: Area, levels: tuple[PlanarLevel, ...], answers: Whole, draws: Draws) -> Whole:
    """Return the cell that each row sends for its place under its draw.

    Parameters
    ----------
    area : Area
    levels : tuple of PlanarLevel
        Levels of the disguise, in their order.
    answers : ndarray of int64, shape (n,)
        Cells.
    draws : ndarray, shape (n,)
        Numbers from 0 to the product of the levels' totals - 1.
    """
    columns = area.columns
    outputs, rest, total = answers.copy(), draws, prod(level.total for level in levels)
    open_ = np.ones(len(answers), dtype=bool)
    for level in levels:
        total //= level.total
        level_draws = whole_numbers(rest % level.total, below=level.total)
        rest = whole_numbers(rest // level.total, below=total)
        anywhere = open_ & (level_draws >= level.near).astype(bool)
        outputs[anywhere] = _any_cells(
            level, (level_draws[anywhere] - level.near) // level.denominator, columns
        )
        in_level = paint_cells(level.rectangles, columns, area.rows).ravel()[answers]
        from_window = open_ & ~anywhere & in_level
        y, x = np.divmod(answers[from_window], columns)
        part = level_draws[from_window] // (level.numerator - level.denominator)
        outputs[from_window] = _parts_of(level, level.windows_of(x, y), part, columns)
        # Only places of later levels, or of none, go on to the next level.
        open_ &= ~anywhere & ~in_level
    return outputs


def _any_cells(level: PlanarLevel, draws: Draws, columns: int) -> Whole:
    """Return the cells of A for numbers below ``level.ground``.

    With frames, the numbers count cells, rectangle by rectangle. With tiles, they count parts of tiles.
    """
    boxes = np.array(level.rectangles, dtype=np.int64).T
    if not level.tiles:
        cell = draws.astype(np.int64)
        ends = np.cumsum(boxes[2] * boxes[3])
        box = np.searchsorted(ends, cell, side="right")
        left, low, width, height = boxes[:, box]
        y, x = np.divmod(cell - (ends[box] - width * height), width)
        cells: Whole = (low + y) * columns + left + x
        return cells
    tile, part = (draws // level.parts).astype(np.int64), draws % level.parts
    across, up = np.array(level.tiles, dtype=np.int64).T
    ends = np.cumsum(across * up)
    box = np.searchsorted(ends, tile, side="right")
    row, column = np.divmod(tile - (ends[box] - across[box] * up[box]), across[box])
    left, low, width, height = boxes[:, box]
    first, last = (left + (column + more) * width // across[box] for more in (0, 1))
    bottom, top = (low + (row + more) * height // up[box] for more in (0, 1))
    return _parts_of(level, (first, bottom, last - first, top - bottom), part, columns)


def _parts_of(
    level: PlanarLevel, windows: tuple[Whole, Whole, Whole, Whole], parts: Draws, columns: int
) -> Whole:
    """Return one cell of each window, given which of its ``level.parts`` was drawn; parts go row by row."""
    left, low, across, up = windows
    # Divide first, so that no product grows too large. A window's cells divide the number of parts.
    many = level.parts // (across * up).astype(parts.dtype)
    y, x = np.divmod((parts // many).astype(np.int64), across)
    cells: Whole = (low + y) * columns + left + x
    return cells
