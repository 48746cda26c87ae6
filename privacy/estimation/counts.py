"""Counts of rows by set of columns and by group, the only input of estimation."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design

Columns: TypeAlias = tuple[int, ...]
"""Ascending numbers of columns; ``()`` stands for all rows."""

LARGEST_COUNT: Final = 2**52
"""Largest count: up to here, counts and their sums and differences are exact in float64."""
LONGEST_CHECKED: Final = 6
"""Largest set to compare with all its subsets; larger sets are compared with fewer of them."""


class SupportCounts(Mapping[Columns, tuple[int, int]]):
    """Number of rows that have all columns of a set: (direct group, protected group).

    Parameters
    ----------
    counts : mapping of Columns to (int, int)
        For each set of columns, the number of rows in the direct and in the protected group that have them
        all. The empty set counts all rows.
    all_rows : bool
        Whether rows that were asked only some questions of an itemset are used for its support, if devices
        draw the questions. The draw must not depend on the answers (`privacy.estimation.draw_tests`).

    Raises
    ------
    PrivacyError
        ``columns`` (not ascending), ``count`` (not a pair of whole numbers from 0 to 2^52, or more rows for a
        set of columns than for one of its subsets).

    Examples
    --------
    >>> counts = SupportCounts({(): (2, 10), (0,): (1, 6)})
    >>> counts[0,]
    (1, 6)
    >>> counts[1,]
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: the count of columns (1,) is missing; \
count every set of columns that required_counts() returns
    """

    __slots__ = ("_codes", "_rows", "_table", "all_rows")

    def __init__(self, counts: Mapping[Columns, tuple[int, int]], *, all_rows: bool = False) -> None:
        self._fill(list(counts), list(counts.values()))
        self.all_rows = all_rows
        self._check_parts()

    @classmethod
    def from_array(
        cls, requests: Sequence[Columns], counts: ArrayLike, *, all_rows: bool = False
    ) -> SupportCounts:
        """Combine requests with the counts that a counter returned.

        Parameters
        ----------
        requests : sequence of Columns
        counts : array_like of int, shape (len(requests), 2)
            Counts, direct group first.
        all_rows : bool
            As for the class.
        """
        result = cls.__new__(cls)
        result._fill(requests, counts)
        result.all_rows = all_rows
        return result

    def _fill(self, requests: Sequence[Columns], counts: ArrayLike) -> None:
        table = np.asarray(counts)
        if not len(requests) and not table.size:
            table = np.zeros((0, 2), dtype=np.int64)
        if table.shape != (len(requests), 2) or table.dtype.kind not in "iu":
            raise PrivacyError("count.shape", table.shape, dtype=table.dtype, count=len(requests))
        if table.size and (table.min() < 0 or table.max() > LARGEST_COUNT):
            worst = int(table.min() if table.min() < 0 else table.max())
            raise PrivacyError("count.range", worst, largest=LARGEST_COUNT)
        self._table: Whole = table.astype(np.int64)
        self._table.flags.writeable = False
        self._codes: tuple[int, Whole, Whole] | None = None
        self._rows: dict[Columns, int] = {columns: row for row, columns in enumerate(requests)}
        for columns in self._rows:
            if list(columns) != sorted(set(columns)):
                raise PrivacyError("columns", columns)
        if (whole := self._rows.get(())) is not None:
            everybody = self._table[whole]
            self._refuse(np.flatnonzero((self._table > everybody).any(axis=1)), whole)

    def _check_parts(self) -> None:
        """Refuse a set of columns with a larger count than one of its subsets.

        Only counts from outside are checked. A counter may return a hundred thousand counts, and checking
        them would take longer than counting. For these, `check_cells` finds impossible counts before use.
        """
        rows = self._rows
        pairs = np.array(
            [(row, rows[part]) for columns, row in rows.items() for part in _parts(columns) if part in rows],
            dtype=np.int64,
        ).reshape(-1, 2)
        wrong = np.flatnonzero((self._table[pairs[:, 0]] > self._table[pairs[:, 1]]).any(axis=1))
        if len(wrong):
            more, less = pairs[wrong[0]].tolist()
            self._refuse(np.array([more]), less)

    def _refuse(self, wrong: NDArray[np.intp], whole: int) -> None:
        if len(wrong):
            names = list(self._rows)
            more, less = names[int(wrong[0])], names[whole]
            raise PrivacyError("count", self[more], more=more, whole=self[less], less=less)

    def __getitem__(self, columns: Columns) -> tuple[int, int]:
        direct, protected = self._table[self._row(columns)]
        return int(direct), int(protected)

    def __contains__(self, columns: object) -> bool:
        return columns in self._rows

    def get(self, columns: Columns, default: Any = None) -> Any:
        """Return a pair of counts, or `default`; `Mapping.get` would let the PrivacyError through."""
        return self[columns] if columns in self._rows else default

    def __iter__(self) -> Iterator[Columns]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def _row(self, columns: Columns) -> int:
        try:
            return self._rows[columns]
        except KeyError:
            raise PrivacyError("missing_count", columns) from None

    def table(self, requests: Iterable[Columns]) -> Whole:
        """Return the counts of many sets of columns, shape (number of sets, 2), direct group first."""
        rows = self._rows
        try:
            pairs = [rows[columns] for columns in requests]
        except KeyError as error:
            self._row(error.args[0])
            raise
        return self._table[pairs]

    def at(self, requests: Whole) -> Whole:
        """Return the counts of many sets of columns, as `table` does, without a loop over the sets.

        Parameters
        ----------
        requests : ndarray of int64, shape (m, width)
            Ascending columns of each set, padded in front with -1.

        Returns
        -------
        ndarray of int64, shape (m, 2)
            Direct group first.

        Raises
        ------
        PrivacyError
            ``missing_count``

        Examples
        --------
        >>> counts = SupportCounts({(): (2, 10), (0,): (1, 6), (0, 3): (0, 2)})
        >>> counts.at(np.array([[0, 3], [-1, -1]])).tolist()
        [[0, 2], [2, 10]]
        """
        base, codes, places = self._coded_rows()
        wanted = set_codes(requests, base)
        if wanted is None or not len(codes):
            return self.table(columns_of(requests))
        found = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
        missing = np.flatnonzero(codes[found] != wanted)
        if len(missing):
            self._row(columns_of(requests[missing[:1]])[0])
        return self._table[places[found]]

    def _coded_rows(self) -> tuple[int, Whole, Whole]:
        """Return the base of codes, the codes in ascending order, and their rows; no codes if too long."""
        if self._codes is None:
            sizes = np.array([len(each) for each in self._rows], dtype=np.int64)
            width, sets = int(sizes.max(initial=0)), list(self._rows)
            columns = np.full((len(sets), width), -1, dtype=np.int64)
            for size in np.unique(sizes[sizes > 0]).tolist():
                some = np.flatnonzero(sizes == size)
                columns[some, width - size :] = [sets[place] for place in some.tolist()]
            # Larger columns of requests get a digit that no counted set has.
            base = int(columns.max(initial=-1)) + 3
            coded = set_codes(columns, base)
            codes = np.empty(0, dtype=np.int64) if coded is None else coded
            order = np.argsort(codes)
            # A set that was counted twice has two rows of the table.
            rows = np.array(list(self._rows.values()), dtype=np.int64)
            self._codes = base, codes[order], rows[order]
        return self._codes

    def merge(self, other: SupportCounts) -> SupportCounts:
        """Merge two sets of counts of the same rows; counts of the same columns must agree.

        `all_rows` is taken from `self`.

        Raises
        ------
        PrivacyError
            ``count``: the two differ on a set of columns.
        """
        common = [columns for columns in other if columns in self._rows]
        differing = np.flatnonzero((self.table(common) != other.table(common)).any(axis=1))
        if differing.size:
            columns = common[int(differing[0])]
            raise PrivacyError("count.merge", columns, here=self[columns], there=other[columns])
        added = [columns for columns in other if columns not in self._rows]
        return SupportCounts.from_array(
            [*self._rows, *added], np.concatenate([self._table, other.table(added)]), all_rows=self.all_rows
        )


def set_codes(sets: Whole, base: int) -> Whole | None:
    """Encode each set of columns as one number; None if the numbers need more than 63 bits.

    Parameters
    ----------
    sets : ndarray of int64, shape (m, width)
        Ascending columns of each set, padded in front with -1. Sets of different columns below base - 2 have
        different numbers, whatever the width.
    base : int
        Larger columns count as base - 2.

    Examples
    --------
    >>> set_codes(np.array([[-1, -1], [-1, 1], [0, 1], [0, 99]]), 10).tolist()  # digits 00, 02, 12, 19
    [0, 2, 12, 19]
    """
    if base ** sets.shape[1] >= 1 << 63:
        return None
    codes = np.zeros(len(sets), dtype=np.int64)
    for column in sets.T:
        codes = codes * base + np.minimum(column, base - 2) + 1
    return codes


def columns_of(sets: Whole) -> list[Columns]:
    """Return sets of columns in an array as tuples.

    Parameters
    ----------
    sets : ndarray of int64, shape (m, width)
        Columns of each set, padded in front with -1.

    Examples
    --------
    >>> columns_of(np.array([[-1, -1], [-1, 1], [0, 1]]))
    [(), (1,), (0, 1)]
    """
    blanks = (sets < 0).sum(axis=1).tolist()
    return [tuple(row[blank:]) for row, blank in zip(sets.tolist(), blanks, strict=True)]


def of_one_group(counts: Whole, design: Design) -> Whole:
    """Sum the counts of open questions over the groups if both groups are disguised.

    Everyone sends open answers undisguised, so stratifying them gains nothing, and the error would reveal how
    the few respondents of one group answered.

    Parameters
    ----------
    counts : ndarray of int, shape (..., 2)
        Counts, direct group first.
    design : Design

    Returns
    -------
    ndarray of int, shape (..., 2)
        With all rows in the protected group; unchanged for a design of one strength.
    """
    if not design.has_two_strengths:
        return counts
    return np.stack([np.zeros_like(counts[..., 0]), counts.sum(axis=-1)], axis=-1)


def exactly(counts: Whole, axes: Iterable[int]) -> Whole:
    """Convert "at least" counts to "exactly" counts (Möbius inversion).

    Parameters
    ----------
    counts : int array
        Along each axis, each entry counts a subset of the rows of the entry before: all rows, rows that were
        asked, rows that match.
    axes : iterable of int

    Examples
    --------
    Out of 10 rows, 6 have the first item, 5 the second and 4 both:

    >>> exactly(np.array([[10, 5], [6, 4]]), (0, 1)).tolist()
    [[3, 1], [2, 4]]
    """
    table = counts.copy()
    for axis in axes:
        for entry in range(table.shape[axis] - 1):
            fewer, more = (
                table[(slice(None),) * axis + (entry_of_axis,)] for entry_of_axis in (entry + 1, entry)
            )
            more -= fewer
    return table


def check_cells(rows: Whole, position_of: Callable[[int], object]) -> None:
    """Refuse counts that imply a negative number of rows for some combination of columns.

    Parameters
    ----------
    rows : int array, shape (R, ...)
        Number of rows for each combination of columns, by itemset or rule.
    position_of : callable
        Returns the itemset or rule at a position.
    """
    if rows.size and rows.min() < 0:
        position = int(np.flatnonzero((rows.reshape(len(rows), -1) < 0).any(axis=1))[0])
        worst = int(rows[position].min())
        raise PrivacyError("count.cells", worst, position=position_of(position))


def _parts(columns: Columns) -> Iterator[Columns]:
    """Yield the proper subsets to compare a set with."""
    if len(columns) <= LONGEST_CHECKED:
        for size in range(len(columns)):
            yield from itertools.combinations(columns, size)
    else:
        yield ()
        yield from itertools.combinations(columns, len(columns) - 1)
