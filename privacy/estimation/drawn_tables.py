"""Contingency tables of an itemset, or a pair, where devices draw the questions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.contingency_table import ContingencyTables, GroupCells
from privacy.estimation.drawn_shapes import Chances, DrawnShape

__all__ = ["DrawnTables"]


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnTables(ContingencyTables):
    """The cells of both groups where devices draw questions: also rows asked a part of an itemset count.

    Parameters
    ----------
    shape : DrawnShape
    chances : Chances
    all_rows : bool array, shape (R,)
        False where a group with rows has none that was asked everything: complete rows alone count there.
    """

    shape: DrawnShape = field(repr=False)
    chances: Chances = field(repr=False)

    @classmethod
    def of(
        cls,
        shape: DrawnShape,
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
        groups = [_cells(shape, chances, group, own, mu, whole) for group, own in enumerate(used)]
        return cls(
            positions=positions,
            groups=(groups[0], groups[1]),
            n_blocks=shape.n_blocks,
            is_drawn=is_drawn,
            all_rows=np.logical_and(whole, any(axis.drawn for axis in shape.axes)),
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
        sides = [
            np.prod(
                [shape.matches[position] for position, axis in enumerate(shape.axes) if side in axis.sides],
                axis=0,
            )
            for side in range(shape.n_sides)
        ]
        which = sum(
            (side.astype(np.int64) << position for position, side in enumerate(sides)), np.zeros(1, np.int64)
        )
        return [
            np.stack(
                [
                    (group.rows * (shape.complete & (which == cell))).sum(axis=1)
                    for cell in range(1 << shape.n_sides)
                ],
                axis=1,
            )
            for group in self.groups
        ]


def _cells(
    shape: DrawnShape, chances: Chances, group: int, rows: Whole, mu: Array, whole: Flags
) -> GroupCells:
    truth = np.stack([shape.truth(chances, group, event) for event in range(len(shape.events))])
    # Cells come first in memory, as `DrawnShape` works on them.
    numerators = np.zeros((len(shape.events), *rows.T.shape)).swapaxes(1, 2)
    for event in range(len(shape.events)):
        if shape.impossible(event):
            continue
        everything = [*shape.axes_of(event, drawn=False), *shape.axes_of(event, drawn=True)]
        own = shape.influence(chances, group, event, rows, mu)
        if not whole.all():
            own = np.where(whole[:, None], own, shape.score(chances, group, everything))
        with np.errstate(invalid="ignore"):
            np.multiply(truth[event][:, None], own, out=numerators[event])
    # What no row of the group was asked cannot be shown; it has no score.
    seen = np.zeros((shape.asked_alike.max(initial=0) + 1, len(rows)), dtype=np.int64)
    for alike, own_rows in zip(shape.asked_alike.tolist(), rows.T, strict=True):
        seen[alike] += own_rows
    possible = (seen > 0)[shape.asked_alike].T
    if not possible.all():
        numerators[:, ~possible] = 0.0
    return GroupCells(
        rows=rows,
        numerator=numerators,
        truth=truth,
        shared=shape.shared(chances, group),
        possible=possible,
    )
