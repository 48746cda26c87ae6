"""Count the rows that have a 1 in every column of a set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import Progress, ProgressListener, ignore_progress
from mining.columns.bitmatrix import FULL, WORD, BitMatrix, pays_to_compile, unpacked_columns
from privacy.arrays import ArrayCache, Whole, read_only
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import BLANK

_CELLS_AT_A_TIME: Final = 1 << 15
"""Words in one intermediate result: 256 kB, which fits in the second-level cache."""

_WORDS_OF_FLAGS: Final = 64
_FLAGS_AT_A_TIME: Final = 1 << 24
"""Limit on intermediate Boolean tables (one byte per cell): 16 MB."""


def count_rows(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count, for each candidate, the rows that have a 1 in all of its columns.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns; bits after the last row are 0.
    candidates : ndarray of int64, shape (m, size), size >= 1
        Positions of columns, one candidate per row.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    Candidates are processed in chunks whose words fit in the second-level cache.

    Examples
    --------
    Five rows; the first column has rows 0, 1, 2, the second rows 1, 2, 4:

    >>> words = np.array([[0b00111], [0b10110]], dtype=np.uint64)
    >>> count_rows(words, np.array([[0, 1]])).tolist(), count_rows(words, np.array([[0], [1]])).tolist()
    ([2], [3, 3])
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    step = max(1, _CELLS_AT_A_TIME // max(1, words.shape[1]))
    for start in range(0, len(candidates), step):
        first, *further_columns = candidates[start : start + step].T
        matched = words[first]
        for columns in further_columns:
            matched &= words[columns]
        counts[start : start + step] = np.bitwise_count(matched).sum(axis=1, dtype=np.int64)
    return counts


def count_as_mlxtend(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count rows like `mlxtend.frequent_patterns.apriori`: a Boolean table, and ``all``.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns.
    candidates : ndarray of int64, shape (m, width)
        Columns of each set.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    mlxtend itself builds one table of n times all candidates, which for a million rows and all triples of 60
    items would need 34 GB. Here rows and candidates are processed in chunks; each chunk is computed as in
    mlxtend's ``np.all(X[:, candidates], axis=2)``.
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    for first in range(0, words.shape[1], _WORDS_OF_FLAGS):
        some = words[:, first : first + _WORDS_OF_FLAGS]
        table = unpacked_columns(some, some.shape[1] * WORD).T
        step = max(1, _FLAGS_AT_A_TIME // (_WORDS_OF_FLAGS * WORD * candidates.shape[1]))
        for start in range(0, len(candidates), step):
            part = candidates[start : start + step]
            counts[start : start + step] += np.all(table[:, part], axis=2).sum(axis=0)
    return counts


Requests: TypeAlias = Sequence[Columns] | Whole
Kernel: TypeAlias = Callable[[NDArray[np.uint64], Whole], Whole]

ENGINES: Final = ("auto", "numba", "numpy", "mlxtend")

_WORDS_BETWEEN_WATCHES: Final = 1 << 28
"""Candidates times words between two progress reports: about a third of a second."""

_STEPS: Final = ArrayCache[list[tuple[NDArray[np.intp], Whole | None]]](8)


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Implementation of counting.

    Attributes
    ----------
    name : str
    label : str
        Name in reports, with the version.
    kernel : callable
        Maps packed columns (columns, words) and positions of columns (m, size) to the m counts.
    joins_on_arrays : bool
        Whether candidates are also generated on arrays, because mlxtend would be slower than the counting.
    """

    name: str
    label: str
    kernel: Kernel
    joins_on_arrays: bool = False


def find_engine(name: str, n: int) -> Engine:
    """Find an engine.

    Parameters
    ----------
    name : {"auto", "numba", "numpy", "mlxtend"}
        "auto" is numba from 50,000 rows if installed, otherwise numpy.
    n : int
        Number of rows.

    Raises
    ------
    PrivacyError
        ``engine``: unknown name; ``engine_missing``: numba is not installed.
    """
    if name == "auto":
        name = "numba" if pays_to_compile(n) else "numpy"
    if name == "numba":
        return _numba()
    if name == "numpy":
        return Engine(name=name, label=f"numpy {np.__version__} counts", kernel=count_rows)
    if name == "mlxtend":
        return Engine(name=name, label=f"numpy {np.__version__} np.all counts", kernel=count_as_mlxtend)
    raise PrivacyError("engine", name, engines=", ".join(ENGINES))


def _numba() -> Engine:
    # Imported here because numba may be missing and loads slowly.
    try:
        from mining.columns import counting_numba
    except ImportError as absent:
        raise PrivacyError("engine_missing", "numba", absent=absent) from absent
    return Engine(
        name="numba",
        label=f"numba {counting_numba.VERSION} counts",
        kernel=counting_numba.count_rows,
        joins_on_arrays=True,
    )


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
    steps = _STEPS.of(places, lambda: list(_steps(places, step)), beside=step)
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
