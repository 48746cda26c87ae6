"""Bit columns of rows, each built when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import FULL, BitMatrix, Group, columns_at
from privacy.arrays import Whole
from privacy.survey.design import Design


def uncounted_columns(
    design: Design, n: tuple[int, int], stored_at: Whole, make: Callable[[], BitMatrix]
) -> BitMatrix:
    """Return a matrix of rows whose columns are built on first use.

    Parameters
    ----------
    design : Design
    n : (int, int)
        Rows of the direct and of the protected group.
    stored_at : ndarray of int64, shape (design.n_columns,)
        As in `BitMatrix`; the built columns may be stored in another order.
    make : callable
        Builds the columns of these rows; called once.
    """
    matrices: list[BitMatrix] = []
    places, column = np.unique(stored_at, return_index=True)
    columns = column[places != FULL]

    def words(direct: bool) -> NDArray[np.uint64]:
        if not matrices:
            matrices.append(make())
        matrix = matrices[0]
        group, positions = matrix.direct if direct else matrix.protected, matrix.stored_at[columns]
        if np.array_equal(positions, np.arange(len(group.words))):
            return group.words
        return columns_at(group.words, group.n, positions)

    direct, protected = (
        _Group(rows, partial(words, which)) for rows, which in zip(n, (True, False), strict=True)
    )
    return BitMatrix(design=design, direct=direct, protected=protected, stored_at=stored_at)


class _Group(Group):
    """Columns that are built when first needed."""

    def __init__(self, n: int, make: Callable[[], NDArray[np.uint64]]) -> None:
        self.__dict__.update(n=n, _make=make)

    @cached_property
    def words(self) -> NDArray[np.uint64]:  # overrides the dataclass field
        """Packed columns."""
        make: Any = self.__dict__["_make"]
        return make()  # type: ignore[no-any-return]  # stored untyped in __dict__
