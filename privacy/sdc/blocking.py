"""Cutting a large table into blocks of neighbours, so that quadratic algorithms stay usable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space

__all__ = ["BLOCK_FROM", "BLOCK_SIZE", "blocks", "in_blocks"]

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
        Most records of a block, unless its records do not differ or a half would have too few sensitive
        values.
    values : int array, shape (n,), or None
        Sensitive codes.
    l_value : int
        Each block keeps at least this many of them.

    Returns
    -------
    list of int64 arrays
        Record numbers; together every record once.
    """
    lines = [axis.line for axis in space.axes]
    finished: list[Whole] = []
    waiting = [np.arange(len(space))]
    while waiting:
        rows = waiting.pop()
        parts = _split(space, lines, rows, values, l_value) if len(rows) > largest else None
        if parts is None:
            finished.append(rows)
        else:
            waiting += [parts[1], parts[0]]
    return finished


def in_blocks(
    space: Space,
    group: Callable[[Space, Whole], Classes],
    *,
    values: npt.NDArray[np.integer] | None = None,
    l_value: int = 1,
    largest: int | None = None,
) -> Classes:
    """Run a grouping on all records, or block by block where they are more than `BLOCK_FROM`.

    `group` gets the part of the space and the numbers of its records; `largest` is as of `blocks`. The loss
    of blocking is what classes across a border would have saved; ``benchmarks/release.py`` measures it.

    Parameters
    ----------
    space : Space
        Positions of all records.
    group : callable
        Makes classes of a part of the space.
    values : ndarray of int, optional
        Sensitive value of each record.
    l_value : int, optional
        Distinct values that each block must have.
    largest : int, optional
        Records of a block at most.
    """
    if largest is None:
        largest = BLOCK_SIZE if len(space) > BLOCK_FROM else len(space)
    cut = blocks(space, largest=largest, values=values, l_value=l_value)
    return Classes.of_parts((rows, group(space.take(rows), rows)) for rows in cut)


def _split(
    space: Space,
    lines: list[Array],
    rows: Whole,
    values: npt.NDArray[np.integer] | None,
    l_value: int,
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
