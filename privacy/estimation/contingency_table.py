"""Rows by what they show of an itemset, or of a pair of itemsets: counts and scores of every cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.shapes import FIRST, SECOND, Shape

__all__ = ["ContingencyTables"]

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ContingencyTables:
    """Counts and matches by cell, for `R` itemsets or pairs of one shape.

    The events, along the first axis of what has one, are the itemset alone, or the union, the first and the
    second itemset of a pair.

    Parameters
    ----------
    positions : int array, shape (R,)
        Which of the given itemsets or pairs these are.
    direct : int array, shape (R, cells of the direct group)
    direct_match : float array, shape (events, cells of the direct group)
        1 where a row of the cell matches the event.
    protected : int array, shape (R, cells of the protected group)
    numerator : float array, shape (events, R, cells of the protected group)
        Product over touched blocks of ([match] - (1-p) q), 0 where an open part fails.
    truth : float array, shape (events, R)
        Product of the touched blocks' p; score of a protected row = numerator / truth.
    shared : float array, shape (R,)
        Product of p over the blocks that both itemsets touch.
    n_blocks : int
        Number of disguised blocks that are touched.
    """

    positions: NDArray[np.intp]
    direct: Whole
    direct_match: Array
    protected: Whole
    numerator: Array
    truth: Array
    shared: Array
    n_blocks: int

    @classmethod
    def of(
        cls, shape: Shape, *, positions: Whole, direct: Whole, protected: Whole, p: Array, q: Array
    ) -> ContingencyTables:
        """Join the cells of a shape with their scores; `p` and `q` as for `Shape.numerators`."""
        touches = np.array(
            [[any(parts[side] for side in sides) for parts in shape.blocks] for sides in shape.events],
            dtype=np.bool_,
        ).reshape(len(shape.events), -1)
        both = touches[FIRST] & touches[SECOND] if len(touches) > 1 else touches[0]
        return cls(
            positions=positions,
            direct=direct,
            direct_match=shape.matches,
            protected=protected,
            numerator=shape.numerators(p, q),
            truth=np.stack([np.where(own, p, 1.0).prod(axis=1) for own in touches]),
            shared=np.where(both, p, 1.0).prod(axis=1),
            n_blocks=len(shape.blocks),
        )

    @cached_property
    def n_direct(self) -> Whole:
        """Rows of the direct group, shape (R,)."""
        rows: Whole = self.direct.sum(axis=1)
        return rows

    @cached_property
    def n_protected(self) -> Whole:
        """Rows of the protected group, shape (R,)."""
        rows: Whole = self.protected.sum(axis=1)
        return rows
