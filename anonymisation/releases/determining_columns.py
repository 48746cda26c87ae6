"""Columns whose values reveal those of a protected column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from privacy.arrays import Whole
from privacy.tables.columns import ReadColumn

_DETERMINES: Final = 0.95
"""Smallest lambda (see `determining_columns`) at which a column is said to determine a protected one."""
_LEAST_MEAN_RECORDS: Final = 5
"""Smallest mean number of records per value; with fewer, values determine each other by chance."""


def determining_columns(
    codes: Mapping[str, Whole], columns: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """Return the published columns that determine a protected one, with the columns they determine.

    Parameters
    ----------
    codes : mapping of str to int64 array, shape (n,)
        Codes of the values of each published column, in the same records.
    columns : sequence of mapping
        Name and role of each column.

    Notes
    -----
    Uses Goodman and Kruskal's lambda (1954). Guessing the most common protected value is wrong for some
    records. Lambda is the share of these errors avoided by guessing the most common protected value given the
    other column.

    Examples
    --------
    >>> alive = np.array([0, 1] * 10)
    >>> roles = [{"name": "alive", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    >>> determining_columns({"alive": alive, "survived": 1 - alive}, roles)
    {'alive': ['survived']}
    """
    targets_of: dict[str, list[str]] = {}
    for column in columns:
        if column["role"] not in ("quasi_identifier", "insensitive"):
            continue
        beside = codes[column["name"]]
        for target in (each["name"] for each in columns if each["role"] == "sensitive"):
            if _lambda(beside, codes[target]) >= _DETERMINES:
                targets_of.setdefault(column["name"], []).append(target)
    return targets_of


def _lambda(beside: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> float:
    commonest = np.bincount(values).max()
    pairs, counts = np.unique(beside * (values.max() + 1) + values, return_counts=True)
    number = np.unique(pairs // (values.max() + 1), return_inverse=True)[1]
    if commonest == len(values) or len(beside) < _LEAST_MEAN_RECORDS * (number[-1] + 1):
        return 0.0
    best = np.zeros(number[-1] + 1, dtype=np.int64)
    np.maximum.at(best, number, counts)
    return float((best.sum() - commonest) / (len(values) - commonest))


_SAMPLE_SIZE: Final = 20_000
"""Number of records in which to look for columns that determine another column."""


def sample_of(column: ReadColumn) -> Whole:
    """Return the codes of a sample of a column's records, spread evenly over the table."""
    return column.codes[:: max(1, len(column.codes) // _SAMPLE_SIZE)].astype(np.int64)
