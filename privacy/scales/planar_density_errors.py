"""Bootstrap errors of a map that expectation-maximisation fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError

Refit: TypeAlias = Callable[[Array, Array], Array]
"""Maps the counts of the protected and of the direct group, of shape (replicates, ...), to the shares of the
cells, of shape (replicates, rows, columns)."""

_AT_ONCE: Final = 10_000
"""Number of cells in a batch of replicates. A batch shares the fixed cost of each step."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """Standard errors of the cells of a map, and of squares of 2 x 2, 4 x 4, ... cells.

    Parameters
    ----------
    by_side : tuple of ndarray of float64
        Errors for squares with 1, 2, 4, ... cells per side, row 0 in the south; the last is the whole map.
        Opposite errors in neighbouring cells cancel in their square.
    replicates : int
        Number of resamples: an error is itself uncertain by about one part in sqrt(2 replicates).
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
    """Return bootstrap errors of a density.

    Parameters
    ----------
    refit : callable
        Computes a density from counts in the same way as `about` was computed.
    counts, direct : array_like of int
        Received counts of the protected group, and of the direct group; their totals stay fixed.
    about : ndarray, shape (rows, columns)
        The estimated density. The sums of squares are taken around it for numerical precision only.
    rng : numpy.random.Generator
    replicates : int, 4 to 10,000

    Raises
    ------
    PrivacyError
        ``replicates``; ``no_rows``; the errors of `refit`.

    Notes
    -----
    The error is the sampling error of the estimator `refit`; bias from smoothing or early stopping is not
    included.

    Examples
    --------
    One of two cells is kept with probability 3/4. The share of the first is 2 (n_1 / n - 1/4), and its error
    is 2 sqrt(.5 * .5 / 1000) = .0316. The whole map has no error.

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
        raise PrivacyError("no_rows", 0)
    centres = list(blocks_of(about))
    sums = [np.zeros_like(table) for table in centres]
    squares = [np.zeros_like(table) for table in centres]
    at_once = max(1, _AT_ONCE // about.size)
    for first in range(0, replicates, at_once):
        samples = [
            [_resample(table, rng) for table in groups] for _ in range(min(at_once, replicates - first))
        ]
        shares = refit(*(np.stack(tables) for tables in zip(*samples, strict=True)))
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


def _resample(table: Array, rng: np.random.Generator) -> Array:
    n = table.sum()
    return rng.multinomial(int(n), table / n).astype(np.float64) if n else table


def blocks_of(table: Array) -> Iterator[Array]:
    """Yield the sums of one or more maps over squares of 1, 2, 4, ... cells per side, up to the whole map.

    Parameters
    ----------
    table : ndarray of shape (..., rows, columns)
        A value for each cell.

    Examples
    --------
    >>> [block.tolist() for block in blocks_of(np.array([[1.0, 2.0, 4.0]]))]
    [[[1.0, 2.0, 4.0]], [[3.0, 4.0]], [[7.0]]]
    """
    yield table
    while max(table.shape[-2:]) > 1:
        for axis in (-2, -1):
            table = np.add.reduceat(table, range(0, table.shape[axis], 2), axis=axis)
        yield table
