"""Rows of packed bits turned into columns of packed bits, without unpacking a single one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Flags, Whole

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
"""Stands for a column that is 1 in every row: it is not stored, and nobody has to AND it."""

NO_BIT: Final = -1
"""Stands for a column that is left 0 in every row."""

_ROWS_WORTH_LOADING_NUMBA: Final = 50_000
"""Loading numba takes more than half a second; with fewer rows numpy has finished by then."""

_ONE_OF_EACH_ROW = np.uint64(0x0101_0101_0101_0101)
_GATHER = np.uint64(0x0102_0408_1020_4080)
_TOP_BYTE = np.uint64(56)

_AT_ONCE: Final = 1 << 18
"""Bytes that are turned at a time: they stay in the second-level cache."""


def words_for(rows: int) -> int:
    """Words that a column of so many rows takes.

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
        Row i is bit i mod 64 of word i // 64; bits behind the last row are 0.

    Examples
    --------
    >>> packed_columns(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    octets = np.zeros((len(flags), words_for(flags.shape[1]) * WORD // 8), dtype=np.uint8)
    bits = np.packbits(flags, axis=1, bitorder="little")
    octets[:, : bits.shape[1]] = bits
    # Little-endian on every machine: the order of rows inside a word is part of the format.
    return octets.view("<u8").astype(np.uint64, copy=False)


def unpacked_columns(words: NDArray[np.uint64], n: int) -> Flags:
    """Return the flags that `packed_columns` packed, shape (columns, n).

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
    n : int
        Rows, 64 a word at most.
    """
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n, bitorder="little").view(np.bool_)


def columns_at(words: NDArray[np.uint64], n: int, stored: Whole) -> NDArray[np.uint64]:
    """Return the columns at these places; ones for a column that is full.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Bits of rows.
    n : int
        Rows.
    stored : ndarray of int64
        Places of the wanted columns among those that are stored.
    """
    columns = np.full((len(stored), words_for(n)), ~np.uint64(0))
    if n % WORD:
        columns[:, -1] = (1 << n % WORD) - 1
    columns[stored != FULL] = words[stored[stored != FULL]]
    return columns


def pays_to_compile(n: int) -> bool:
    """Whether compiled code for so many rows is worth loading, and there.

    Parameters
    ----------
    n : int
        Rows.
    """
    return n >= _ROWS_WORTH_LOADING_NUMBA and find_spec("numba") is not None


def bit_columns(
    rows: NDArray[np.uint8], positions: Sequence[int], *, compiled: bool = False
) -> NDArray[np.uint64]:
    """Take single bits of every row and pack each of them into a column.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
        One packed row each, the first bit being the most significant of the first byte.
    positions : sequence of int
        Which bit each column holds, 0 to 8 * bytes - 1; `NO_BIT` for none.
    compiled : bool
        Whether code compiled by numba does it, which has to be installed; the columns are the same.

    Returns
    -------
    ndarray of uint64, shape (number of positions, words_for(n))
        Row i is bit i mod 64 (from the least significant) of word i // 64; bits behind the last row
        are 0.

    Notes
    -----
    Eight rows at a time. Let x hold one byte of eight rows, row r in bits 8r to 8r + 7. The wanted bit
    of every row, moved to the lowest place of its byte, is y = (x >> s) & 0x0101010101010101, a sum of
    2^(8r). Times sum over j = 1..8 of 2^(7j) this has, in its top byte, exactly the terms
    j = 8 - r: 2^(8r + 56 - 7r) = 2^(56 + r), the eight bits side by side in the order of the rows. No two
    terms fall on the same place (8(r - r') = 7(j' - j) needs a difference of 8 in j), so nothing is carried.

    Examples
    --------
    Three rows of one byte; bit 0 is set in the first and the last:

    >>> rows = np.array([[0b1000_0000], [0b0000_0001], [0b1000_0001]], dtype=np.uint8)
    >>> [bin(column[0]) for column in bit_columns(rows, [0, NO_BIT, 7])]
    ['0b101', '0b0', '0b110']
    """
    n = len(rows)
    if compiled:
        # Imported where it is used: numba may be absent, and takes a while to load.
        from mining.columns.counting_numba import turn_rows

        columns = np.empty((len(positions), words_for(n)), dtype=np.uint64)
        turn_rows(rows, np.array(positions, dtype=np.int64), columns)
        return columns
    columns = np.zeros((len(positions), words_for(n)), dtype=np.uint64)
    wanted: dict[int, dict[int, list[int]]] = {}
    for index, position in enumerate(positions):
        if position != NO_BIT:
            wanted.setdefault(position // 8, {}).setdefault(position % 8, []).append(index)
    # Several bytes of each row together: the fewer rows the more, or the calls take longer than the work.
    many = max(1, _AT_ONCE // (words_for(n) * WORD + 1))
    for some in batched(sorted(wanted), many):
        padded = np.zeros((len(some), words_for(n) * WORD), dtype=np.uint8)
        padded[:, :n] = rows[:, list(some)].T
        # Little-endian on every machine: the order of rows inside a word is part of the format.
        eight_rows = padded.view("<u8").astype(np.uint64, copy=False)
        for bit in sorted({bit for byte in some for bit in wanted[byte]}):
            lowest = (eight_rows >> np.uint64(7 - bit)) & _ONE_OF_EACH_ROW
            packed = ((lowest * _GATHER) >> _TOP_BYTE).astype(np.uint8)
            words = packed.view("<u8").astype(np.uint64, copy=False)
            for byte, column in zip(some, words, strict=True):
                for index in wanted[byte].get(bit, ()):
                    columns[index] = column
    return columns


def batched(values: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the values in chunks."""
    rest = iter(values)
    while some := tuple(islice(rest, size)):
        yield some
