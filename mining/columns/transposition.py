"""Rows of packed bits turned into columns of packed bits, and back."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
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
    octets = np.ascontiguousarray(rows.T)
    flags = np.zeros((len(positions), n), dtype=np.bool_)
    for column, position in enumerate(positions):
        if position != NO_BIT:
            flags[column] = octets[position // 8] >> (7 - position % 8) & 1
    return packed_columns(flags)
