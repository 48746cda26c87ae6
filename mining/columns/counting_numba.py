"""Counting with code compiled by numba: AND and population count on vector registers.

Importing this module needs numba; `mining.columns.counting` does so only where it is installed.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mining.columns.remembered import Remembered

__all__ = ["LINE", "VERSION", "compiled", "count_rows", "ones"]

VERSION: Final[str] = numba.__version__

_BLOCK: Final = 192
"""Words of a column that are worked on at a time, 1.5 kB: 60 columns of it stay in the second-level cache,
a prefix and four more in the first."""

_ORDERS: Final = Remembered[tuple[NDArray[np.int64], ...]](8)

LINE: Final = 64
"""Bytes of a cache line, and of the widest vector register: loads that cross a line cost double."""


def count_rows(words: NDArray[np.uint64], candidates: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count rows; parameters and result as in `mining.columns.counting_numpy.count_rows`.

    Notes
    -----
    The columns that occur are copied block by block to a place that begins at a cache line. In each block the
    AND of a prefix is kept for every depth, and computed again only from the first column that changed since
    the candidate before. Four candidates with one prefix are counted together: the prefix is loaded once for
    all of them, and the four sums do not wait for each other.
    """
    m, size = candidates.shape
    counts = np.zeros(m, dtype=np.int64)
    if m == 0 or words.shape[1] == 0:
        return counts
    used, local, groups, depth = _ORDERS.of(
        candidates, lambda: _order(candidates, len(words)), beside=len(words)
    )
    # Few rows fill no block; a narrower one leaves less behind them to be counted in vain.
    width = min(_BLOCK, -(-words.shape[1] * 8 // LINE) * LINE // 8)
    prefix = _lines(max(1, size - 1), width)
    # Of a single column the prefix is empty, and every row has all of its columns.
    prefix[0] = ~np.uint64(0)
    _count(words, used, local, groups, depth, counts, _lines(len(used), width), prefix)
    return counts


def _order(candidates: NDArray[np.int64], n_columns: int) -> tuple[NDArray[np.int64], ...]:
    """Columns that occur, candidates in their places, first candidates of prefixes and where they change."""
    m, size = candidates.shape
    occurs = np.zeros(n_columns, dtype=bool)
    occurs[candidates] = True
    local = (np.cumsum(occurs) - 1)[candidates]
    changed = np.ones((m, size), dtype=bool)
    np.not_equal(candidates[1:], candidates[:-1], out=changed[1:])
    # Column by column: reducing rows of two or three cells one by one takes longer than the counting.
    begins = np.zeros(m, dtype=bool)
    begins[0] = True
    for column in range(size - 1):
        begins |= changed[:, column]
    groups = np.append(np.flatnonzero(begins), m)
    return np.flatnonzero(occurs), local, groups, changed[groups[:-1]].argmax(axis=1)


def _lines(rows: int, width: int) -> NDArray[np.uint64]:
    """Make room for blocks, each of them beginning at a cache line."""
    room = np.empty(rows * width + LINE // 8, dtype=np.uint64)
    start = -room.ctypes.data % LINE // 8
    return room[start : start + rows * width].reshape(rows, width)


def _ones_law(typing: Any, word: Any) -> Any:
    """Number of ones of a word: LLVM's ctpop, which it turns into vector instructions."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), code


ones: Any = intrinsic(_ones_law)


def _count_law(
    words: Any, used: Any, candidates: Any, groups: Any, depth: Any, counts: Any, block: Any, prefix: Any
) -> None:
    """Add to `counts`; `groups` are the first candidates of each prefix, `depth` its first changed column."""
    size = candidates.shape[1]
    for start in range(0, words.shape[1], block.shape[1]):
        n = min(block.shape[1], words.shape[1] - start)
        for place in range(len(used)):
            column = words[used[place]]
            for word in range(n):
                block[place, word] = column[start + word]
            for word in range(n, block.shape[1]):
                block[place, word] = 0
        for group in range(len(groups) - 1):
            one, end = groups[group], groups[group + 1]
            for level in range(depth[group], size - 1):
                new, longer = block[candidates[one, level]], prefix[level]
                if level == 0:
                    for word in range(block.shape[1]):
                        longer[word] = new[word]
                else:
                    shorter = prefix[level - 1]
                    for word in range(block.shape[1]):
                        longer[word] = shorter[word] & new[word]
            both = prefix[max(0, size - 2)]
            while one + 4 <= end:
                column0 = block[candidates[one, size - 1]]
                column1 = block[candidates[one + 1, size - 1]]
                column2 = block[candidates[one + 2, size - 1]]
                column3 = block[candidates[one + 3, size - 1]]
                sum0 = sum1 = sum2 = sum3 = np.uint64(0)
                for word in range(block.shape[1]):
                    common = both[word]
                    sum0 += ones(common & column0[word])
                    sum1 += ones(common & column1[word])
                    sum2 += ones(common & column2[word])
                    sum3 += ones(common & column3[word])
                counts[one] += sum0
                counts[one + 1] += sum1
                counts[one + 2] += sum2
                counts[one + 3] += sum3
                one += 4
            if one + 2 <= end:
                column0 = block[candidates[one, size - 1]]
                column1 = block[candidates[one + 1, size - 1]]
                sum0 = sum1 = np.uint64(0)
                for word in range(block.shape[1]):
                    common = both[word]
                    sum0 += ones(common & column0[word])
                    sum1 += ones(common & column1[word])
                counts[one] += sum0
                counts[one + 1] += sum1
                one += 2
            if one < end:
                column = block[candidates[one, size - 1]]
                sum0 = np.uint64(0)
                for word in range(block.shape[1]):
                    sum0 += ones(both[word] & column[word])
                counts[one] += sum0


def compiled(law: Any) -> Any:
    """Compile, without the interpreter's lock, for arrays only; kept on disk where there is room for it."""
    try:
        return njit(nogil=True, cache=True)(law)
    except RuntimeError:
        # No directory to keep compiled code in: every process compiles for itself, a second or two.
        return njit(nogil=True)(law)


_count = compiled(_count_law)
