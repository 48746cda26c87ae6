"""Contingency tables of an itemset, or of a pair of itemsets: counts and scores of every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.shapes import Chances, Shape

__all__ = ["ContingencyTables", "DrawnTables", "GroupCells"]


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
    def of(
        cls, shape: Shape, chances: Chances, group: int, rows: Whole, numerator: Callable[[int], Array]
    ) -> GroupCells:
        """Join rows by cell, shape (R, cells), with the numerators of each event, shape (cells, R)."""
        events = range(len(shape.events))
        # Cells come last in memory: sums over them are then the same for one event as for many.
        numerators = np.zeros((len(events), *rows.shape))
        for event in events:
            if not shape.impossible(event):
                numerators[event] = numerator(event).T
        return cls(
            rows=rows,
            numerator=numerators,
            truth=np.stack([shape.truth(chances, group, event) for event in events]),
            shared=shape.shared(chances, group),
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


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnTables(ContingencyTables):
    """The cells of both groups where rows count that were asked a part.

    Parameters
    ----------
    shape : Shape
    chances : Chances
    all_rows : bool array, shape (R,)
        False where a group with rows has none that was asked everything: complete rows alone count there.
    """

    shape: Shape = field(repr=False)
    chances: Chances = field(repr=False)

    @classmethod
    def of(
        cls,
        shape: Shape,
        chances: Chances,
        rows: tuple[Whole, Whole],
        positions: NDArray[np.intp],
        *,
        is_drawn: bool,
    ) -> DrawnTables:
        """Score the cells; rows by cell of the direct and of the protected group, shape (R, cells)."""
        complete = np.stack([own.T[shape.complete].sum(axis=0) for own in rows])
        n = np.stack([own.sum(axis=1) for own in rows])
        whole = ((n == 0) | (complete > 0)).all(axis=0)
        mu = shape.centres(chances, rows)
        used: list[Whole] = list(rows)
        if not whole.all():
            used = [np.where(whole[:, None], own, own * shape.complete) for own in rows]
        groups = [_drawn_cells(shape, chances, group, own, mu, whole) for group, own in enumerate(used)]
        return cls(
            positions=positions,
            groups=(groups[0], groups[1]),
            n_blocks=shape.n_blocks,
            is_drawn=is_drawn,
            all_rows=np.logical_and(whole, shape.is_drawn),
            complete=complete,
            shape=shape,
            chances=chances,
        )

    def with_rows(self, protected: Whole) -> DrawnTables:
        """Return the tables with other rows of the protected group: centres and means move with them."""
        direct = self.groups[0].rows
        return DrawnTables.of(
            self.shape, self.chances, (direct, protected), self.positions, is_drawn=self.is_drawn
        )

    @property
    def all_yes(self) -> Flags:
        """Cells that match all they were asked, shape (R, cells): a forged row chooses what it was asked."""
        return (
            self.groups[1].possible
            & np.where(self.all_rows[:, None], self.shape.yes, self.shape.complete)
            & (self.shape.yes)
        )

    @property
    def carrying(self) -> list[Whole]:
        """Complete rows of each group by which sides they match."""
        shape = self.shape
        of_side = np.array([[side in axis.sides for axis in shape.axes] for side in range(shape.n_sides)])
        matches = (~of_side[:, :, None] | (shape.matches == 1)).all(axis=1)
        kinds = np.indices((2,) * shape.n_sides).reshape(shape.n_sides, -1, 1)
        is_kind = shape.complete & (matches[:, None] == kinds).all(axis=0)
        return [group.rows @ is_kind.T.astype(np.int64) for group in self.groups]


def _drawn_cells(
    shape: Shape, chances: Chances, group: int, rows: Whole, mu: Array, whole: Flags
) -> GroupCells:
    def numerator(event: int) -> Array:
        influence = shape.influence(chances, group, event, rows, mu)
        with np.errstate(invalid="ignore"):
            scaled = shape.truth(chances, group, event) * influence
        return scaled if whole.all() else np.where(whole, scaled, shape.numerator(chances, group, event))

    cells = GroupCells.of(shape, chances, group, rows, numerator)
    # What no row of the group was asked cannot be shown; it has no score.
    seen = np.zeros((shape.asked_alike.max(initial=0) + 1, len(rows)), dtype=np.int64)
    for number, own_rows in zip(shape.asked_alike.tolist(), rows.T, strict=True):
        seen[number] += own_rows
    possible = (seen > 0)[shape.asked_alike].T
    if not possible.all():
        cells.numerator[:, ~possible] = 0.0
    return replace(cells, possible=possible)
