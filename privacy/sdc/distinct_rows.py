"""Number the distinct rows of columns of codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privacy.arrays import Codes, Whole


def distinct_rows(codes: Sequence[npt.NDArray[np.integer]] | Codes) -> tuple[Whole, Whole]:
    """Number distinct rows in lexicographic order; return (first occurrences, number of each row).

    Parameters
    ----------
    codes : sequence of int arrays of shape (n,), or one of shape (n, columns)

    Notes
    -----
    Columns are folded into one integer key, which is renumbered whenever the next column would overflow it.

    Examples
    --------
    >>> first, number = distinct_rows([np.array([1, 0, 1]), np.array([2, 2, 2])])
    >>> first.tolist(), number.tolist()
    ([1, 0], [1, 0, 1])
    """
    columns = list(codes.T) if isinstance(codes, np.ndarray) else list(codes)
    key = np.zeros(len(columns[0]), dtype=np.int64)
    size = 1
    for column in columns:
        width = int(column.max()) + 1 if len(column) else 1
        if size > 2**62 // width:
            _, key = np.unique(key, return_inverse=True)
            size = int(key.max()) + 1
        key = key * width + column
        size *= width
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), number.astype(np.int64)
