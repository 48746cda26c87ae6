"""Counted rows: precomputed counts, which add up, and columns made on demand.

Parts of a survey are counted anywhere. Of each part its counts are handed on, never its rows or columns; the
whole is mined from their sum. A count that is not kept has the columns made then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix, Buffer, Group
from mining.columns.joined import stored_together
from mining.columns.precomputed_counts import PrecomputedCounts, added, precomputed_counts
from mining.columns.transposition import FULL, columns_at
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.layout import Layout

__all__ = ["CountedRows", "count_rows_of", "counted_together", "uncounted_columns"]

ROWS_AT_A_TIME: Final = 1 << 20
"""Columns of so many rows are made, counted and forgotten: 8 MB for sixty columns."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedRows:
    """Counts of some rows, without the rows.

    Attributes
    ----------
    n_direct, n_protected : int
    stored_at : ndarray of int64, shape (design.n_columns,)
        Which columns are full and which are equal, as in `BitMatrix`.
    precomputed : PrecomputedCounts
    """

    n_direct: int
    n_protected: int
    stored_at: Whole
    precomputed: PrecomputedCounts

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.n_direct + self.n_protected

    @classmethod
    def of(cls, matrix: BitMatrix, precomputed: PrecomputedCounts) -> CountedRows:
        """Return what is handed on of these columns and their counts."""
        return cls(
            n_direct=matrix.n_direct,
            n_protected=matrix.n_protected,
            stored_at=matrix.stored_at,
            precomputed=precomputed,
        )

    def to_bytes(self) -> bytes:
        """Write the places of the columns and the counts, eight bytes each, the lowest first."""
        cells = np.concatenate([self.stored_at, self.precomputed.counts.ravel()])
        return cells.astype("<i8").tobytes()

    @classmethod
    def from_bytes(
        cls, data: bytes, design: Design, requests: Whole, *, n_direct: int, n: int
    ) -> CountedRows:
        """Read what `to_bytes` wrote.

        Raises
        ------
        PrivacyError
            ``counted_rows``: other counts than those that are kept for the design.
        """
        if len(data) != 8 * (design.n_columns + 2 * len(requests)):
            raise PrivacyError("counted_rows", len(data), wanted=8 * (design.n_columns + 2 * len(requests)))
        cells = np.frombuffer(data, dtype="<i8").astype(np.int64)
        counts = cells[design.n_columns :].reshape(-1, 2)
        return cls(
            n_direct=n_direct,
            n_protected=n - n_direct,
            stored_at=cells[: design.n_columns],
            precomputed=PrecomputedCounts(requests=requests, counts=counts),
        )


def count_rows_of(design: Design, buffers: Iterable[Buffer], requests: Whole) -> CountedRows:
    """Count packed rows, a chunk at a time; memory does not grow with the rows.

    Parameters
    ----------
    design : Design
    buffers : iterable of bytes-like
        As for `BitMatrix.from_rows`.
    requests : ndarray of int64, shape (m, width)
        As `mining.columns.precomputed_counts.precomputed_requests` returns them.

    Raises
    ------
    PrivacyError
        ``row_length``: a buffer that does not hold whole rows.

    Examples
    --------
    Three rows of one question: presence and value behind the group's bit.

    >>> from mining.columns.precomputed_counts import precomputed_requests
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = [bytes([0b0110_0000, 0b0100_0000]), bytes([0b1110_0000])]
    >>> counted = count_rows_of(design, rows, precomputed_requests(design))
    >>> counted.n_direct, counted.n_protected, counted.precomputed.counts.tolist()
    (1, 2, [[1, 2], [1, 1]])
    """
    total: CountedRows | None = None
    for chunk in _chunks(buffers, Layout(design).n_bytes):
        matrix = BitMatrix.from_rows(design, chunk)
        counted = CountedRows.of(matrix, precomputed_counts(matrix, requests))
        total = counted if total is None else counted_together([total, counted])
    if total is None:
        nobody = BitMatrix.from_rows(design, b"")
        return CountedRows.of(nobody, precomputed_counts(nobody, requests))
    return total


def counted_together(parts: Sequence[CountedRows]) -> CountedRows:
    """Return what is handed on of the rows of all parts, at least one: counts add up.

    Parameters
    ----------
    parts : sequence of CountedRows
        Of one design.
    """
    return CountedRows(
        n_direct=sum(part.n_direct for part in parts),
        n_protected=sum(part.n_protected for part in parts),
        stored_at=stored_together([part.stored_at for part in parts])[1],
        precomputed=added([part.precomputed for part in parts]),
    )


def uncounted_columns(
    design: Design, n: tuple[int, int], stored_at: Whole, make: Callable[[], BitMatrix]
) -> BitMatrix:
    """Return a matrix of rows whose columns are made on first use.

    Parameters
    ----------
    design : Design
    n : (int, int)
        Rows of the direct and of the protected group.
    stored_at : ndarray of int64, shape (design.n_columns,)
        As in `BitMatrix`; those that are made may be stored in another order.
    make : callable
        Makes the columns of these rows; asked once.
    """
    made: list[BitMatrix] = []
    places, column = np.unique(stored_at, return_index=True)
    wanted = column[places != FULL]

    def words(direct: bool) -> NDArray[np.uint64]:
        if not made:
            made.append(make())
        matrix = made[0]
        group, stored = matrix.direct if direct else matrix.protected, matrix.stored_at[wanted]
        if np.array_equal(stored, np.arange(len(group.words))):
            return group.words
        return columns_at(group.words, group.n, stored)

    direct, protected = (
        _Group(rows, partial(words, which)) for rows, which in zip(n, (True, False), strict=True)
    )
    return BitMatrix(design=design, direct=direct, protected=protected, stored_at=stored_at)


class _Group(Group):
    """Columns that are made when they are needed first."""

    def __init__(self, n: int, make: Callable[[], NDArray[np.uint64]]) -> None:
        self.__dict__.update(n=n, _make=make)

    @cached_property
    def words(self) -> NDArray[np.uint64]:  # the field, read later
        """Packed columns."""
        make: Any = self.__dict__["_make"]
        return make()  # type: ignore[no-any-return]  # kept as it was given


def _chunks(buffers: Iterable[Buffer], n_bytes: int) -> Iterator[list[Buffer]]:
    """Buffers of about so many rows together; one that is larger is cut where a row ends."""
    waiting: list[Buffer] = []
    most, size = ROWS_AT_A_TIME * n_bytes, 0
    for buffer in buffers:
        view = memoryview(buffer)
        for start in range(0, len(view), most):
            waiting.append(view[start : start + most])
            size += len(waiting[-1])
            if size >= most:
                yield waiting
                waiting, size = [], 0
    if waiting:
        yield waiting
