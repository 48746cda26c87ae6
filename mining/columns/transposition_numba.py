"""Rows of packed bits turned into columns by code compiled by numba: one comparison gives a word of a column.

Importing this module needs numba; `mining.columns.transposition` does so only where it is installed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types as _types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mining.columns.counting_numba import LINE
from privacy.arrays import Whole
from privacy.compiled import compiled

__all__ = ["turn_rows"]

_ROWS_OF_WORD: Final = 64

_WORDS_AT_A_TIME: Final = LINE // 8
"""Words of each column that are made together: a cache line is written once, not eight times."""

# It comes without annotations, beside what says that numba has some.
types: Any = _types


def turn_rows(rows: NDArray[np.uint8], positions: Whole, columns: NDArray[np.uint64]) -> None:
    """Fill columns; meaning as in `mining.columns.transposition.bit_columns`.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
    positions : ndarray of int64, shape (m,)
        Positions of the bit of each column; a column of a negative one is filled with 0.
    columns : ndarray of uint64, shape (m, ceil(n / 64))
        Written to.

    Notes
    -----
    The bytes of 512 rows are put side by side first, 8 kB of a row of sixteen, in the first-level cache. Of
    64 rows one vector then holds the same byte, and whether a bit of each is set is one comparison, whose
    result is a word of the column.

    Examples
    --------
    >>> columns = np.empty((2, 1), dtype=np.uint64)
    >>> turn_rows(np.array([[0x80], [0x01], [0x81]], dtype=np.uint8), np.array([0, 7]), columns)
    >>> [bin(word) for word in columns[:, 0]]
    ['0b101', '0b110']
    """
    block = np.zeros((rows.shape[1], _WORDS_AT_A_TIME * _ROWS_OF_WORD), dtype=np.uint8)
    _turn(np.ascontiguousarray(rows), positions, columns, block)


def _word_of_bytes_law(typing: Any, block: Any, byte: Any, start: Any, mask: Any) -> Any:
    """Which of 64 bytes of a row of a block, from `start` on, have a bit of the mask: the first is lowest."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        octet, vector = ir.IntType(8), ir.VectorType(ir.IntType(8), _ROWS_OF_WORD)
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(table.shape, 1)
        address = builder.add(builder.mul(arguments[1], width), arguments[2])
        pointer = builder.bitcast(builder.gep(table.data, [address]), vector.as_pointer())
        wanted = builder.insert_element(
            ir.Constant(vector, ir.Undefined),
            builder.trunc(arguments[3], octet),
            ir.Constant(ir.IntType(32), 0),
        )
        nowhere = ir.Constant(ir.VectorType(ir.IntType(32), _ROWS_OF_WORD), [0] * _ROWS_OF_WORD)
        wanted = builder.shuffle_vector(wanted, ir.Constant(vector, ir.Undefined), nowhere)
        having = builder.and_(builder.load(pointer, align=1), wanted)
        set_bits = builder.icmp_unsigned("!=", having, ir.Constant(vector, [0] * _ROWS_OF_WORD))
        return builder.bitcast(set_bits, ir.IntType(64))

    return types.uint64(block, types.int64, types.int64, types.int64), code


_word_of_bytes: Any = intrinsic(_word_of_bytes_law)


def _turn_law(rows: Any, positions: Any, columns: Any, block: Any) -> None:
    n, width = rows.shape
    for first in range(0, columns.shape[1], _WORDS_AT_A_TIME):
        words = min(_WORDS_AT_A_TIME, columns.shape[1] - first)
        start = first * _ROWS_OF_WORD
        many = min(words * _ROWS_OF_WORD, n - start)
        for row in range(many):
            for byte in range(width):
                block[byte, row] = rows[start + row, byte]
        for byte in range(width):
            for row in range(many, words * _ROWS_OF_WORD):
                block[byte, row] = 0
        for index in range(len(positions)):
            position = positions[index]
            if position < 0:
                for word in range(words):
                    columns[index, first + word] = 0
                continue
            byte, mask = position >> 3, 128 >> (position & 7)
            for word in range(words):
                columns[index, first + word] = _word_of_bytes(block, byte, word * _ROWS_OF_WORD, mask)


_turn = compiled(_turn_law)
