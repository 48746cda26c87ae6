"""Counts of one matrix, each made once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining import ProgressListener, ignore_progress
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count_places, places_of
from mining.columns.precomputed_counts import Keys, PrecomputedCounts, key_of
from privacy.array_cache import ArrayCache
from privacy.arrays import Whole
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.draw_tests import DrawTests, draw_requests, draw_tests_of
from privacy.estimation.withheld import NOTHING, Withheld

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
                settings=(matrix.n_stored, matrix.stored_at.tobytes()),
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
