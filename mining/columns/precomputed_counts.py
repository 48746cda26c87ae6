"""Counts of small sets of columns, made when batches become columns and reused by later runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count_places, places_of
from privacy.array_cache import ArrayCache, read_only
from privacy.arrays import Whole
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.draw_tests import draw_terms
from privacy.survey.design import Design

PRECOMPUTED_SIZE: Final = 3
"""Longest itemset with precomputed counts."""

MOST_PRECOMPUTED: Final = 300_000
"""Largest number of precomputed sets of columns (five megabytes). Designs that need more have no precomputed
counts. Sixty yes/no questions in blocks of ten, from which devices draw four, need 282,221."""

Keys: TypeAlias = NDArray[Any]
"""int64, or Python integers (dtype object) if the key of a set does not fit in 63 bits."""


def key_of(places: Whole, n_places: int) -> Keys:
    """Encode each set of positions as one number.

    Parameters
    ----------
    places : ndarray of int64, shape (m, width)
        Ascending positions from 0 to n_places - 1 at the end of each row, padded on the left with -1.
    n_places : int

    Returns
    -------
    ndarray, shape (m,)
        Distinct for distinct sets. The order is by size, then lexicographic. The numbers do not depend on
        `width`: they have digits of base n_places + 1, with the digit 0 for -1.

    Examples
    --------
    >>> key_of(np.array([[-1, -1], [-1, 1], [0, 1]]), 9).tolist()  # digits 00, 02, 12
    [0, 2, 12]
    """
    base = n_places + 1
    fits = base ** places.shape[1] < 1 << 63
    digits = (places if fits else places.astype(object)) + 1
    keys = np.zeros(len(places), dtype=digits.dtype)
    for column in digits.T:
        keys = keys * base + column
    return keys


_PLACES: Final = ArrayCache[Whole](8)


@dataclass(frozen=True, kw_only=True, eq=False)
class PrecomputedCounts:
    """Counts of some rows.

    Attributes
    ----------
    requests : ndarray of int64, shape (m, width)
        Output of `precomputed_requests` for the design.
    counts : ndarray of int64, shape (m, 2)
        Direct group, protected group.
    """

    requests: Whole
    counts: Whole


@lru_cache(maxsize=16)
def precomputed_requests(design: Design) -> Whole | None:
    """List every set of columns that a run with itemsets of up to three items can request.

    Parameters
    ----------
    design : Design
        Design of the rows that are counted.

    Returns
    -------
    ndarray of int64, shape (m, width), or None
        Columns of the design, followed by `BLANK`; None if there are more than `MOST_PRECOMPUTED`.

    Notes
    -----
    The supports of an itemset or rule E use the rows that were asked everything in E. They need one count for
    each subset S of E: of the columns of S together with the "asked" columns of those questions of E outside
    S that a row may lack. An item implies that its question was asked. The counts for the tests of draws are
    included, because every run needs them if devices draw questions.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, questions=ask),))
    >>> precomputed_requests(design).tolist()
    [[-1, -1], [0, -1], [1, -1], [0, 1]]
    """
    n_items = len(design.items)
    asked_columns = index_of(design).asked_column
    everybody = bool((asked_columns == BLANK).all())
    # Bound the number before building: the subsets of each itemset, or fewer if everyone is asked everything.
    many = sum(
        math.comb(n_items, size) * (1 if everybody else 1 << size) for size in range(1, PRECOMPUTED_SIZE + 1)
    )
    if many > 4 * MOST_PRECOMPUTED:
        return None
    width = min(PRECOMPUTED_SIZE, n_items)
    sets = [np.full((1, width), BLANK, dtype=np.int64)]
    for size in range(1, width + 1):
        itemsets = np.array(list(combinations(range(n_items), size)), dtype=np.int64)
        if everybody:
            sets.append(_pad_columns(itemsets, width))
            continue
        for bitmask in range(1, 1 << size):
            part = np.array([bool(bitmask >> position & 1) for position in range(size)])
            sets.append(_pad_columns(np.where(part, itemsets, asked_columns[itemsets]), width))
        sets.append(_pad_columns(asked_columns[itemsets], width))
    draw_sets = tuple(
        columns
        for columns in (draw_terms(design) if design.rotates else ())
        # Keys of longer sets do not fit a machine word, which would slow down all other look-ups.
        if (design.n_columns + 1) ** max(width, len(columns)) < 1 << 63
    )
    width = max(width, *map(len, draw_sets)) if draw_sets else width
    sets = [_pad_columns(part, width) for part in sets]
    sets.extend(_pad_columns(np.array([columns], dtype=np.int64), width) for columns in draw_sets)
    requests = np.concatenate(sets)
    if not everybody:
        requests = _once(requests, design.n_columns)
    requests.flags.writeable = False
    return requests if len(requests) <= MOST_PRECOMPUTED else None


def _pad_columns(columns: Whole, width: int) -> Whole:
    wide = np.full((len(columns), width), BLANK, dtype=np.int64)
    wide[:, : columns.shape[1]] = columns
    return wide


def _once(requests: Whole, n_columns: int) -> Whole:
    """Return each set once, with ascending columns and blanks last, shorter sets first."""
    rows = np.sort(requests, axis=1)
    duplicates = (rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] != BLANK)
    rows[:, 1:][duplicates] = BLANK
    rows.sort(axis=1)
    _, first = np.unique(key_of(rows, n_columns), return_index=True)
    rows = rows[first]
    # Move blanks from the front to the end.
    order = np.argsort(rows == BLANK, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1)


def precomputed_counts(matrix: BitMatrix, requests: Whole, *, engine: str = "auto") -> PrecomputedCounts:
    """Count all precomputed requests in these rows.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    requests : ndarray of int64, shape (m, width)
        Output of `precomputed_requests` for the design.
    engine : str, optional
        "auto", or the name of an engine.
    """
    # Batches store the same columns, so the positions of requests are computed once.
    places = _PLACES.of(
        requests, lambda: read_only(places_of(matrix, requests)), settings=matrix.stored_at.tobytes()
    )
    return PrecomputedCounts(requests=requests, counts=count_places(matrix, places, engine=engine))


def add_counts(parts: Sequence[PrecomputedCounts]) -> PrecomputedCounts:
    """Sum the counts of all parts.

    Parameters
    ----------
    parts : sequence of PrecomputedCounts
        Counts of the same requests.
    """
    total = np.stack([part.counts for part in parts]).sum(axis=0)
    return PrecomputedCounts(requests=parts[0].requests, counts=total)
