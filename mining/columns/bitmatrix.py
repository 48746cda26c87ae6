"""Disguised rows as packed bit columns, direct and protected rows apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.column_builder import ColumnBuilder
from mining.columns.row_reader import RowReader
from mining.columns.transposition import FULL, packed_columns
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design

__all__ = ["BitMatrix", "Buffer", "Group"]

_ROWS_AT_A_TIME: Final = 65_536
_GROUP_BIT: Final = 0x80

Buffer: TypeAlias = bytes | bytearray | memoryview


@dataclass(frozen=True, kw_only=True, eq=False)
class Group:
    """Packed columns of the rows of one group.

    Attributes
    ----------
    words : ndarray of uint64, shape (stored columns, words_for(n))
        Row i is bit i mod 64 of word i // 64; bits behind the last row are 0.
    n : int
        Number of rows.
    """

    words: NDArray[np.uint64]
    n: int


@dataclass(frozen=True, kw_only=True, eq=False)
class BitMatrix:
    """All rows of one design, column by column.

    Parameters
    ----------
    design : Design
        Says what each column means.
    direct, protected : Group
        Rows sent as they were, and rows disguised by the device. Both store the same columns.
    stored_at : ndarray of int64, shape (design.n_columns,)
        For each column of the design the place where it is stored, or `FULL` for a column that is 1
        in every row of both groups. Columns that are equal bit for bit share one place.

    Notes
    -----
    Counts of rows add up: the counts of two matrices of one design, added, are the counts of all their
    rows. One column of a million rows occupies 125 kB.
    """

    design: Design
    direct: Group
    protected: Group
    stored_at: Whole

    @property
    def n_direct(self) -> int:
        """Number of rows of the direct group (Q = 0)."""
        return self.direct.n

    @property
    def n_protected(self) -> int:
        """Number of rows of the protected group (Q = 1)."""
        return self.protected.n

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.direct.n + self.protected.n

    @cached_property
    def full(self) -> frozenset[int]:
        """Columns that are 1 in every row."""
        return frozenset(np.flatnonzero(self.stored_at == FULL).tolist())

    @property
    def n_stored(self) -> int:
        """Number of columns that are stored."""
        return int(self.stored_at.max(initial=FULL)) + 1

    @property
    def n_bytes(self) -> int:
        """Memory used by the stored columns."""
        return self.direct.words.nbytes + self.protected.words.nbytes

    @classmethod
    def from_rows(cls, design: Design, buffer: Buffer | Iterable[Buffer]) -> BitMatrix:
        """Turn packed rows, as devices send them, into columns.

        Parameters
        ----------
        design : Design
            The design every row was made with.
        buffer : bytes-like, or iterable of bytes-like
            Rows of ``Layout(design).n_bytes`` bytes without anything between them. Several buffers are
            read one after the other; each holds whole rows. The rows must be valid, as accepted by
            ``Layout.unpack``.

        Returns
        -------
        BitMatrix

        Raises
        ------
        PrivacyError
            ``row_length``: a buffer that does not hold whole rows.

        Notes
        -----
        Rows are read 65,536 at a time, so only one chunk needs memory in addition to the columns, however
        many rows there are.
        """
        buffers = [buffer] if isinstance(buffer, bytes | bytearray | memoryview) else buffer
        reader = RowReader(design)
        parts: dict[bool, ColumnBuilder] = {
            True: ColumnBuilder(design.n_columns),
            False: ColumnBuilder(design.n_columns),
        }
        for rows in _chunks(buffers, reader.layout.n_bytes):
            direct = (rows[:, 0] & _GROUP_BIT) != 0
            for group, part in parts.items():
                part.add(rows.compress(direct == group, axis=0), reader)
        return _matrix(design, parts[True].finish(reader), parts[False].finish(reader))

    @classmethod
    def from_booleans(
        cls,
        design: Design,
        items: Flags,
        direct: Flags,
        *,
        is_asked: Flags | None = None,
        answered: Flags | None = None,
    ) -> BitMatrix:
        """Pack a table of true and false, for tests and simulations.

        Parameters
        ----------
        design : Design
        items : ndarray of bool, shape (n, number of items)
        direct : ndarray of bool, shape (n,)
            Which rows belong to the direct group.
        is_asked : ndarray of bool, shape (n, number of questions), optional
            Everyone was asked everything where it is left out.
        answered : ndarray of bool, shape (n, number of blocks), optional
            A respondent who was asked every question of a block, of a rotating part any, answered it, where
            it is left out.

        Raises
        ------
        PrivacyError
            ``table_shape``: a table of another shape than the design and the other tables ask for.

        Examples
        --------
        >>> from privacy.survey.design import Block, GroupPolicy, Question
        >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
        >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
        ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
        >>> matrix = BitMatrix.from_booleans(design, np.array([[True], [False], [True]]), np.zeros(3, bool))
        >>> matrix.n, bin(matrix.protected.words[0, 0]), sorted(matrix.full)
        (3, '0b101', [1, 2])
        """
        direct = np.asarray(direct, dtype=bool)
        n = len(direct)
        if is_asked is None:
            is_asked = np.ones((n, len(design.questions)), dtype=bool)
        if answered is None:
            first = np.array(design.first_questions)
            rotating = np.array([block.is_rotating for block in design.blocks])
            answered = np.where(
                rotating,
                np.logical_or.reduceat(is_asked, first, axis=1),
                np.logical_and.reduceat(is_asked, first, axis=1),
            )
        tables = (("items", items, len(design.items)), ("asked", is_asked, len(design.questions)))
        for name, table, width in (*tables, ("answered", answered, len(design.blocks))):
            if table.shape != (n, width):
                raise PrivacyError("table_shape", table.shape, name=name, wanted=(n, width))
        table = np.concatenate([items, is_asked, answered], axis=1)
        return _matrix(design, _packed(table[direct]), _packed(table[~direct]))


def _matrix(design: Design, direct: ColumnBuilder, protected: ColumnBuilder) -> BitMatrix:
    """Store every column once; leave out full ones and repeated "asked" and "answered" columns."""
    full = direct.ones + protected.ones == direct.n + protected.n
    stored_at = np.full(design.n_columns, FULL, dtype=np.int64)
    places: dict[bytes, int] = {}
    stored: list[int] = []
    for column in np.flatnonzero(~full).tolist():
        position = len(stored)
        if column >= len(design.items):
            # One question of a part that does not rotate is asked together with all: these columns repeat.
            position = places.setdefault(direct.fingerprint(column) + protected.fingerprint(column), position)
        if position == len(stored):
            stored.append(column)
        stored_at[column] = position
    return BitMatrix(
        design=design,
        direct=Group(words=direct.words(stored), n=direct.n),
        protected=Group(words=protected.words(stored), n=protected.n),
        stored_at=stored_at,
    )


def _chunks(buffers: Iterable[Buffer], n_bytes: int) -> Iterator[NDArray[np.uint8]]:
    """Rows of all buffers in chunks of about one size: a batch may hold fifty rows or a million."""
    waiting: list[NDArray[np.uint8]] = []
    n = 0
    for buffer in buffers:
        data = np.frombuffer(buffer, dtype=np.uint8)
        if len(data) % n_bytes:
            raise PrivacyError("row_length", len(data), n_bytes=n_bytes)
        rows = data.reshape(-1, n_bytes)
        for start in range(0, len(rows), _ROWS_AT_A_TIME):
            waiting.append(rows[start : start + _ROWS_AT_A_TIME])
            n += len(waiting[-1])
            if n >= _ROWS_AT_A_TIME:
                yield np.concatenate(waiting)
                waiting, n = [], 0
    if waiting:
        yield np.concatenate(waiting)


def _packed(table: Flags) -> ColumnBuilder:
    parts = ColumnBuilder(table.shape[1])
    parts.append(packed_columns(table.T), len(table))
    return parts
