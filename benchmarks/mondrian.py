"""Strict Mondrian (LeFevre, DeWitt and Ramakrishnan 2006), implemented in the obvious way.

Each cut uses the column with the widest normalised span. Categories are numbered by their frequency in the
table, so that they have a span. A cut separates the most frequent category from the others, and splits
numbers in the middle.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privacy.sdc.classes import Classes
from privacy.sdc.table import Table

__all__ = ["mondrian"]


def mondrian(table: Table, k: int) -> Classes:
    """Cut a table into classes of at least k records."""
    columns = table.quasi_identifiers
    places = []
    for column in columns:
        if column.numbers is not None:
            places.append(column.numbers[column.codes])
        else:
            frequent = np.argsort(-np.bincount(column.codes), kind="stable")
            places.append(np.argsort(frequent)[column.codes].astype(float))
    positions = np.stack(places, axis=1)
    extents = np.maximum(np.ptp(positions, axis=0), 1e-300)
    number, count, waiting = np.zeros(len(table), dtype=np.int64), 0, [np.arange(len(table))]
    while waiting:
        rows = waiting.pop()
        for axis in np.argsort(-np.ptp(positions[rows], axis=0) / extents, kind="stable"):
            left = _left(positions[rows, axis], columns[axis].numbers is not None, k)
            if left is not None:
                waiting += [rows[left], rows[~left]]
                break
        else:
            number[rows], count = count, count + 1
    return Classes.from_numbers(number)


def _left(places: npt.NDArray[np.float64], numeric: bool, k: int) -> npt.NDArray[np.bool_] | None:
    """Flag the records on one side of a cut; None if a side would have fewer than k."""
    values, counts = np.unique(places, return_counts=True)
    if numeric:
        below = np.cumsum(counts)[:-1]
        allowed = np.flatnonzero(np.minimum(below, len(places) - below) >= k)
        if not len(allowed):
            return None
        middle = (values[0] + values[-1]) / 2
        return np.asarray(places <= values[allowed[np.abs(values[allowed] - middle).argmin()]])
    most = int(counts.argmax())
    return places == values[most] if k <= counts[most] <= len(places) - k else None
