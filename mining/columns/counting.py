"""Count the rows that have a 1 in every column of a set, and cache the counts of one matrix.

`CountCache` counts each set of columns once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import Progress, ProgressListener, ignore_progress
from mining.columns.bitmatrix import FULL, WORD, BitMatrix, pays_to_compile, unpacked_columns
from privacy.arrays import ArrayCache, Whole, read_only
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.draw_tests import DrawTests, draw_requests, draw_terms, draw_tests_of
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.survey.design import Design

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
        requests, lambda: read_only(places_of(matrix, requests)), beside=matrix.stored_at.tobytes()
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


_IN_ORDER: Final = ArrayCache[tuple[Keys, NDArray[np.intp]]](8)
"""Keys of precomputed requests, ascending, and the position of each."""


class CountCache:
    """Cache of counts, filled on demand.

    Parameters
    ----------
    matrix : BitMatrix
    engine
        As in `count_places`.
    progress : callable
        Called during counting, and by users of the counts.
    precomputed : PrecomputedCounts, optional
        Known counts of the same rows.
    withheld : Withheld
        Questions and pairs whose items are never counted.

    Raises
    ------
    PrivacyError
        ``forged``, by `need` and `of`: a request reads what is withheld.

    Examples
    --------
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> count_cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(3, dtype=bool)))
    >>> count_cache.need([(), (0,)])[0,]
    (0, 2)
    """

    def __init__(
        self,
        matrix: BitMatrix,
        *,
        engine: str = "auto",
        progress: ProgressListener = ignore_progress,
        precomputed: PrecomputedCounts | None = None,
        withheld: Withheld = NOTHING,
    ) -> None:
        self.matrix, self.withheld = matrix, withheld
        self._engine, self.progress = engine, progress
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._counts = np.empty((0, 2), dtype=np.int64)
        self._names: SupportCounts | None = None
        if precomputed is not None:
            # Runs have the same requests and store the same columns.
            self._keys, first = _IN_ORDER.of(
                precomputed.requests,
                lambda: np.unique(
                    key_of(places_of(matrix, precomputed.requests), matrix.n_stored), return_index=True
                ),
                beside=(matrix.n_stored, matrix.stored_at.tobytes()),
            )
            self._counts = precomputed.counts[first]

    @cached_property
    def draw_tests(self) -> DrawTests:
        """Tests of the devices' draws in these rows; empty if the design asks everyone everything."""
        design = self.matrix.design
        if not design.rotates:
            return DrawTests(tests=())
        return draw_tests_of(self.of(draw_requests(design)), design)

    @property
    def all_rows(self) -> bool:
        """Whether rows that were asked only part of an itemset count in its support."""
        return self.matrix.design.rotates and self.draw_tests.all_rows

    @property
    def _own_names(self) -> SupportCounts:
        if self._names is None:
            self._names = SupportCounts({}, all_rows=self.all_rows)
        return self._names

    @property
    def counts(self) -> SupportCounts:
        """The counts of all sets requested with `need`."""
        return self._own_names

    def need(self, requests: Iterable[Columns]) -> SupportCounts:
        """Return the counts of these sets of columns, and of all earlier ones."""
        new = [columns for columns in dict.fromkeys(requests) if columns not in self._own_names]
        if new:
            self.withheld.check_columns(self.matrix.design, new)
            counts = self._find_or_count(places_of(self.matrix, new))
            self._names = self._own_names.merge(SupportCounts.from_array(new, counts))
        return self._own_names

    def of(self, requests: Whole) -> Whole:
        """Return the counts of requests in an array.

        Parameters
        ----------
        requests : ndarray of int64, shape (m, width)
            Columns of the design, padded with -1.

        Returns
        -------
        ndarray of int64, shape (m, 2)
            Direct group, protected group.
        """
        refused = np.flatnonzero(~self.withheld.allowed(self.matrix.design, requests))
        self.withheld.check_columns(self.matrix.design, requests[refused[:1]].tolist())
        return self._find_or_count(places_of(self.matrix, requests))

    def _find_or_count(self, places: Whole) -> Whole:
        keys = key_of(places, self.matrix.n_stored)
        if not len(self._keys):
            return self._count(keys, places)
        positions = self._find(keys)
        new = np.flatnonzero(positions < 0)
        counts = self._counts[positions]
        if len(new):
            counts[new] = self._count(keys[new], places[new])
        return counts

    def _find(self, keys: Keys) -> Whole:
        """Return the positions of the sets' counts; -1 for uncounted sets."""
        position = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[position] == keys, position, -1)

    def _count(self, keys: Keys, places: Whole) -> Whole:
        """Count the uncounted sets, each once, and return the counts of all given sets."""
        keys, first, back = np.unique(keys, return_index=True, return_inverse=True)
        counts = count_places(self.matrix, places[first], engine=self._engine, progress=self.progress)
        positions = np.searchsorted(self._keys, keys)
        # Keys larger than a machine word are Python integers.
        self._keys = np.insert(self._keys.astype(np.result_type(self._keys, keys)), positions, keys)
        self._counts = np.insert(self._counts, positions, counts, axis=0)
        return counts[back]
