"""Counting with code compiled by numba: AND and population count on vector registers.

This module needs numba, so `mining.columns.counting` imports it only if numba is installed.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba import types as _types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from privacy.array_cache import ArrayCache
from privacy.arrays import Whole
from privacy.compilation import compile_function

VERSION: Final[str] = numba.__version__

_BLOCK: Final = 256
"""Words of a column per block, 2 kB. Sixty columns then fit in the second-level cache, and a prefix with four
columns in the first-level cache."""

# numba declares itself typed, but these modules have no annotations.
cgutils: Any = _cgutils
types: Any = _types

_ORDERS: Final = ArrayCache[tuple[Whole, ...]](8)

LINE: Final = 64
"""Bytes of a cache line and of the widest vector register; a load across two lines costs double."""


def count_rows(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count rows; parameters and result as in `mining.columns.counting_numpy.count_rows`.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns.
    candidates : ndarray of int64, shape (m, width)
        Columns of each set; fastest if neighbouring rows share a prefix.

    Notes
    -----
    The columns that occur are copied block by block to memory that starts at a cache line. In each block, the
    AND of a prefix without its last column is cached for every depth, and recomputed only from the first
    column that differs from the previous candidate. Eight candidates with one prefix are counted together:
    the prefix is loaded once, and the eight sums are independent.
    """
    m, size = candidates.shape
    counts = np.zeros(m, dtype=np.int64)
    if m == 0 or words.shape[1] == 0:
        return counts
    columns, heads, last, groups, depth = _ORDERS.of(
        candidates, lambda: _order(candidates, len(words)), settings=len(words)
    )
    # With few rows, a narrower block wastes less work on padding.
    width = min(_BLOCK, -(-words.shape[1] * 8 // LINE) * LINE // 8)
    prefix = _lines(max(1, size - 1), width)
    # The prefix of a single column is empty, and every row matches it.
    prefix[0] = ~np.uint64(0)
    _count(words, columns, heads, last, groups, depth, counts, _lines(len(columns), width), prefix)
    return counts


def _order(candidates: Whole, n_columns: int) -> tuple[Whole, ...]:
    """Prepare the candidates for counting.

    Return the columns that occur; each distinct prefix and each last column, as positions among these
    columns; the first candidate of each prefix; and the depth at which each prefix differs from the one
    before. Each block of rows reads these arrays again. With many candidates, only the last columns stay in
    the cache.
    """
    m, size = candidates.shape
    occurs = np.zeros(n_columns, dtype=bool)
    occurs[candidates] = True
    local = (np.cumsum(occurs) - 1)[candidates]
    changed = np.ones((m, size), dtype=bool)
    np.not_equal(candidates[1:], candidates[:-1], out=changed[1:])
    # One column at a time, because reducing rows of two or three cells takes longer than the counting.
    begins = np.zeros(m, dtype=bool)
    begins[0] = True
    for column in range(size - 1):
        begins |= changed[:, column]
    groups = np.append(np.flatnonzero(begins), m)
    heads, last = local[groups[:-1], :-1], np.ascontiguousarray(local[:, -1])
    return np.flatnonzero(occurs), heads, last, groups, changed[groups[:-1]].argmax(axis=1)


def _lines(rows: int, width: int) -> NDArray[np.uint64]:
    """Allocate blocks, each starting at a cache line."""
    block = np.empty(rows * width + LINE // 8, dtype=np.uint64)
    start = -block.ctypes.data % LINE // 8
    return block[start : start + rows * width].reshape(rows, width)


def _compile_ones_of_and(typing: Any, common: Any, block: Any, places: Any) -> Any:
    """Generate code that counts the ones in the AND of `common` with each row of a block at `places`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        line = ir.VectorType(word, LINE // 8)
        function = partial(cgutils.get_or_insert_function, builder.module)
        ones_of_words = function(ir.FunctionType(line, [line]), f"llvm.ctpop.v{LINE // 8}i64")
        total = function(ir.FunctionType(word, [line]), f"llvm.vector.reduce.add.v{LINE // 8}i64")
        table = context.make_array(block)(context, builder, arguments[1])
        always = [
            context.make_array(common.dtype)(context, builder, row)
            for row in cgutils.unpack_tuple(builder, arguments[0], common.count)
        ]
        width = builder.extract_value(table.shape, 1)
        rows = [
            builder.gep(table.data, [builder.mul(address, width)])
            for address in cgutils.unpack_tuple(builder, arguments[2], places.count)
        ]
        sums = [cgutils.alloca_once_value(builder, ir.Constant(line, [0] * (LINE // 8))) for _ in rows]
        step = ir.Constant(width.type, LINE // 8)
        with cgutils.for_range_slice(builder, width.type(0), width, step, width.type) as (word_index, _):

            def words_of(row: Any) -> Any:
                pointer = builder.bitcast(builder.gep(row, [word_index]), line.as_pointer())
                return builder.load(pointer, align=8)

            always_words = reduce(builder.and_, [words_of(row.data) for row in always])
            for row, ones in zip(rows, sums, strict=True):
                both = builder.call(ones_of_words, [builder.and_(always_words, words_of(row))])
                builder.store(builder.add(builder.load(ones), both), ones)
        whole = [builder.call(total, [builder.load(ones)]) for ones in sums]
        return context.make_tuple(builder, signature.return_type, whole)

    return types.UniTuple(types.uint64, places.count)(common, block, places), code


_ones_of_and: Any = intrinsic(_compile_ones_of_and)
"""Uses the widest vector registers explicitly, because LLVM by default uses only half of each on processors
that it considers older. Rows must be whole cache lines."""


def _add_counts(
    words: Any,
    columns: Any,
    heads: Any,
    last: Any,
    groups: Any,
    depth: Any,
    counts: Any,
    block: Any,
    prefix: Any,
) -> None:
    """Add to `counts`. `groups` has the first candidate of each prefix, `depth` its first changed column."""
    size = heads.shape[1] + 1
    for start in range(0, words.shape[1], block.shape[1]):
        n = min(block.shape[1], words.shape[1] - start)
        for position in range(len(columns)):
            column = words[columns[position]]
            for word in range(n):
                block[position, word] = column[start + word]
            for word in range(n, block.shape[1]):
                block[position, word] = 0
        for group in range(len(groups) - 1):
            candidate, end = groups[group], groups[group + 1]
            # The AND of the whole prefix is computed during the counting, because no other prefix needs it.
            for level in range(max(1, depth[group]), size - 2):
                new, longer = block[heads[group, level]], prefix[level]
                shorter = block[heads[group, 0]] if level == 1 else prefix[level - 1]
                for word in range(block.shape[1]):
                    longer[word] = shorter[word] & new[word]
            if size == 1:
                both = (prefix[0], prefix[0])
            else:
                first = block[heads[group, 0]] if size < 4 else prefix[size - 3]
                both = (first, block[heads[group, size - 2]])
            while candidate + 8 <= end:
                eight = _ones_of_and(
                    both,
                    block,
                    (
                        last[candidate],
                        last[candidate + 1],
                        last[candidate + 2],
                        last[candidate + 3],
                        last[candidate + 4],
                        last[candidate + 5],
                        last[candidate + 6],
                        last[candidate + 7],
                    ),
                )
                for position in range(8):
                    counts[candidate + position] += eight[position]
                candidate += 8
            if candidate + 4 <= end:
                four = _ones_of_and(
                    both,
                    block,
                    (last[candidate], last[candidate + 1], last[candidate + 2], last[candidate + 3]),
                )
                for position in range(4):
                    counts[candidate + position] += four[position]
                candidate += 4
            if candidate + 2 <= end:
                two = _ones_of_and(both, block, (last[candidate], last[candidate + 1]))
                counts[candidate] += two[0]
                counts[candidate + 1] += two[1]
                candidate += 2
            if candidate < end:
                counts[candidate] += _ones_of_and(both, block, (last[candidate],))[0]


_count = compile_function(_add_counts)
