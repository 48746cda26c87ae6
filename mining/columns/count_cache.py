"""Cache of the counts of one matrix: each set of columns is counted once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import ProgressListener, ignore_progress
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count_places, places_of
from privacy.arrays import Remembered, Whole, read_only
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.draw_tests import DrawTests, draw_requests, draw_terms, draw_tests_of
from privacy.survey.design import Design

PRECOMPUTED_SIZE: Final = 3
"""Longest itemset whose counts are kept."""

MOST_PRECOMPUTED: Final = 300_000
"""Most sets of columns whose counts are kept, five megabytes; a larger design keeps none. Sixty yes/no
questions, of which devices draw four of each ten, have 282,221."""

Keys: TypeAlias = NDArray[Any]
"""int64, or Python's own whole numbers (dtype object) where a set does not fit 63 bits."""


def key_of(places: Whole, n_places: int) -> Keys:
    """Number sets of places.

    Parameters
    ----------
    places : ndarray of int64, shape (m, width)
        Ascending places from 0 to n_places - 1 in the last columns of each row, -1 before them.
    n_places : int

    Returns
    -------
    ndarray, shape (m,)
        Different for different sets; shorter sets first, those of one size in lexicographic order. The
        number does not depend on `width`: the digits of base n_places + 1, -1 being the digit 0.

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


_PLACES: Final = Remembered[Whole](8)


@dataclass(frozen=True, kw_only=True, eq=False)
class PrecomputedCounts:
    """Counts of some rows.

    Attributes
    ----------
    requests : ndarray of int64, shape (m, width)
        As `precomputed_requests` returns them for the design.
    counts : ndarray of int64, shape (m, 2)
        Direct group, protected group.
    """

    requests: Whole
    counts: Whole


@lru_cache(maxsize=16)
def precomputed_requests(design: Design) -> Whole | None:
    """List every set of columns that a run on itemsets of up to three items can ask for.

    Parameters
    ----------
    design : Design
        Design of the rows that are counted.

    Returns
    -------
    ndarray of int64, shape (m, width), or None
        Columns of the design, `BLANK` behind them; None where there are more than `MOST_PRECOMPUTED`.

    Notes
    -----
    Supports of one itemset or rule E use the rows that were asked everything in E. What is counted there
    are the parts S of E: the columns of S, and "asked" of the questions of E without S that a row may lack.
    An item implies that its question was asked. What the tests of the draws count is there, too: where
    devices draw questions, no run does without them.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None, questions=ask),))
    >>> precomputed_requests(design).tolist()
    [[-1, -1], [0, -1], [1, -1], [0, 1]]
    """
    n_items = len(design.items)
    asked_columns = index_of(design).asked_column
    everybody = bool((asked_columns == BLANK).all())
    # A bound before anything is built: a subset of each itemset, or of none of them where all are asked.
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
            sets.append(_filled(itemsets, width))
            continue
        for chosen in range(1, 1 << size):
            part = np.array([bool(chosen >> position & 1) for position in range(size)])
            sets.append(_filled(np.where(part, itemsets, asked_columns[itemsets]), width))
        sets.append(_filled(asked_columns[itemsets], width))
    drawn = tuple(
        columns
        for columns in (draw_terms(design) if design.rotates else ())
        # Of a longer one no machine word is the key; all others would be looked up as slowly.
        if (design.n_columns + 1) ** max(width, len(columns)) < 1 << 63
    )
    width = max(width, *map(len, drawn)) if drawn else width
    sets = [_filled(part, width) for part in sets]
    sets.extend(_filled(np.array([columns], dtype=np.int64), width) for columns in drawn)
    requests = np.concatenate(sets)
    if not everybody:
        requests = _once(requests, design.n_columns)
    requests.flags.writeable = False
    return requests if len(requests) <= MOST_PRECOMPUTED else None


def _filled(columns: Whole, width: int) -> Whole:
    wide = np.full((len(columns), width), BLANK, dtype=np.int64)
    wide[:, : columns.shape[1]] = columns
    return wide


def _once(requests: Whole, n_columns: int) -> Whole:
    """Each set once, its columns ascending and blanks last, shorter sets first."""
    ordered = np.sort(requests, axis=1)
    repeated = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != BLANK)
    ordered[:, 1:][repeated] = BLANK
    ordered.sort(axis=1)
    _, first = np.unique(key_of(ordered, n_columns), return_index=True)
    ordered = ordered[first]
    # Blanks to the end: what was sorted to the front moves round.
    order = np.argsort(ordered == BLANK, axis=1, kind="stable")
    return np.take_along_axis(ordered, order, axis=1)


def precomputed_counts(matrix: BitMatrix, requests: Whole, *, engine: str = "auto") -> PrecomputedCounts:
    """Count all precomputed requests in these rows; the requests are in an order that shares prefixes.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    requests : ndarray of int64, shape (m, width)
        What `precomputed_requests` lists for the design.
    engine : str, optional
        "auto", or the name of one.
    """
    # Batch after batch stores the same columns: where the requests are in them is worked out once.
    places = _PLACES.of(
        requests, lambda: read_only(places_of(matrix, requests)), beside=matrix.stored_at.tobytes()
    )
    return PrecomputedCounts(requests=requests, counts=count_places(matrix, places, engine=engine))


def added(parts: Sequence[PrecomputedCounts]) -> PrecomputedCounts:
    """Return the counts of the rows of all parts together: counts add up.

    Parameters
    ----------
    parts : sequence of PrecomputedCounts
        Of the same requests.
    """
    total = np.stack([part.counts for part in parts]).sum(axis=0)
    return PrecomputedCounts(requests=parts[0].requests, counts=total)


_IN_ORDER: Final = Remembered[tuple[Keys, NDArray[np.intp]]](8)
"""Of requests whose counts are kept: their keys, ascending, and where each is."""


class CountCache:
    """Cache of counts, filled on demand.

    Parameters
    ----------
    matrix : BitMatrix
    engine
        As in `mining.columns.counting.count_places`.
    progress : callable
        Called by the counting, and by users of the counts.
    precomputed : PrecomputedCounts, optional
        Counts of the same rows that are known already.

    Examples
    --------
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
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
    ) -> None:
        self.matrix = matrix
        self._engine, self.progress = engine, progress
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._counts = np.empty((0, 2), dtype=np.int64)
        self._names: SupportCounts | None = None
        if precomputed is not None:
            # Run after run has the same requests and stores the same columns.
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
        """Tests of what devices drew in these rows; none for a design that asks all questions of all."""
        design = self.matrix.design
        if not design.rotates:
            return DrawTests(tests=())
        return draw_tests_of(self.of(draw_requests(design)), design)

    @property
    def all_rows(self) -> bool:
        """Whether rows that were asked a part of an itemset count in its support."""
        return self.matrix.design.rotates and self.draw_tests.all_rows

    @property
    def _named(self) -> SupportCounts:
        if self._names is None:
            self._names = SupportCounts({}, all_rows=self.all_rows)
        return self._names

    @property
    def counts(self) -> SupportCounts:
        """The counts of everything that `need` was asked for."""
        return self._named

    def need(self, requests: Iterable[Columns]) -> SupportCounts:
        """Return the counts of these sets of columns, and of all that were needed before."""
        new = [columns for columns in dict.fromkeys(requests) if columns not in self._named]
        if new:
            counts = self._of(places_of(self.matrix, new))
            self._names = self._named.merge(SupportCounts.from_array(new, counts))
        return self._named

    def of(self, requests: Whole) -> Whole:
        """Return the counts of requests in an array.

        Parameters
        ----------
        requests : ndarray of int64, shape (m, width)
            Columns of the design; -1 represents none.

        Returns
        -------
        ndarray of int64, shape (m, 2)
            Direct group, protected group.
        """
        return self._of(places_of(self.matrix, requests))

    def _of(self, places: Whole) -> Whole:
        keys = key_of(places, self.matrix.n_stored)
        if not len(self._keys):
            return self._count(keys, places)
        at = self._find(keys)
        new = np.flatnonzero(at < 0)
        counts = self._counts[at]
        if len(new):
            counts[new] = self._count(keys[new], places[new])
        return counts

    def _find(self, keys: Keys) -> Whole:
        """Say where the counts of sets are; -1 for those that were not counted."""
        position = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[position] == keys, position, -1)

    def _count(self, keys: Keys, places: Whole) -> Whole:
        """Count sets that were not counted before, each once, and return the counts of all of these."""
        keys, first, back = np.unique(keys, return_index=True, return_inverse=True)
        counts = count_places(self.matrix, places[first], engine=self._engine, progress=self.progress)
        at = np.searchsorted(self._keys, keys)
        # Beyond a machine word keys are Python's own numbers.
        self._keys = np.insert(self._keys.astype(np.result_type(self._keys, keys)), at, keys)
        self._counts = np.insert(self._counts, at, counts, axis=0)
        return counts[back]
