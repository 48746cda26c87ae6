"""Errors of a density, of its cells and of squares of cells: its spread when answers are drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy import validation
from privacy.errors import PrivacyError

__all__ = ["Refit", "Spread", "blocks_of", "density_errors"]

Array: TypeAlias = NDArray[np.float64]
Refit: TypeAlias = Callable[[Array, Array], Array]
"""Counts of the protected and of the direct group, shape (replicates, ...), to the shares of the cells,
(replicates, rows, columns)."""

_AT_ONCE: Final = 10_000
"""Cells of the replicates that are made side by side: what a step costs beside its cells is then shared."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """Standard errors of the cells of a map, and of squares of 2 x 2, 4 x 4, ... cells.

    Parameters
    ----------
    by_side : tuple of ndarray of float64
        Of squares with 1, 2, 4, ... cells to a side, row 0 in the south; the last is the whole map. What is
        too much in a cell and too little in its neighbour is no error of their square.
    replicates : int
        How many times the answers were drawn again: an error is itself off by about one part in
        sqrt(2 replicates).
    """

    by_side: tuple[Array, ...]
    replicates: int


def density_errors(
    refit: Refit,
    counts: ArrayLike,
    direct: ArrayLike,
    *,
    about: Array,
    rng: np.random.Generator,
    replicates: int = 100,
) -> Spread:
    """Return the errors of a density: its spread when answers are drawn again from those received.

    Parameters
    ----------
    refit : callable
        Makes a density of counts, as the one was made whose errors are wanted.
    counts, direct : array_like of int
        What was received from the protected group, and from the direct one; their sizes stay.
    about : ndarray, shape (rows, columns)
        That density. It changes no error, but keeps their digits.
    rng : numpy.random.Generator
    replicates : int, 4 to 10,000

    Raises
    ------
    PrivacyError
        ``replicates``; ``no_rows``; what `refit` refuses.

    Notes
    -----
    The error is that of the estimator that `refit` is: what it blurs by smoothing, or because it ends early,
    is not in it.

    Examples
    --------
    Cells kept with weight 3 against 1: the share of the first is 2 (n_1 / n - 1/4), and its error
    2 sqrt(.5 * .5 / 1000) = .0316. The whole map has none.

    >>> def refit(counts, direct):
    ...     return 2 * (counts / counts.sum(axis=1, keepdims=True) - .25).reshape(-1, 1, 2)
    >>> spread = density_errors(refit, [500, 500], [0, 0], about=np.array([[.5, .5]]),
    ...                         rng=np.random.default_rng(1), replicates=4000)
    >>> [errors.round(3).tolist() for errors in spread.by_side]
    [[[0.032, 0.032]], [[0.0]]]
    """
    replicates = validation.whole_number(replicates, "replicates", low=4, high=10_000, code="replicates")
    groups = [np.asarray(table, dtype=np.float64).ravel() for table in (counts, direct)]
    if not groups[0].sum():
        raise PrivacyError("no_rows.places", 0)
    centres = list(blocks_of(about))
    sums = [np.zeros_like(table) for table in centres]
    squares = [np.zeros_like(table) for table in centres]
    at_once = max(1, _AT_ONCE // about.size)
    for first in range(0, replicates, at_once):
        drawn = [[_again(table, rng) for table in groups] for _ in range(min(at_once, replicates - first))]
        shares = refit(*(np.stack(tables) for tables in zip(*drawn, strict=True)))
        for position, table in enumerate(blocks_of(shares)):
            off = table - centres[position]
            sums[position] += off.sum(axis=0)
            squares[position] += (off**2).sum(axis=0)
    return Spread(
        by_side=tuple(
            np.sqrt(np.maximum(square - total**2 / replicates, 0) / (replicates - 1))
            for total, square in zip(sums, squares, strict=True)
        ),
        replicates=replicates,
    )


def _again(table: Array, rng: np.random.Generator) -> Array:
    n = table.sum()
    return rng.multinomial(int(n), table / n).astype(np.float64) if n else table


def blocks_of(table: Array) -> Iterator[Array]:
    """Yield a map's sums over squares of 1, 2, 4, ... cells to a side, up to the whole map; of many likewise.

    >>> [block.tolist() for block in blocks_of(np.array([[1.0, 2.0, 4.0]]))]
    [[[1.0, 2.0, 4.0]], [[3.0, 4.0]], [[7.0]]]
    """
    yield table
    while max(table.shape[-2:]) > 1:
        for axis in (-2, -1):
            table = np.add.reduceat(table, range(0, table.shape[axis], 2), axis=axis)
        yield table
