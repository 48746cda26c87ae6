"""Equivalence classes, and the one class-by-value matrix that every model reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.table import Column

_CELLS_AT_ONCE: Final = 4_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """A partition of records: ``number[r]`` is the class of record ``r``, 0 .. count-1; no class is empty.

    Examples
    --------
    >>> Classes.from_numbers([7, 3, 7]).sizes.tolist()
    [1, 2]
    """

    number: Whole
    count: int

    @classmethod
    def from_numbers(cls, numbers: Sequence[int] | Whole) -> Classes:
        """Renumber any labels to 0 .. count-1, keeping their order."""
        labels, number = np.unique(np.asarray(numbers, dtype=np.int64), return_inverse=True)
        return cls(number=number.astype(np.int64), count=len(labels))

    @classmethod
    def of_parts(cls, parts: Iterable[tuple[Whole, Classes]]) -> Classes:
        """Combine the classes of parts of a table, each given by record numbers and their classes.

        Examples
        --------
        >>> pair = Classes.from_numbers([0, 0])
        >>> Classes.of_parts([(np.array([0, 2]), pair), (np.array([1, 3]), pair)]).number.tolist()
        [0, 1, 0, 1]
        """
        pairs = list(parts)
        number = np.empty(sum(len(rows) for rows, _ in pairs), dtype=np.int64)
        count = 0
        for rows, classes in pairs:
            number[rows] = classes.number + count
            count += classes.count
        return cls(number=number, count=count)

    @classmethod
    def of_columns(cls, columns: Sequence[Column]) -> Classes:
        """Group records that agree in all columns.

        Raises
        ------
        PrivacyError
            If no column is given.
        """
        if not columns:
            raise PrivacyError("no_quasi_identifier.classes")
        first, number = distinct_rows([column.codes for column in columns])
        return cls(number=number, count=len(first))

    @property
    def sizes(self) -> Whole:
        """Number of records in each class."""
        return np.bincount(self.number, minlength=self.count).astype(np.int64)

    def crowds(self, people: Whole | None) -> Whole:
        """Return the number of different people in each class, given the person of each record.

        Examples
        --------
        >>> Classes.from_numbers([0, 0, 1]).crowds(np.array([7, 7, 9])).tolist()
        [1, 1]
        """
        if people is None:
            return self.sizes
        once = distinct_rows([self.number, people])[0]
        return np.bincount(self.number[once], minlength=self.count).astype(np.int64)

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassMatrix:
    """Counts of sensitive values by class, stored for occurring pairs only.

    Parameters
    ----------
    classes, values, counts : int64 arrays of equal length
        The pair (class, value) and how many records have it, ordered by class, then by value; counts > 0.
    n_classes, n_values : int
        Shape of the matrix. It has the values observed in the table, in the order of their column, without
        missing ones.
    crowd, n_answered : int64 arrays, shape (n_classes,), or None
        Number of people in each class, and number of those with a value, if people can have several records
        or no value.
    table : ClassMatrix or None
        The whole table, if these are only some of its classes; otherwise None.

    Notes
    -----
    p denotes the shares in a class: a row divided by the size of the class. q denotes the shares in the
    table: the sum of all rows divided by n. If people are counted, a pair counts the people who have the
    value in some record of the class. A person can then have two values, so the shares of a class can sum to
    more than 1. Here p is the probability that a person of the class has the value, as in the (X, Y)-privacy
    of Wang and Fung 2006.
    """

    classes: Whole
    values: Whole
    counts: Whole
    n_classes: int
    n_values: int
    crowd: Whole | None = None
    n_answered: Whole | None = None
    table: ClassMatrix | None = None

    @classmethod
    def of(cls, classes: Classes, sensitive: Column, people: Whole | None = None) -> ClassMatrix:
        """Count one sensitive column within classes; missing values do not count.

        Parameters
        ----------
        classes : Classes
        sensitive : Column
        people : int64 array, shape (n,), or None
            Person of each record, if a person can have several records; None for one record each.

        Examples
        --------
        >>> column = Column(name="d", role="sensitive", kind="categorical", values=("a", "b"),
        ...                 codes=np.array([0, 1, 1], dtype=np.int32))
        >>> ClassMatrix.of(Classes.from_numbers([0, 0, 1]), column).dense().tolist()
        [[1, 1], [0, 1]]

        One person has both values, the other only the second, which is thus certain for both.

        >>> matrix = ClassMatrix.of(Classes.from_numbers([0, 0, 0]), column, np.array([7, 7, 9]))
        >>> matrix.dense().tolist(), matrix.sizes.tolist(), matrix.distinct.tolist()
        ([[1, 2]], [2], [1])
        """
        n_values = len(sensitive.values)
        number, codes = classes.number, sensitive.codes
        crowd = real_crowd = None
        if people is not None or sensitive.missing:
            owners = np.arange(len(codes)) if people is None else people
            crowd = classes.crowds(owners)
            real = np.flatnonzero(sensitive.is_real[codes])
            new_codes = np.cumsum(sensitive.is_real) - 1
            n_values = len(sensitive.real)
            number, codes, owners = number[real], new_codes[codes[real]], owners[real]
            real_crowd = Classes(number=number, count=classes.count).crowds(owners)
            once = distinct_rows([number, codes, owners])[0]
            number, codes = number[once], codes[once]
        key = number * n_values + codes
        if classes.count * n_values <= max(_CELLS_AT_ONCE, 4 * len(key)):
            dense = np.bincount(key, minlength=classes.count * n_values)
            cells = np.flatnonzero(dense)
            counts = dense[cells]
        else:
            cells, counts = np.unique(key, return_counts=True)
        return cls(
            classes=cells // n_values,
            values=cells % n_values,
            counts=counts.astype(np.int64),
            n_classes=classes.count,
            n_values=n_values,
            crowd=crowd,
            n_answered=real_crowd,
        )

    @classmethod
    def from_counts(
        cls,
        counts: Sequence[Sequence[int]] | Whole,
        *,
        crowd: Whole | None = None,
        n_answered: Whole | None = None,
        table: ClassMatrix | None = None,
    ) -> ClassMatrix:
        """Build the matrix from a dense table of counts, one row per class."""
        dense = np.asarray(counts, dtype=np.int64)
        rows, values = np.nonzero(dense)
        return cls(
            classes=rows,
            values=values,
            counts=dense[rows, values],
            n_classes=len(dense),
            n_values=dense.shape[1],
            crowd=crowd,
            n_answered=n_answered,
            table=table,
        )

    @property
    def n_counted(self) -> Whole:
        """Sum of the counts of each class."""
        return np.bincount(self.classes, weights=self.counts, minlength=self.n_classes).astype(np.int64)

    @property
    def sizes(self) -> Whole:
        """Number of records, or of people, with a value in each class."""
        return self.n_counted if self.n_answered is None else self.n_answered

    @property
    def totals(self) -> Whole:
        """Number of records, or of people, with each value."""
        return np.bincount(self.values, weights=self.counts, minlength=self.n_values).astype(np.int64)

    @property
    def n(self) -> int:
        """Number of records, or of people, with a value."""
        return int(self.sizes.sum())

    @property
    def distinct(self) -> Whole:
        """Number of distinct values in each class; 1 if all share a value, even if some have others too."""
        distinct = np.bincount(self.classes, minlength=self.n_classes)
        distinct[self.classes[self.counts == self.sizes[self.classes]]] = 1
        return distinct

    def largest(self) -> tuple[Whole, Whole]:
        """Return the largest count of each class, and the rank of each pair in its class, from 0."""
        order = np.lexsort((-self.counts, self.classes))
        starts = np.searchsorted(self.classes, np.arange(self.n_classes))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order)) - starts[self.classes]
        most = np.zeros(self.n_classes, dtype=np.int64)
        most[self.classes[rank == 0]] = self.counts[rank == 0]
        return most, rank

    @property
    def row_share(self) -> Array:
        """p of each pair: its count divided by the size of its class."""
        return self.counts / self.sizes[self.classes]

    @property
    def table_share(self) -> Array:
        """q of each value."""
        whole = self.table or self
        return whole.totals / whole.n

    @property
    def row_part(self) -> Array:
        """p of each pair, scaled to sum to 1 in each class even if people have several values."""
        return self.counts / self.n_counted[self.classes]

    @property
    def table_part(self) -> Array:
        """q of each value, scaled to sum to 1."""
        totals = (self.table or self).totals
        return np.asarray(totals / totals.sum())

    def per_class(self, terms: Array) -> Array:
        """Sum one number per pair over each class."""
        return np.bincount(self.classes, weights=terms, minlength=self.n_classes).astype(np.float64)

    def largest_per_class(self, terms: Array) -> Array:
        """Return the largest number among the pairs of each class, or 0 if all are negative."""
        largest = np.zeros(self.n_classes)
        np.maximum.at(largest, self.classes, terms)
        return largest

    def dense(self) -> Whole:
        """Return the whole matrix, shape (n_classes, n_values)."""
        matrix = np.zeros((self.n_classes, self.n_values), dtype=np.int64)
        matrix[self.classes, self.values] = self.counts
        return matrix

    def blocks(self) -> Iterator[Whole]:
        """Iterate over blocks of rows, so that the dense matrix is never in memory as a whole."""
        rows = max(1, _CELLS_AT_ONCE // max(1, self.n_values))
        for start in range(0, self.n_classes, rows):
            stop = min(start + rows, self.n_classes)
            first, last = np.searchsorted(self.classes, [start, stop])
            block = np.zeros((stop - start, self.n_values), dtype=np.int64)
            block[self.classes[first:last] - start, self.values[first:last]] = self.counts[first:last]
            yield block


def split_classes(classes: Classes, columns: Sequence[Column]) -> Classes:
    """Split classes by the values of other known columns.

    Parameters
    ----------
    classes : Classes
        Classes by the quasi-identifiers.
    columns : sequence of Column
        Other columns that an attacker knows.

    Examples
    --------
    >>> debt = Column(name="debt", role="sensitive", kind="categorical", values=("no", "yes"),
    ...               codes=np.array([0, 1, 0], dtype=np.int32))
    >>> split_classes(Classes.from_numbers([0, 0, 0]), [debt]).sizes.tolist()
    [2, 1]
    """
    return Classes.from_numbers(distinct_rows([classes.number, *(column.codes for column in columns)])[1])
