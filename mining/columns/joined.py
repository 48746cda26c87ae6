"""Concatenation of bit columns, without going back to the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.transposition import FULL, WORD, columns_at, words_for
from privacy.arrays import Whole
from privacy.errors import PrivacyError

__all__ = ["joined", "stored_together"]


def joined(parts: Sequence[BitMatrix]) -> BitMatrix:
    """Return one matrix of the rows of all parts, in their order.

    Parameters
    ----------
    parts : sequence of BitMatrix
        At least one, all of one design.

    Returns
    -------
    BitMatrix
        The same as `BitMatrix.from_rows` makes of the rows, but for the order of stored columns.

    Raises
    ------
    PrivacyError
        ``other_design``: the parts are of different designs.

    Notes
    -----
    A part of n rows leaves n mod 64 rows in its last word, so the words of the next part are cut in two,
    each half going to its side of a word's edge.
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
    """Find which columns the rows of all parts store, and where.

    Parameters
    ----------
    parts : sequence of ndarray of int64, shape (n_columns,)
        `BitMatrix.stored_at` of each part.

    Returns
    -------
    places : ndarray of int64, shape (parts, stored columns)
        Where each part has each column that is stored in the whole.
    stored_at : ndarray of int64, shape (n_columns,)
        Of the whole: columns are equal, or full, where they are so in every part.

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
    # One word more, for the half that the last part may push over the edge.
    words = np.zeros((places.shape[1], words_for(n) + 1), dtype=np.uint64)
    start = 0
    for group, stored in zip(groups, places, strict=True):
        _append(words, start, columns_at(group.words, group.n, stored))
        start += group.n
    return Group(words=np.ascontiguousarray(words[:, :-1]), n=n)


def _append(words: NDArray[np.uint64], start: int, columns: NDArray[np.uint64]) -> None:
    first, shift = divmod(start, WORD)
    last = first + columns.shape[1]
    words[:, first:last] |= columns << np.uint64(shift)
    if shift:
        words[:, first + 1 : last + 1] |= columns >> np.uint64(WORD - shift)
