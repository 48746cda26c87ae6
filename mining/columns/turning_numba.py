"""Turn rows into bit columns with code compiled by numba."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic
from numpy.typing import NDArray

from mining.columns.counting_numba import LINE, types
from privacy.arrays import Whole
from privacy.compilation import compile_function

_ROWS_OF_WORD: Final = 64
_WORDS_AT_A_TIME: Final = LINE // 8
"""Words of each column per step, so that each cache line is written once instead of eight times."""


def turn_rows(rows: NDArray[np.uint8], positions: Whole, columns: NDArray[np.uint64]) -> None:
    """Fill columns with bits of rows, as `mining.columns.bitmatrix.bit_columns` does.

    Parameters
    ----------
    rows : ndarray of uint8, shape (n, bytes)
    positions : ndarray of int64, shape (m,)
        Bit position of each column; negative for a column of zeros.
    columns : ndarray of uint64, shape (m, ceil(n / 64))
        Receives the result.

    Notes
    -----
    First, the bytes of 512 rows are transposed in the first-level cache (8 kB for rows of sixteen bytes).
    Then one vector contains the same byte of 64 rows, and one comparison tests a bit in each; its result is a
    word of the column.

    Examples
    --------
    >>> columns = np.empty((2, 1), dtype=np.uint64)
    >>> turn_rows(np.array([[0x80], [0x01], [0x81]], dtype=np.uint8), np.array([0, 7]), columns)
    >>> [bin(word) for word in columns[:, 0]]
    ['0b101', '0b110']
    """
    block = np.zeros((rows.shape[1], _WORDS_AT_A_TIME * _ROWS_OF_WORD), dtype=np.uint8)
    _turn(np.ascontiguousarray(rows), positions, columns, block)


def _compile_word_of_bytes(typing: Any, block: Any, byte: Any, start: Any, mask: Any) -> Any:
    """Generate code for a word whose bits show which of 64 bytes from `start` match the mask."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        octet, vector = ir.IntType(8), ir.VectorType(ir.IntType(8), _ROWS_OF_WORD)
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(table.shape, 1)
        address = builder.add(builder.mul(arguments[1], width), arguments[2])
        pointer = builder.bitcast(builder.gep(table.data, [address]), vector.as_pointer())
        mask = builder.insert_element(
            ir.Constant(vector, ir.Undefined),
            builder.trunc(arguments[3], octet),
            ir.Constant(ir.IntType(32), 0),
        )
        nowhere = ir.Constant(ir.VectorType(ir.IntType(32), _ROWS_OF_WORD), [0] * _ROWS_OF_WORD)
        mask = builder.shuffle_vector(mask, ir.Constant(vector, ir.Undefined), nowhere)
        having = builder.and_(builder.load(pointer, align=1), mask)
        set_bits = builder.icmp_unsigned("!=", having, ir.Constant(vector, [0] * _ROWS_OF_WORD))
        return builder.bitcast(set_bits, ir.IntType(64))

    return types.uint64(block, types.int64, types.int64, types.int64), code


_word_of_bytes: Any = intrinsic(_compile_word_of_bytes)


def _fill_columns(rows: Any, positions: Any, columns: Any, block: Any) -> None:
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


_turn = compile_function(_fill_columns)
