"""Counted rows: precomputed counts, which add up, and columns built on demand.

Any worker can count a part of a survey. It sends only counts, never rows or columns, and the survey is mined
from their sum. Counts that are not precomputed need columns, which are built on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mining.columns.bitmatrix import BitMatrix, Buffer, stored_together
from mining.columns.precomputed_counts import PrecomputedCounts, add_counts, precomputed_counts
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.layout import Layout

COUNTED_AT_A_TIME: Final = 1 << 20
"""Rows whose columns are built, counted and discarded at a time; sixty columns need 8 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedRows:
    """Counts of some rows, without the rows.

    Attributes
    ----------
    n_direct, n_protected : int
    stored_at : ndarray of int64, shape (design.n_columns,)
        Positions of columns, as in `BitMatrix`.
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
        """Combine the group sizes and column positions of a matrix with its counts."""
        return cls(
            n_direct=matrix.n_direct,
            n_protected=matrix.n_protected,
            stored_at=matrix.stored_at,
            precomputed=precomputed,
        )

    def to_bytes(self) -> bytes:
        """Write the positions of the columns and the counts, eight bytes each, little-endian."""
        cells = np.concatenate([self.stored_at, self.precomputed.counts.ravel()])
        return cells.astype("<i8").tobytes()

    @classmethod
    def from_bytes(
        cls, data: bytes, design: Design, requests: Whole, *, n_direct: int, n: int
    ) -> CountedRows:
        """Read the output of `to_bytes`.

        Raises
        ------
        PrivacyError
            ``counted_rows``: the counts do not match those precomputed for the design.
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
    """Count packed rows in chunks; memory does not grow with the number of rows.

    Parameters
    ----------
    design : Design
    buffers : iterable of bytes-like
        As for `BitMatrix.from_rows`.
    requests : ndarray of int64, shape (m, width)
        Output of `mining.columns.precomputed_counts.precomputed_requests`.

    Raises
    ------
    PrivacyError
        ``row_length``: a buffer does not contain whole rows.

    Examples
    --------
    Three rows of one question: presence and value after the group's bit.

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
    for chunk in row_chunks(buffers, Layout(design).n_bytes, COUNTED_AT_A_TIME):
        matrix = BitMatrix.from_rows(design, chunk)
        part = CountedRows.of(matrix, precomputed_counts(matrix, requests))
        total = part if total is None else counted_together([total, part])
    if total is None:
        nobody = BitMatrix.from_rows(design, b"")
        return CountedRows.of(nobody, precomputed_counts(nobody, requests))
    return total


def counted_together(parts: Sequence[CountedRows]) -> CountedRows:
    """Sum the counts of all parts (at least one).

    Parameters
    ----------
    parts : sequence of CountedRows
        Parts of one design.
    """
    return CountedRows(
        n_direct=sum(part.n_direct for part in parts),
        n_protected=sum(part.n_protected for part in parts),
        stored_at=stored_together([part.stored_at for part in parts])[1],
        precomputed=add_counts([part.precomputed for part in parts]),
    )


def row_chunks(buffers: Iterable[Buffer], n_bytes: int, rows: int) -> Iterator[list[Buffer]]:
    """Yield lists of buffers with about `rows` rows each, splitting larger buffers between rows.

    Parameters
    ----------
    buffers : iterable of bytes-like
    n_bytes : int
        Bytes of a row.
    rows : int
        Rows of a list, at least; the last has the rest.
    """
    waiting: list[Buffer] = []
    most, size = rows * n_bytes, 0
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
