"""Publishable pieces of a map: cells, or squares of cells where one alone is not estimable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.scales.density_bootstrap import Spread, blocks_of

__all__ = ["REACH", "Pieces", "pieces_of"]

Array: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]

REACH: Final = 1.96
"""Standard errors to either side that a share is told with."""

_ROUNDING: Final = 1e-6
"""A rounding of a sum is no person."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pieces:
    """Squares of cells that cover a map, each once; from the south to the north, then from west to east.

    Parameters
    ----------
    column, row : ndarray of int64
        South-western cell of each.
    side : ndarray of int64
        Cells to a side; what would leave the map is cut off.
    share, standard_error : ndarray of float64
        Of the people in the whole piece.
    hidden : ndarray of bool
        Whether it holds too few people to be told of.
    """

    column: Places
    row: Places
    side: Places
    share: Array
    standard_error: Array
    hidden: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.side)

    def cells(self, shape: tuple[int, int]) -> Array:
        """Return how many cells of a map of (rows, columns) each piece holds."""
        up = np.minimum(self.row + self.side, shape[0]) - self.row
        across = np.minimum(self.column + self.side, shape[1]) - self.column
        numbers: Array = (up * across).astype(np.float64)
        return numbers


def pieces_of(shares: Array, spread: Spread, n: int, *, least: float, smallest: int = 1) -> Pieces:
    """Partition a map into pieces whose share is distinguishable from 0, as small as possible.

    Parameters
    ----------
    shares : ndarray, shape (rows, columns)
        A density, row 0 in the south.
    spread : Spread
        Its errors.
    n : int
        People on the map.
    least : float
        A piece of fewer people is hidden. It needs no company, since nothing is told of it; neither does one
        of less than a person.
    smallest : int
        Cells to a side of the smallest piece, a power of 2.

    Notes
    -----
    From below: four squares stand by themselves if each of them is hidden, or its interval, 1.96 standard
    errors to either side, lies above 0, or it is cut into smaller ones that stand. Else they are one.
    Squares lie on a grid that begins in the south-west, whatever the answers are.

    Examples
    --------
    The third cell may be empty, so it is told together with its neighbour:

    >>> errors = (np.array([[.01, .01, .03, .02]]), np.array([[.01, .02]]), np.array([[0.0]]))
    >>> spread = Spread(by_side=errors, replicates=99)
    >>> pieces = pieces_of(np.array([[.4, .3, .05, .25]]), spread, 1000, least=10)
    >>> pieces.column.tolist(), pieces.side.tolist(), pieces.share.round(2).tolist()
    ([0, 1, 2], [1, 1, 2], [0.4, 0.3, 0.3])
    """
    tables = list(blocks_of(shares))
    first = min(smallest.bit_length() - 1, len(tables) - 1)
    parted = [np.zeros(table.shape, dtype=np.bool_) for table in tables]
    for level in range(first, len(tables) - 1):
        alone = (tables[level] * n < max(least, 1) - _ROUNDING) | (
            tables[level] > REACH * spread.by_side[level]
        )
        all_stand = alone | parted[level]
        for axis in (0, 1):
            all_stand = np.logical_and.reduceat(all_stand, range(0, all_stand.shape[axis], 2), axis=axis)
        parted[level + 1] = all_stand
    pieces: list[Array] = []
    indicator = np.ones_like(parted[-1])
    for level in range(len(tables) - 1, first - 1, -1):
        y, x = np.nonzero(indicator & ~parted[level])
        size = np.full(len(x), 1 << level)
        pieces.append(
            np.stack([y << level, x << level, size, tables[level][y, x], spread.by_side[level][y, x]])
        )
        if level > first:
            wider = (indicator & parted[level]).repeat(2, axis=0).repeat(2, axis=1)
            rows, columns = tables[level - 1].shape
            indicator = wider[:rows, :columns]
    row, column, side, share, error = np.concatenate(pieces, axis=1)
    order = np.lexsort((column, row))
    return Pieces(
        column=column[order].astype(np.int64),
        row=row[order].astype(np.int64),
        side=side[order].astype(np.int64),
        share=share[order],
        standard_error=error[order],
        hidden=share[order] * n < least - _ROUNDING,
    )
