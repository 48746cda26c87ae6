"""Contingency tables of an itemset, or of a pair of itemsets: counts and scores of every cell."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.shapes import FIRST, SECOND, Shape

__all__ = ["ContingencyTables", "GroupCells"]


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupCells:
    """Counts and scores by cell of one group, for `R` itemsets or pairs of one shape.

    The events, along the first axis of what has one, are the itemset alone, or the union, the first and the
    second itemset of a pair.

    Parameters
    ----------
    rows : int array, shape (R, cells)
    numerator : float array, shape (events, R, cells)
        Product over touched blocks of ([match] - (1-p) q), 0 where an open part fails; p is the group's.
    truth : float array, shape (events, R)
        Product of the touched blocks' p; score of a row = numerator / truth.
    shared : float array, shape (R,)
        Product of p over the blocks that both itemsets touch.
    possible : bool array, shape (R, cells), optional
        False in cells that no row can be in; by default each can have rows.
    """

    rows: Whole
    numerator: Array
    truth: Array
    shared: Array
    possible: Flags = field(default_factory=lambda: np.ones((1, 1), dtype=np.bool_))

    @classmethod
    def of(cls, shape: Shape, rows: Whole, *, p: Array, q: Array) -> GroupCells:
        """Join the cells of a shape with their scores; `p` and `q` as for `Shape.numerators`."""
        touches = shape.touches
        both = touches[FIRST] & touches[SECOND] if len(touches) > 1 else touches[0]
        return cls(
            rows=rows,
            numerator=shape.numerators(p, q),
            truth=np.stack([np.where(own, p, 1.0).prod(axis=1) for own in touches]),
            shared=np.where(both, p, 1.0).prod(axis=1),
        )

    @cached_property
    def n(self) -> Whole:
        """Rows of the group, shape (R,)."""
        rows: Whole = self.rows.sum(axis=1)
        return rows


@dataclass(frozen=True, kw_only=True, eq=False)
class ContingencyTables:
    """The cells of both groups, for `R` itemsets or pairs of one shape.

    Parameters
    ----------
    positions : int array, shape (R,)
        Which of the given itemsets or pairs these are.
    groups : (GroupCells, GroupCells)
        Of the direct and of the protected group. Rows that are sent as they are have a cell for each set of
        sides that they match; a disguised group has one for each set of parts. The last cell matches all.
    n_blocks : int
        Number of disguised blocks that are touched.
    is_drawn : bool
        Whether devices draw some of the questions, and others are not asked them.
    all_rows : bool array, shape (R,)
        Whether rows that were asked a part of the itemset count too.
    complete : int array, shape (2, R)
        Rows of each group that were asked everything.
    """

    positions: NDArray[np.intp]
    groups: tuple[GroupCells, GroupCells]
    n_blocks: int
    is_drawn: bool = False
    all_rows: Flags
    complete: Whole

    @classmethod
    def of_groups(
        cls,
        groups: tuple[GroupCells, GroupCells],
        *,
        positions: NDArray[np.intp],
        n_blocks: int,
        is_drawn: bool = False,
    ) -> ContingencyTables:
        """Join the cells of both groups, of rows that were asked everything."""
        return cls(
            positions=positions,
            groups=groups,
            n_blocks=n_blocks,
            is_drawn=is_drawn,
            all_rows=np.zeros(len(positions), dtype=np.bool_),
            complete=np.stack([group.n for group in groups]),
        )

    def with_rows(self, protected: Whole) -> ContingencyTables:
        """Return the tables with other rows of the protected group."""
        direct, other = self.groups
        return ContingencyTables.of_groups(
            (direct, replace(other, rows=protected)),
            positions=self.positions,
            n_blocks=self.n_blocks,
            is_drawn=self.is_drawn,
        )

    @property
    def all_yes(self) -> Flags:
        """Cells of the protected group that match all they were asked, shape (R, cells)."""
        is_top = np.zeros(self.groups[1].rows.shape, dtype=np.bool_)
        is_top[:, -1] = True
        return is_top

    @property
    def carrying(self) -> list[Whole]:
        """Rows by cell, each array of shape (R, cells), of which none should be nearly empty."""
        groups = [group.rows for group in self.groups]
        # Where nothing is disguised rows of both groups say the same.
        return groups if self.n_blocks else [np.asarray(sum(groups))]

    @property
    def rows(self) -> Whole:
        """Rows by cell of both groups side by side, shape (R, all cells)."""
        return np.concatenate([group.rows for group in self.groups], axis=1)

    @property
    def matching(self) -> Whole:
        """Received rows that match everything, shape (R,)."""
        return np.asarray(sum(group.rows[:, -1] for group in self.groups))

    @property
    def n(self) -> Whole:
        """Rows of both groups, shape (R,)."""
        return np.asarray(sum(group.n for group in self.groups))
