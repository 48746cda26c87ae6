"""Count the rows that have a 1 in every column of a set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import Progress, ProgressListener, ignore_progress
from mining.columns.bitmatrix import FULL, BitMatrix
from mining.columns.engines import find_engine
from privacy.array_cache import ArrayCache, read_only
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import BLANK

Requests: TypeAlias = Sequence[Columns] | Whole
_WORDS_BETWEEN_WATCHES: Final = 1 << 28
"""Candidates times words between two progress reports: about a third of a second."""

_STEPS: Final = ArrayCache[list[tuple[NDArray[np.intp], Whole | None]]](8)


def count_places(
    matrix: BitMatrix, places: Whole, *, engine: str = "auto", progress: ProgressListener = ignore_progress
) -> Whole:
    """Count the rows with a 1 in all columns of a set, for many sets at once.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    places : ndarray of int64, shape (m, width)
        Output of `places_of`; fastest if neighbouring rows share a prefix.
    engine : str
        One of `ENGINES`; all return the same.
    progress : callable
        Called after each step; it may raise an exception to stop the counting.

    Returns
    -------
    ndarray of int64, shape (m, 2)
        Matching rows of the direct group and of the protected group.

    Raises
    ------
    PrivacyError
        ``engine``.

    Examples
    --------
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> ask = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab"]
    >>> design = Design(blocks=(Block(key="block", protected=True, truth_probability=5000,
    ...     questions=tuple(ask)),), group=GroupPolicy(policy="choice"), use="live")
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> matrix = BitMatrix.from_booleans(design, rows, direct=np.array([True, False, False, False]))
    >>> count_places(matrix, places_of(matrix, [(), (0,), (0, 1)])).tolist()
    [[1, 3], [1, 2], [1, 1]]
    """
    kernel = find_engine(engine, matrix.n).kernel
    counts = np.empty((len(places), 2), dtype=np.int64)
    groups = (matrix.direct.words, matrix.protected.words)
    step = max(1, _WORDS_BETWEEN_WATCHES // max(1, sum(words.shape[1] for words in groups)))
    steps = _STEPS.of(places, lambda: list(_steps(places, step)), settings=step)
    total, done = sum(len(part) for part, candidates in steps if candidates is not None), 0
    for part, candidates in steps:
        if candidates is None:
            counts[part] = matrix.n_direct, matrix.n_protected
            continue
        for group, words in enumerate(groups):
            counts[part, group] = kernel(words, candidates)
        done += len(part)
        progress(Progress(stage="counting", done=done, total=total))
    return counts


def _steps(places: Whole, step: int) -> Iterator[tuple[NDArray[np.intp], Whole | None]]:
    """Yield requests of one size in chunks, with their positions; None for requests without columns."""
    sizes = np.zeros(len(places), dtype=np.int64)
    for column in places.T:
        sizes += column != FULL
    for size in np.unique(sizes).tolist():
        which = np.flatnonzero(sizes == size)
        for start in range(0, len(which), step):
            part = which[start : start + step]
            yield part, read_only(np.ascontiguousarray(places[part, -size:])) if size else None


def places_of(matrix: BitMatrix, requests: Requests) -> Whole:
    """Find the stored positions of each request's columns.

    Parameters
    ----------
    matrix : BitMatrix
    requests : sequence of tuple of int, or ndarray of int64, shape (m, width)
        Column numbers of the design; -1 pads the rows of an array. The empty request means all rows.

    Returns
    -------
    ndarray of int64, shape (m, width)
        Distinct ascending positions at the end of each row, padded on the left with -1. Full columns are left
        out because they do not change an AND.

    Raises
    ------
    PrivacyError
        ``unknown_column``: the design does not have a requested column.
    """
    n_columns = matrix.design.n_columns
    if isinstance(requests, np.ndarray):
        columns = requests
        _check(columns, BLANK, n_columns)
    else:
        columns = _pad_requests(requests, n_columns)
    # BLANK selects the appended last entry, which is full.
    places = np.append(matrix.stored_at, FULL)[columns]
    # Most requests are already in order, and checking is faster than sorting rows of three cells.
    if (places[:, 1:] < places[:, :-1]).any():
        places.sort(axis=1)
    duplicates = (places[:, 1:] == places[:, :-1]) & (places[:, 1:] != FULL)
    if duplicates.any():
        places[:, 1:][duplicates] = FULL
        places.sort(axis=1)
    return places


def _pad_requests(requests: Sequence[Columns], n_columns: int) -> Whole:
    lengths = np.fromiter(map(len, requests), dtype=np.int64, count=len(requests))
    flat = np.fromiter(chain.from_iterable(requests), dtype=np.int64, count=int(lengths.sum()))
    _check(flat, 0, n_columns)
    is_filled = np.arange(int(lengths.max(initial=0))) < lengths[:, None]
    columns = np.full(is_filled.shape, BLANK, dtype=np.int64)
    columns[is_filled] = flat
    return columns


def _check(columns: Whole, least: int, n_columns: int) -> None:
    if columns.size and (columns.min() < least or columns.max() >= n_columns):
        column = int(columns.min() if columns.min() < least else columns.max())
        raise PrivacyError("unknown_column.number", column, n_columns=n_columns - 1)
