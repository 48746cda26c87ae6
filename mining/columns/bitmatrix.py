"""Disguised rows as packed bit columns, stored separately for direct and protected rows.

Packed rows are converted to packed columns, and columns are unpacked to flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise
from privacy.survey.design import Design
from privacy.survey.layout import Layout

__all__ = [
    "FULL",
    "NO_BIT",
    "WORD",
    "bit_columns",
    "columns_at",
    "packed_columns",
    "pays_to_compile",
    "unpacked_columns",
    "words_for",
]

WORD = 64
"""Rows in one word of a column."""

FULL: Final = -1
"""Marks a column that is 1 in every row. It is not stored, and ANDs ignore it."""

NO_BIT: Final = -1
"""Marks a column that is 0 in every row."""

_ROWS_WORTH_LOADING_NUMBA: Final = 50_000
"""Loading numba takes more than half a second; with fewer rows, numpy finishes sooner."""


def words_for(rows: int) -> int:
    """Return the number of words in a column of this many rows.

    Parameters
    ----------
    rows : int
        0 or more.

    Examples
    --------
    >>> words_for(0), words_for(64), words_for(65)
    (0, 1, 2)
    """
    return -(-rows // WORD)


def packed_columns(flags: Flags) -> NDArray[np.uint64]:
    """Pack columns of flags into words.

    Parameters
    ----------
    flags : ndarray of bool, shape (columns, n)

    Returns
    -------
    ndarray of uint64, shape (columns, words_for(n))
        Row i is bit i mod 64 of word i // 64; bits after the last row are 0.

    Examples
    --------
    >>> packed_columns(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    octets = np.zeros((len(flags), words_for(flags.shape[1]) * WORD // 8), dtype=np.uint8)
    bits = np.packbits(flags, axis=1, bitorder="little")
    octets[:, : bits.shape[1]] = bits
    # Little-endian on every machine, because the order of rows inside a word is part of the format.
    return octets.view("<u8").astype(np.uint64, copy=False)


def unpacked_columns(words: NDArray[np.uint64], n: int) -> Flags:
    """Return the flags that `packed_columns` packed, shape (columns, n).

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
    n : int
        Number of rows, at most 64 per word.
    """
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n, bitorder="little").view(np.bool_)


def columns_at(words: NDArray[np.uint64], n: int, places: Whole) -> NDArray[np.uint64]:
    """Return the columns at these positions; a full column is all ones.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Stored columns.
    n : int
        Number of rows.
    places : ndarray of int64
        Positions of the columns in `words`, or `FULL`.
    """
    columns = np.full((len(places), words_for(n)), ~np.uint64(0))
    if n % WORD:
        columns[:, -1] = (1 << n % WORD) - 1
    columns[places != FULL] = words[places[places != FULL]]
    return columns


def pays_to_compile(n: int) -> bool:
    """Return whether compiled code is installed and worth loading for this many rows.

    Parameters
    ----------
    n : int
        Number of rows.
    """
    return n >= _ROWS_WORTH_LOADING_NUMBA and find_spec("numba") is not None


def bit_columns(
    rows: NDArray[np.uint8], positions: Sequence[int], *, compiled: bool = False
) -> NDArray[np.uint64]:
    """Pack single bits of every row into columns.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
        One packed row each; the first bit is the most significant bit of the first byte.
    positions : sequence of int
        Bit for each column, 0 to 8 * bytes - 1; `NO_BIT` for none.
    compiled : bool
        Whether to use code compiled by numba, which must be installed; the result is the same.

    Returns
    -------
    ndarray of uint64, shape (number of positions, words_for(n))
        Row i is bit i mod 64 (from the least significant) of word i // 64; bits after the last row
        are 0.

    Examples
    --------
    Three rows of one byte; bit 0 is set in the first and the last:

    >>> rows = np.array([[0b1000_0000], [0b0000_0001], [0b1000_0001]], dtype=np.uint8)
    >>> [bin(column[0]) for column in bit_columns(rows, [0, NO_BIT, 7])]
    ['0b101', '0b0', '0b110']
    """
    n = len(rows)
    if compiled:
        # Imported here because numba may be missing and loads slowly.
        from mining.columns.turning_numba import turn_rows

        columns = np.empty((len(positions), words_for(n)), dtype=np.uint64)
        turn_rows(rows, np.array(positions, dtype=np.int64), columns)
        return columns
    octets = np.ascontiguousarray(rows.T)
    flags = np.zeros((len(positions), n), dtype=np.bool_)
    for column, position in enumerate(positions):
        if position != NO_BIT:
            flags[column] = octets[position // 8] >> (7 - position % 8) & 1
    return packed_columns(flags)


class RowReader:
    """Computes every column of a design from packed rows.

    Parameters
    ----------
    design : Design

    Notes
    -----
    The "asked" column of a question is its presence bit. The "answered" column of a block is 1 if all its
    questions were asked (any, for a rotating block) and it was not skipped. The item of a single choice is
    the AND of "answered" and its value bits, each plain or negated. Without "answered", option 0 could not be
    told from an empty answer, because both have all value bits 0. The item of a number or a place is set if
    it contains the sent value.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.layout = Layout(design)
        self._read = 0
        # Columns that are bits of the row come first; auxiliary bits for computing the others follow.
        positions = [NO_BIT] * design.n_columns
        item = 0
        for number, question in enumerate(design.questions):
            start, width = self.layout.value_bits(number)
            positions[design.asked_column(number)] = self.layout.presence_bit(number)
            if question.disguise is not None:
                item += question.disguise.n_declared
            elif question.is_exhaustive:
                positions += range(start, start + width)
                item += len(question.options)
            else:
                positions[item : item + width] = range(start, start + width)
                item += width
        for block in range(len(design.blocks)):
            refusal_bit = self.layout.refusal_bit(block)
            positions += [] if refusal_bit is None else [refusal_bit]
        self._positions = tuple(positions)
        self._auxiliary = {
            position: design.n_columns + index for index, position in enumerate(positions[design.n_columns :])
        }

    def columns(self, rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Return all columns of the design for these rows, including full columns."""
        design, layout = self.design, self.layout
        self._read += len(rows)
        table = bit_columns(rows, self._positions, compiled=pays_to_compile(self._read))
        words = table[: design.n_columns]
        item = 0
        for block_number, block in enumerate(design.blocks):
            refusal_bit = layout.refusal_bit(block_number)
            taking_part = None if refusal_bit is None else ~table[self._auxiliary[refusal_bit]]
            first = design.first_questions[block_number]
            asked_columns = words[design.asked_column(first) :][: len(block.questions)]
            for number, question in enumerate(block.questions, start=first):
                start, width = layout.value_bits(number)
                if question.disguise is None and not question.is_exhaustive:
                    item += width
                    continue
                answer_bits = asked_columns[number - first]
                if taking_part is not None:
                    answer_bits = answer_bits & taking_part
                if question.disguise is not None:
                    for column in _scale_columns(question.disguise, rows, start, width):
                        words[item] = column & answer_bits
                        item += 1
                    continue
                values = [table[self._auxiliary[position]] for position in range(start, start + width)]
                for option in range(len(question.options)):
                    words[item] = _option_column(option, values, answer_bits)
                    item += 1
            block_bits = (np.bitwise_or if block.is_rotating else np.bitwise_and).reduce(asked_columns)
            if taking_part is not None:
                block_bits &= taking_part
            words[design.answered_column(block_number)] = block_bits
        return words


def _scale_columns(
    disguise: Disguise, rows: NDArray[np.uint8], start: int, width: int
) -> Iterator[NDArray[np.uint64]]:
    """Yield a column for each declared item of a number or a place, looked up by the sent value."""
    n_items = disguise.n_declared
    values = sent_values(rows, start, width) if n_items else np.empty(0, dtype=np.int64)
    for item in range(n_items):
        yield packed_columns(disguise.item_values(item)[values][None])[0]


def sent_values(rows: NDArray[np.uint8], start: int, width: int) -> Whole:
    """Read an unsigned number from consecutive bits of each packed row, highest bit first.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
        Packed rows.
    start : int
        Position of the first bit, counted from 0.
    width : int
        Number of bits.

    Examples
    --------
    >>> sent_values(np.array([[0b0011_0100], [0b0010_0000]], dtype=np.uint8), 2, 4).tolist()
    [13, 8]
    """
    values = np.zeros(len(rows), dtype=np.int64)
    for bit in range(start, start + width):
        values = values << 1 | (rows[:, bit // 8] >> (7 - bit % 8) & 1)
    return values


def _option_column(
    option: int, values: list[NDArray[np.uint64]], has_answer: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the column of an option of a single choice, from the columns of its value bits."""
    column = has_answer
    for position, bit in enumerate(reversed(values)):
        column = column & (bit if option >> position & 1 else ~bit)
    return column


_ROWS_AT_A_TIME: Final = 65_536
_GROUP_BIT: Final = 0x80

Buffer: TypeAlias = bytes | bytearray | memoryview


@dataclass(frozen=True, kw_only=True, eq=False)
class Group:
    """Packed columns of the rows of one group.

    Attributes
    ----------
    words : ndarray of uint64, shape (stored columns, words_for(n))
        Row i is bit i mod 64 of word i // 64; bits after the last row are 0.
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
        Defines the meaning of each column.
    direct, protected : Group
        Undisguised rows, and rows disguised by the device. Both store the same columns.
    stored_at : ndarray of int64, shape (design.n_columns,)
        For each column of the design its position in storage, or `FULL` for a column that is 1 in every row
        of both groups. Identical columns share one position.

    Notes
    -----
    Counts are additive: for two matrices of one design, the counts of all their rows are the sums of their
    counts. One column of a million rows occupies 125 kB.
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
            The design of every row.
        buffer : bytes-like, or iterable of bytes-like
            Consecutive rows of ``Layout(design).n_bytes`` bytes. Several buffers are read one after the
            other; each contains whole rows. The rows must be valid, as accepted by ``Layout.unpack``.

        Returns
        -------
        BitMatrix

        Raises
        ------
        PrivacyError
            ``row_length``: a buffer does not contain whole rows.

        Notes
        -----
        Rows become columns 65,536 at a time; the columns of all chunks are then joined.
        """
        buffers = [buffer] if isinstance(buffer, bytes | bytearray | memoryview) else buffer
        reader = RowReader(design)
        parts = []
        for rows in _chunks(buffers, reader.layout.n_bytes):
            direct = (rows[:, 0] & _GROUP_BIT) != 0
            groups = (rows[direct], rows[~direct])
            parts.append(
                _matrix(
                    design,
                    *(
                        Group(words=reader.columns(rows_of_group), n=len(rows_of_group))
                        for rows_of_group in groups
                    ),
                )
            )
        return join_matrices(parts)

    @classmethod
    def from_booleans(
        cls,
        design: Design,
        items: Flags,
        direct: Flags,
        *,
        is_asked: Flags | None = None,
        has_answer: Flags | None = None,
    ) -> BitMatrix:
        """Pack a Boolean table, for tests and simulations.

        Parameters
        ----------
        design : Design
        items : ndarray of bool, shape (n, number of items)
        direct : ndarray of bool, shape (n,)
            Which rows belong to the direct group.
        is_asked : ndarray of bool, shape (n, number of questions), optional
            By default, everyone was asked everything.
        has_answer : ndarray of bool, shape (n, number of blocks), optional
            By default, everyone who was asked all questions of a block (any question of a rotating one)
            answered it.

        Raises
        ------
        PrivacyError
            ``table_shape``: a table whose shape does not match the design and the other tables.

        Examples
        --------
        >>> from privacy.survey.design import Block, GroupPolicy, Question
        >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
        >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
        ...     questions=(ask,)),), group=GroupPolicy(), use="live")
        >>> matrix = BitMatrix.from_booleans(design, np.array([[True], [False], [True]]), np.zeros(3, bool))
        >>> matrix.n, bin(matrix.protected.words[0, 0]), sorted(matrix.full)
        (3, '0b101', [1, 2])
        """
        direct = np.asarray(direct, dtype=bool)
        n = len(direct)
        if is_asked is None:
            is_asked = np.ones((n, len(design.questions)), dtype=bool)
        if has_answer is None:
            first = np.array(design.first_questions)
            rotating = np.array([block.is_rotating for block in design.blocks])
            has_answer = np.where(
                rotating,
                np.logical_or.reduceat(is_asked, first, axis=1),
                np.logical_and.reduceat(is_asked, first, axis=1),
            )
        tables = (("items", items, len(design.items)), ("asked", is_asked, len(design.questions)))
        for name, table, width in (*tables, ("answered", has_answer, len(design.blocks))):
            if table.shape != (n, width):
                raise PrivacyError("table_shape", table.shape, name=name, wanted=(n, width))
        table = np.concatenate([items, is_asked, has_answer], axis=1)
        return _matrix(design, _pack_group(table[direct]), _pack_group(table[~direct]))


def _matrix(design: Design, direct: Group, protected: Group) -> BitMatrix:
    """Store every column once; leave out full ones and repeated "asked" and "answered" columns."""
    ones = sum(np.bitwise_count(group.words).sum(axis=1, dtype=np.int64) for group in (direct, protected))
    stored_at = np.full(design.n_columns, FULL, dtype=np.int64)
    places: dict[bytes, int] = {}
    columns: list[int] = []
    for column in np.flatnonzero(ones < direct.n + protected.n).tolist():
        position = len(columns)
        if column >= len(design.items):
            # A block that does not rotate is asked as a whole, so its "asked" columns are identical.
            bits = direct.words[column].tobytes() + protected.words[column].tobytes()
            position = places.setdefault(bits, position)
        if position == len(columns):
            columns.append(column)
        stored_at[column] = position
    return BitMatrix(
        design=design,
        direct=replace(direct, words=direct.words[columns]),
        protected=replace(protected, words=protected.words[columns]),
        stored_at=stored_at,
    )


def join_matrices(parts: Sequence[BitMatrix]) -> BitMatrix:
    """Return one matrix of the rows of all parts, in their order.

    Parameters
    ----------
    parts : sequence of BitMatrix
        At least one, all of one design.

    Returns
    -------
    BitMatrix
        The same as `BitMatrix.from_rows` of all rows, except for the order of stored columns.

    Raises
    ------
    PrivacyError
        ``other_design``: the parts have different designs.

    Notes
    -----
    A part of n rows has n mod 64 rows in its last word, so each word of the next part is split across two
    words.
    """
    design = parts[0].design
    for part in parts:
        if part.design != design:
            raise PrivacyError(
                "other_design.joined",
                part.design.design_id,
                design_id=part.design.design_id[:12],
                other=design.design_id[:12],
            )
    if len(parts) == 1:
        return parts[0]
    columns, stored_at = stored_together([part.stored_at for part in parts])
    return BitMatrix(
        design=design,
        direct=_group([part.direct for part in parts], columns),
        protected=_group([part.protected for part in parts], columns),
        stored_at=stored_at,
    )


def stored_together(parts: Sequence[Whole]) -> tuple[Whole, Whole]:
    """Find the stored columns for the rows of all parts, and their positions.

    Parameters
    ----------
    parts : sequence of ndarray of int64, shape (n_columns,)
        `BitMatrix.stored_at` of each part.

    Returns
    -------
    places : ndarray of int64, shape (parts, stored columns)
        For each column that the joined matrix stores, its position in each part.
    stored_at : ndarray of int64, shape (n_columns,)
        Positions in the joined matrix. Columns share a position, or are full, only if they do so in every
        part.

    Examples
    --------
    >>> places, stored_at = stored_together([np.array([0, 1, 1, -1]), np.array([0, 1, -1, -1])])
    >>> stored_at.tolist(), places.tolist()
    ([0, 2, 1, -1], [[0, 1, 1], [0, -1, 1]])
    """
    places, column = np.unique(np.stack(parts), axis=1, return_inverse=True)
    full = (places == FULL).all(axis=0)
    number = np.where(full, FULL, np.cumsum(~full) - 1)
    return places[:, ~full], number[column.ravel()]


def _group(groups: Sequence[Group], places: Whole) -> Group:
    n = sum(group.n for group in groups)
    # `_append` may shift bits of the last part into one extra word.
    words = np.zeros((places.shape[1], words_for(n) + 1), dtype=np.uint64)
    start = 0
    for group, positions in zip(groups, places, strict=True):
        _append(words, start, columns_at(group.words, group.n, positions))
        start += group.n
    return Group(words=np.ascontiguousarray(words[:, :-1]), n=n)


def _append(words: NDArray[np.uint64], start: int, columns: NDArray[np.uint64]) -> None:
    first, shift = divmod(start, WORD)
    last = first + columns.shape[1]
    words[:, first:last] |= columns << np.uint64(shift)
    if shift:
        words[:, first + 1 : last + 1] |= columns >> np.uint64(WORD - shift)


def _chunks(buffers: Iterable[Buffer], n_bytes: int) -> Iterator[NDArray[np.uint8]]:
    """Yield at least one chunk of similar size: a batch may have fifty rows or a million."""
    waiting: list[NDArray[np.uint8]] = []
    n, has_yielded = 0, False
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
                waiting, n, has_yielded = [], 0, True
    if waiting or not has_yielded:
        yield np.concatenate([*waiting, np.empty((0, n_bytes), dtype=np.uint8)])


def _pack_group(table: Flags) -> Group:
    return Group(words=packed_columns(table.T), n=len(table))
