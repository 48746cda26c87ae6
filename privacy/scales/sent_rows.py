"""Draws for many rows at once, and the resulting reports of a number or a place.

For each row, `RowCoins` draws the same numbers as `privacy.coins.Coins`. Draws that do not fit into machine
integers are Python integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Flags, Whole
from privacy.coins import LIMIT, SCALE, WORD_BITS, words_below
from privacy.scales.area import paint_cells
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel

Words: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.uint32]]
"""Returns a fresh random word for each of the given row numbers."""


class RowCoins:
    """Draws for `n` rows, each by the rules of `privacy.coins.Coins` from the row's own random words.

    Parameters
    ----------
    n : int
        Number of rows.
    words : callable
        Called for all rows, and again for rows whose words were rejected, until each row has its draw.

    Notes
    -----
    From the words of one row, `Coins` draws the same numbers. Rows are independent if their words are,
    because rejections in one row do not affect the draws of another.

    Examples
    --------
    The first word of the second row is rejected:

    >>> stream = iter([12_345, 4_294_967_295, 9_999])
    >>> coins = RowCoins(2, lambda rows: np.array([next(stream) for _ in rows], dtype=np.uint32))
    >>> coins.draw().tolist()
    [2345, 9999]
    """

    def __init__(self, n: int, words: Words) -> None:
        self._rows = np.arange(n)
        self._words = words

    def draw(self) -> NDArray[np.uint32]:
        """Return a whole number from 0 to 9999 for each row."""
        words = self._words(self._rows)
        again = np.flatnonzero(words >= LIMIT)
        while len(again):
            words[again] = self._words(again)
            again = again[words[again] >= LIMIT]
        return words % np.uint32(SCALE)

    def below(self, total: int) -> NDArray[Any]:
        """Return a number from 0 to `total` - 1 for each row, of the type that `whole_numbers` chooses.

        Examples
        --------
        >>> stream = iter([0b1101, 0b1111_1100])
        >>> RowCoins(1, lambda rows: np.array([next(stream)], dtype=np.uint32)).below(5).tolist()
        [4]
        """
        numbers = self._draw(self._rows, total)
        again = np.flatnonzero(numbers >= total)
        while len(again):
            numbers[again] = self._draw(again, total)
            again = again[numbers[again] >= total]
        return numbers

    def _draw(self, rows: NDArray[np.intp], total: int) -> NDArray[Any]:
        bits, count = (total - 1).bit_length(), words_below(total)
        numbers = whole_numbers(np.zeros(len(rows), dtype=np.int64), below=1 << bits)
        for position in range(count):
            word = self._words(rows)
            if position == 0:
                word &= np.uint32((1 << (bits - WORD_BITS * (count - 1))) - 1)
            numbers = numbers << WORD_BITS | word.astype(numbers.dtype)
        return numbers


_MACHINE_BITS: Final = 62
"""Largest number of bits for which the sum of two numbers fits an int64."""


def whole_numbers(numbers: NDArray[Any], *, below: int) -> NDArray[Any]:
    """Return whole numbers as int64 if all numbers below a limit fit, otherwise as Python integers.

    Parameters
    ----------
    numbers : ndarray
        Whole numbers of any type.
    below : int
        Upper limit of the numbers and of values computed from them.

    Examples
    --------
    >>> [whole_numbers(np.array([3]), below=limit).dtype.name for limit in (2**62, 2**62 + 1)]
    ['int64', 'object']
    """
    return numbers.astype(np.int64 if (below - 1).bit_length() <= _MACHINE_BITS else object)


Draws: TypeAlias = NDArray[Any]
"""Whole numbers, as int64 or as Python integers."""

SKIP: Final = -1
"""Represents "skipped", in answers and in sent values."""


def rows_sent(
    disguise: WindowChannel | PlanarWindowChannel | Skipping, answers: Whole, draws: Draws
) -> Whole:
    """Return the value that each row sends for its answer under its draw.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answers : ndarray of int64, shape (n,)
        Bins or cells; also `SKIP` if the question may be skipped.
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
        return _sent_by_window_channel(disguise, answers, draws)
    if isinstance(disguise, PlanarWindowChannel):
        return _sent_by_planar_channel(disguise, answers, draws)
    return _sent_with_skips(disguise, answers, draws)


def row_sent(
    disguise: WindowChannel | PlanarWindowChannel | Skipping, answer: int | None, draw: int
) -> int | None:
    """Return the value that one row sends for its answer under a draw; None represents a skip in both.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answer : int or None
        A bin or a cell.
    draw : int
        From 0 to ``disguise.total`` - 1.
    """
    draws = whole_numbers(np.array([draw], dtype=object), below=disguise.total)
    output = int(rows_sent(disguise, np.array([SKIP if answer is None else answer]), draws)[0])
    return None if output == SKIP else output


def _sent_with_skips(skipping: Skipping, answers: Whole, draws: Draws) -> Whole:
    disguise = skipping.disguise
    inner = whole_numbers(draws // (SCALE - skipping.refusal), below=skipping.total)
    outputs = np.full(len(answers), SKIP, dtype=np.int64)
    # Under a decoy draw, a skip sends the same as any answer; under other draws, it sends "skipped".
    is_answer = (inner < disguise.total) & ((answers != SKIP) | _are_decoys(disguise, inner))
    inner = whole_numbers(inner[is_answer], below=disguise.total)
    outputs[is_answer] = rows_sent(disguise, np.where(answers == SKIP, 0, answers)[is_answer], inner)
    return outputs


def _are_decoys(disguise: WindowChannel | PlanarWindowChannel, draws: Draws) -> Flags:
    if isinstance(disguise, PlanarWindowChannel):
        first = disguise.levels[0]
        return np.asarray(draws % first.total >= first.near, dtype=bool)
    beyond = draws - disguise.floor * disguise.grid_outputs
    turn = beyond - disguise.peak * disguise.window - disguise.lean
    widest = disguise.step * (disguise.inputs - 1)
    same = (beyond < 0) | ((turn >= -disguise.lean) & (turn < 0)) | (turn >= widest)
    return np.asarray(same, dtype=bool)


def _sent_by_window_channel(channel: WindowChannel, answers: Whole, draws: Draws) -> Whole:
    grid, near = channel.floor * channel.grid_outputs, channel.peak * channel.window
    up = draws - (grid + near) < channel.lean + channel.step * answers.astype(draws.dtype)
    outputs = channel.grid_outputs + up.astype(np.int64)
    anywhere = (draws < grid).astype(bool)
    outputs[anywhere] = (draws[anywhere] // max(channel.floor, 1)).astype(np.int64)
    inside = ~anywhere & (draws < grid + near).astype(bool)
    start = (answers[inside] - channel.window // 2) % channel.inputs if channel.cyclic else answers[inside]
    steps = ((draws[inside] - grid) // max(channel.peak, 1)).astype(np.int64)
    outputs[inside] = (start + steps) % max(channel.grid_outputs, 1)
    return outputs


def _sent_by_planar_channel(windows: PlanarWindowChannel, answers: Whole, draws: Draws) -> Whole:
    columns = windows.area.columns
    outputs, rest, total = answers.copy(), draws, windows.total
    open_ = np.ones(len(answers), dtype=bool)
    for level in windows.levels:
        total //= level.total
        here = whole_numbers(rest % level.total, below=level.total)
        rest = whole_numbers(rest // level.total, below=total)
        anywhere = open_ & (here >= level.near).astype(bool)
        outputs[anywhere] = _any_cells(level, (here[anywhere] - level.near) // level.denominator, columns)
        inside = paint_cells(level.rectangles, columns, windows.area.rows).ravel()[answers]
        own = open_ & ~anywhere & inside
        y, x = np.divmod(answers[own], columns)
        part = here[own] // (level.numerator - level.denominator)
        outputs[own] = _parts_of(level, level.windows_of(x, y), part, columns)
        # Only places of later levels, or of none, go on to the next level.
        open_ &= ~anywhere & ~inside
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
