"""Split many records into blocks of neighbours, and group each block by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space

BLOCK_FROM: Final = 100_000


BLOCK_SIZE: Final = 25_000


def blocks(
    space: Space, *, largest: int, values: npt.NDArray[np.integer] | None = None, l_value: int = 1
) -> list[Whole]:
    """Split records at medians, along the widest axis each time, until no block exceeds `largest`.

    Parameters
    ----------
    space : Space
        The records.
    largest : int
        Largest block size. A block can be larger if its records are equal, or if a half would have too few
        sensitive values.
    values : int array, shape (n,), or None
        Sensitive codes.
    l_value : int
        Smallest number of distinct sensitive values in a block.

    Returns
    -------
    list of int64 arrays
        Record numbers of each block. Every record is in one block.
    """
    lines = [axis.line for axis in space.axes]
    result: list[Whole] = []
    waiting = [np.arange(len(space))]
    while waiting:
        rows = waiting.pop()
        parts = _split(space, lines, rows, values, l_value) if len(rows) > largest else None
        if parts is None:
            result.append(rows)
        else:
            waiting += [parts[1], parts[0]]
    return result


def in_blocks(
    space: Space,
    group: Callable[[Space, Whole], Classes],
    *,
    values: npt.NDArray[np.integer] | None = None,
    l_value: int = 1,
    largest: int | None = None,
) -> Classes:
    """Run a grouping on all records, or block by block if there are more than `BLOCK_FROM`.

    `group` receives a part of the space and the numbers of its records. Blocking rules out classes that span
    blocks and therefore raises the loss; ``benchmarks/release.py`` measures by how much.

    Parameters
    ----------
    space : Space
        Positions of all records.
    group : callable
        Groups a part of the space into classes.
    values : ndarray of int, optional
        Sensitive value of each record.
    l_value : int, optional
        Distinct values that each block must have.
    largest : int, optional
        Largest block size.
    """
    if largest is None:
        largest = BLOCK_SIZE if len(space) > BLOCK_FROM else len(space)
    cut = blocks(space, largest=largest, values=values, l_value=l_value)
    return Classes.of_parts((rows, group(space.take(rows), rows)) for rows in cut)


def _split(
    space: Space, lines: list[Array], rows: Whole, values: npt.NDArray[np.integer] | None, l_value: int
) -> tuple[Whole, Whole] | None:
    axis_ranks = [line[space.codes[rows, position]] for position, line in enumerate(lines)]
    for position in sorted(range(len(axis_ranks)), key=lambda axis: -float(np.ptp(axis_ranks[axis]))):
        ranks = axis_ranks[position]
        if np.ptp(ranks) == 0:
            return None
        middle = np.median(ranks)
        low = ranks < middle if middle == ranks.max() else ranks <= middle
        parts = (rows[low], rows[~low])
        if values is None or all(len(np.unique(values[half])) >= l_value for half in parts):
            return parts
    return None
