"""Reports of a number or a place for many rows at once, each under a draw of its own: what devices do.

Draws larger than the machine's integers stay Python's own.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Flags, Whole
from privacy.coins import SCALE
from privacy.row_coins import whole_numbers
from privacy.scales.area import painted
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel

Draws: TypeAlias = NDArray[Any]
"""Whole numbers, as int64 or as Python's."""

SKIP: Final = -1
"""Stands for "skipped", in what is answered and in what is sent."""


def rows_sent(
    disguise: WindowChannel | PlanarWindowChannel | Skipping, answers: Whole, draws: Draws
) -> Whole:
    """Return what each row sends for its answer under its draw.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answers : ndarray of int64, shape (n,)
        Bins or cells; `SKIP` too where the disguise is that of a question that may be skipped.
    draws : ndarray, shape (n,)
        Numbers from 0 to ``disguise.total`` - 1.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange
    >>> keep = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=2), window=1, floor=1, peak=4)
    >>> rows_sent(keep, np.full(7, 2), np.arange(7)).tolist()
    [0, 1, 2, 2, 2, 2, 2]
    >>> skipping = Skipping(disguise=keep, refusal=2500)
    >>> rows_sent(skipping, np.array([0, SKIP, 0, SKIP]), np.array([0, 0, 59_999, 59_999])).tolist()
    [0, 0, -1, -1]
    """
    if isinstance(disguise, WindowChannel):
        return _of_window_channel(disguise, answers, draws)
    if isinstance(disguise, PlanarWindowChannel):
        return _of_planar_channel(disguise, answers, draws)
    return _of_skipping(disguise, answers, draws)


def sent_alone(
    disguise: WindowChannel | PlanarWindowChannel | Skipping, answer: int | None, draw: int
) -> int | None:
    """Return what one row sends for its answer under a draw; None represents a skip, on both sides.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answer : int or None
        A bin or a cell.
    draw : int
        From 0 to ``disguise.total`` - 1.
    """
    draws = whole_numbers(np.array([draw], dtype=object), below=disguise.total)
    sent = int(rows_sent(disguise, np.array([SKIP if answer is None else answer]), draws)[0])
    return None if sent == SKIP else sent


def _of_skipping(skipping: Skipping, answers: Whole, draws: Draws) -> Whole:
    disguise = skipping.disguise
    inner = whole_numbers(draws // (SCALE - skipping.refusal), below=skipping.total)
    sent = np.full(len(answers), SKIP, dtype=np.int64)
    # A skip sends what any answer would where the draw is a decoy; the rest of the draws say "skipped".
    answered = (inner < disguise.total) & ((answers != SKIP) | _are_decoys(disguise, inner))
    inner = whole_numbers(inner[answered], below=disguise.total)
    sent[answered] = rows_sent(disguise, np.where(answers == SKIP, 0, answers)[answered], inner)
    return sent


def _are_decoys(disguise: WindowChannel | PlanarWindowChannel, draws: Draws) -> Flags:
    if isinstance(disguise, PlanarWindowChannel):
        first = disguise.levels[0]
        return np.asarray(draws % first.total >= first.near, dtype=bool)
    beyond = draws - disguise.floor * disguise.grid_outputs
    turn = beyond - disguise.peak * disguise.window - disguise.lean
    widest = disguise.step * (disguise.inputs - 1)
    same = (beyond < 0) | ((turn >= -disguise.lean) & (turn < 0)) | (turn >= widest)
    return np.asarray(same, dtype=bool)


def _of_window_channel(channel: WindowChannel, answers: Whole, draws: Draws) -> Whole:
    grid, near = channel.floor * channel.grid_outputs, channel.peak * channel.window
    up = draws - (grid + near) < channel.lean + channel.step * answers.astype(draws.dtype)
    sent = channel.grid_outputs + up.astype(np.int64)
    anywhere = (draws < grid).astype(bool)
    sent[anywhere] = (draws[anywhere] // max(channel.floor, 1)).astype(np.int64)
    inside = ~anywhere & (draws < grid + near).astype(bool)
    start = (answers[inside] - channel.window // 2) % channel.inputs if channel.cyclic else answers[inside]
    steps = ((draws[inside] - grid) // max(channel.peak, 1)).astype(np.int64)
    sent[inside] = (start + steps) % max(channel.grid_outputs, 1)
    return sent


def _of_planar_channel(windows: PlanarWindowChannel, answers: Whole, draws: Draws) -> Whole:
    columns = windows.area.columns
    sent, rest, total = answers.copy(), draws, windows.total
    open_ = np.ones(len(answers), dtype=bool)
    for level in windows.levels:
        total //= level.total
        here = whole_numbers(rest % level.total, below=level.total)
        rest = whole_numbers(rest // level.total, below=total)
        anywhere = open_ & (here >= level.near).astype(bool)
        sent[anywhere] = _any_cells(level, (here[anywhere] - level.near) // level.denominator, columns)
        inside = painted(level.rectangles, columns, windows.area.rows).ravel()[answers]
        own = open_ & ~anywhere & inside
        y, x = np.divmod(answers[own], columns)
        part = here[own] // (level.numerator - level.denominator)
        sent[own] = _parts_of(level, level.windows_of(x, y), part, columns)
        # A place of a later level passes this one.
        open_ &= ~anywhere & ~inside
    return sent


def _any_cells(level: PlanarLevel, draws: Draws, columns: int) -> Whole:
    """Return the cells of A that numbers below ``level.ground`` fall on.

    Of frames it is the number of the cell, rectangle after rectangle; of tiles that of a part.
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
    """Return the cells of windows that some of their ``level.parts`` fall on, row after row."""
    left, low, across, up = windows
    # The number of parts is a multiple of each window's cells, so no product can grow too large.
    many = level.parts // (across * up).astype(parts.dtype)
    y, x = np.divmod((parts // many).astype(np.int64), across)
    cells: Whole = (low + y) * columns + left + x
    return cells
