"""Pieces of a map: join cells until the share of each piece is known well enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.scales.planar_density_errors import Spread, blocks_of

REACH: Final = 1.96
"""Half-width of a share's interval, in standard errors."""

_ROUNDING: Final = 1e-6
"""Tolerance for rounding in sums of people."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pieces:
    """Squares of cells that tile a map, ordered from south to north, then from west to east.

    Parameters
    ----------
    column, row : ndarray of int64
        South-western cell of each piece.
    side : ndarray of int64
        Cells per side; pieces are clipped at the edge of the map.
    share, standard_error : ndarray of float64
        Share of the people in each whole piece, and its error.
    hidden : ndarray of bool
        Whether the piece is hidden because it holds too few people.
    """

    column: Whole
    row: Whole
    side: Whole
    share: Array
    standard_error: Array
    hidden: Flags

    def __len__(self) -> int:
        return len(self.side)

    def cells(self, shape: tuple[int, int]) -> Array:
        """Return the number of cells of each piece on a map of (rows, columns)."""
        up = np.minimum(self.row + self.side, shape[0]) - self.row
        across = np.minimum(self.column + self.side, shape[1]) - self.column
        numbers: Array = (up * across).astype(np.float64)
        return numbers


def pieces_of(shares: Array, spread: Spread, n: int, *, least: float, smallest: int = 1) -> Pieces:
    """Partition a map into the smallest pieces whose share is distinguishable from 0.

    Parameters
    ----------
    shares : ndarray, shape (rows, columns)
        A density, row 0 in the south.
    spread : Spread
        Errors of the shares.
    n : int
        People on the map.
    least : float
        Pieces with fewer people are hidden. They need not be merged with others, because nothing is published
        about them. Neither need pieces of less than one person.
    smallest : int
        Cells per side of the smallest piece, a power of 2.

    Notes
    -----
    The search works upwards from the smallest squares. Four squares remain separate if each of them is
    hidden, has an interval (1.96 standard errors to either side) above 0, or is divided into separate pieces;
    otherwise they are merged. The grid of squares starts in the south-west, whatever the answers are.

    Examples
    --------
    The third cell may be empty, so it is merged with its neighbours:

    >>> errors = (np.array([[.01, .01, .03, .02]]), np.array([[.01, .02]]), np.array([[0.0]]))
    >>> spread = Spread(by_side=errors, replicates=99)
    >>> pieces = pieces_of(np.array([[.4, .3, .05, .25]]), spread, 1000, least=10)
    >>> pieces.column.tolist(), pieces.side.tolist(), pieces.share.round(2).tolist()
    ([0, 1, 2], [1, 1, 2], [0.4, 0.3, 0.3])
    """
    tables = list(blocks_of(shares))
    first = min(smallest.bit_length() - 1, len(tables) - 1)
    splits = [np.zeros(table.shape, dtype=np.bool_) for table in tables]
    for level in range(first, len(tables) - 1):
        alone = (tables[level] * n < max(least, 1) - _ROUNDING) | (
            tables[level] > REACH * spread.by_side[level]
        )
        separate = alone | splits[level]
        for axis in (0, 1):
            separate = np.logical_and.reduceat(separate, range(0, separate.shape[axis], 2), axis=axis)
        splits[level + 1] = separate
    pieces: list[Array] = []
    indicator = np.ones_like(splits[-1])
    for level in range(len(tables) - 1, first - 1, -1):
        y, x = np.nonzero(indicator & ~splits[level])
        size = np.full(len(x), 1 << level)
        pieces.append(
            np.stack([y << level, x << level, size, tables[level][y, x], spread.by_side[level][y, x]])
        )
        if level > first:
            wider = (indicator & splits[level]).repeat(2, axis=0).repeat(2, axis=1)
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
