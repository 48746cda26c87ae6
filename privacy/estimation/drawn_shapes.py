"""Shapes of itemsets, and of pairs, of drawn questions: the counts they need, and their scores.

Of those of which devices draw a part rows count that were asked some of it. Those of parts that send rows
near the true one are scored by how many of the answers are the wanted ones.

Rows that were asked some of an itemset's questions say something of its support: with the shares mu of single
parts as centres, the products of what lies off them can each be averaged over the rows that were asked it.

What a row counts for in a support, by the sets of drawn questions it was asked.

The estimator of `privacy.estimation.drawn_shapes`, for itemsets in tables of three states per question, and
of `privacy.estimation.drawn_factors`, for rules of any parts in cells of rows.

Notes
-----
With z_B the score of B on a row asked B, for sets A of an event's drawn axes E and with centres mu,

    c_A = sum_{B in A} (prod_{A - B} -mu) z_B,    c^_A its mean over the n_A rows asked A,
    support = sum_A (prod_{E - A} mu) c^_A,
    h = support + sum_A [asked A] (prod_{E - A} mu) (c_A - c^_A) n / n_A.

The mean of h over all rows is the support, and its variance by n that of the support, whatever mu is. What is
asked of everybody is in every z_B: a row that was asked no axis has its score times the product of all mu.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.channels.near_truth import near_scores
from privacy.channels.retention import numerator
from privacy.estimation.counts import exactly
from privacy.estimation.shapes import Positions

__all__ = ["MOST_DRAWN", "Axis", "Chances", "DrawnShape", "contribution", "off_centres"]


def off_centres(scores: Mapping[int, Array], centres: Array) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return c_A and the weight of each set A of axes, the product of the centres of all axes not in it.

    Parameters
    ----------
    scores : dict of int to float array
        Of every set of the axes, the set as bits; those of a smaller set fit a larger one by broadcasting.
    centres : float array, shape (axes, ...)

    Examples
    --------
    >>> off, weights = off_centres({0: np.ones(2), 1: np.array([-0.5, 1.5])}, np.array([0.4]))
    >>> off[1].round(9).tolist(), float(weights[0]), float(weights[1])
    ([-0.9, 1.1], 0.4, 1.0)
    """
    off = dict(scores)
    weights = {chosen: np.ones(centres.shape[1:]) for chosen in off}
    for axis, mu in enumerate(centres):
        bit = 1 << axis
        for chosen in off:
            if chosen & bit:
                off[chosen] = off[chosen] - mu * off[chosen ^ bit]
            else:
                weights[chosen] = weights[chosen] * mu
    return off, weights


def contribution(off: Array, rows: Array | Whole, weight: Array, n: Whole) -> tuple[Array, Array]:
    """Return what one set of axes adds to the support, and to h of the rows that were asked it.

    Parameters
    ----------
    off : float array, shape (..., R)
        c_A of `R` events by what rows show.
    rows : array, shape (..., R)
        Rows that were asked the set and show it.
    weight : float array, shape (R,)
    n : array, shape (R,)
        All rows, whatever they were asked.

    Examples
    --------
    Of four rows two were asked, and one of them says yes:

    >>> off, rows = np.array([[-0.9], [1.1]]), np.array([[1], [1]])
    >>> support, more = contribution(off, rows, weight=np.ones(1), n=np.array([4]))
    >>> support.round(9).tolist(), more.round(9).tolist()
    ([0.1], [[-2.0], [2.0]])
    """
    own = tuple(range(off.ndim - 1))
    n_asked = rows.sum(axis=own)
    mean = (rows * off).sum(axis=own) / n_asked
    return weight * mean, (off - mean) * (weight * n / n_asked)


MOST_DRAWN: Final = 6
"""Parts of an itemset that are drawn apart: 3 to this power cells. Of more, complete rows alone count."""

_LARGEST: Final = 1 << 20
"""Scores of one event that are worked on together."""


@dataclass(frozen=True)
class Axis:
    """Items that a device is always asked together, and that share a coin.

    Parameters
    ----------
    block : int or None
        Place of their block among those that are touched; None for items that are sent as they are.
    positions : Positions
    sides : tuple of int
        Which sides of a pair hold them.
    drawn : bool
        Whether only some devices are asked them.
    """

    block: int | None
    positions: Positions
    sides: tuple[int, ...]
    drawn: bool

    @property
    def states(self) -> int:
        """Not matching and matching; where they are drawn, first of all not asked."""
        return 3 if self.drawn else 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Chances:
    """What the law says of `R` events of one shape.

    Parameters
    ----------
    p : float array, shape (2, R, blocks)
        By group, direct first.
    answering : float array, shape (R, blocks)
        Chance that a decoy is not skipped.
    q : float array, shape (R, axes)
        Chance of an axis' items under a decoy that is not skipped.
    inverse_factors : float array, shape (2, R, blocks, sizes)
        Of blocks that send rows near the true one 1 / b_a, see `DesignIndex`.
    """

    p: Array
    answering: Array
    q: Array
    inverse_factors: Array

    def part(self, some: slice) -> Chances:
        """Return those of some events."""
        return Chances(
            p=self.p[:, some],
            answering=self.answering[some],
            q=self.q[some],
            inverse_factors=self.inverse_factors[:, some],
        )


@dataclass(frozen=True)
class DrawnShape:
    """Where the items of an itemset, or of a pair, stand, by what a device is asked together.

    Parameters
    ----------
    axes : tuple of Axis
    n_sides : int
        1 for an itemset, 2 for a pair.
    n_blocks : int
        Disguised blocks that are touched.
    near : frozenset of int
        Those of them that send rows near the true one; an axis of theirs is of one item.
    excluded : frozenset of (int, int)
        Positions of two options of one single choice: no row has both.

    Notes
    -----
    A row's cell says of each axis whether it was asked and whether it matches. How many rows are in it
    follows from counts of "any row", "asked", "has the items" along each axis.
    """

    axes: tuple[Axis, ...]
    n_sides: int
    n_blocks: int
    near: frozenset[int]
    excluded: frozenset[tuple[int, int]]

    @cached_property
    def events(self) -> tuple[tuple[int, ...], ...]:
        """Sides that each event asks for, as in `privacy.estimation.shapes.Shape`."""
        return ((0,),) if self.n_sides == 1 else ((0, 1), (0,), (1,))

    @cached_property
    def nodes(self) -> tuple[tuple[Positions, Positions] | None, ...]:
        """Positions whose items, and whose being asked, to count, in the order of counts; None for none."""
        nodes: list[tuple[Positions, Positions] | None] = []
        for states in itertools.product(*(range(axis.states) for axis in self.axes)):
            having = [axis for axis, state in zip(self.axes, states, strict=True) if state == axis.states - 1]
            drawn = [axis for axis, state in zip(self.axes, states, strict=True) if axis.drawn and state == 1]
            items = tuple(sorted(position for axis in having for position in axis.positions))
            impossible = any(set(items).issuperset(pair) for pair in self.excluded)
            nodes.append(None if impossible else (items, tuple(axis.positions[0] for axis in drawn)))
        return tuple(nodes)

    @cached_property
    def cells(self) -> Whole:
        """State of each axis by cell, shape (axes, cells); the last cell matches everything."""
        states = itertools.product(*(range(axis.states) for axis in self.axes))
        cells: Whole = np.array(list(states), dtype=np.int64).T.reshape(len(self.axes), -1)
        return cells

    @cached_property
    def matches(self) -> Array:
        """Whether each axis matches, shape (axes, cells)."""
        tops = np.array([axis.states - 1 for axis in self.axes])
        matches: Array = (self.cells == tops[:, None]).astype(np.float64)
        return matches

    @cached_property
    def is_asked(self) -> Flags:
        """Whether each axis was asked, shape (axes, cells)."""
        drawn = np.array([axis.drawn for axis in self.axes])
        is_asked: Flags = np.logical_or(~drawn[:, None], self.cells > 0)
        return is_asked

    @cached_property
    def complete(self) -> Flags:
        """Cells of rows that were asked everything."""
        complete: Flags = np.asarray(self.is_asked.all(axis=0))
        return complete

    @cached_property
    def yes(self) -> Flags:
        """Cells of rows that match all they were asked; of near rows any: others may score more."""
        own = [position for position, axis in enumerate(self.axes) if axis.block not in self.near]
        is_yes: Flags = (~self.is_asked | (self.matches == 1))[own].all(axis=0)
        return is_yes

    @cached_property
    def asked_alike(self) -> Whole:
        """A number for each cell, the same for cells of rows that were asked the same."""
        return np.unique(self.is_asked, axis=1, return_inverse=True)[1].ravel()

    def axes_of(self, event: int, *, drawn: bool) -> list[int]:
        """Return the axes of an event that are drawn, or those that are not."""
        wanted = set(self.events[event])
        return [
            position
            for position, axis in enumerate(self.axes)
            if axis.drawn == drawn and not wanted.isdisjoint(axis.sides)
        ]

    def impossible(self, event: int) -> bool:
        """Whether an event asks for two options of one single choice."""
        axes = [*self.axes_of(event, drawn=True), *self.axes_of(event, drawn=False)]
        own = {position for axis in axes for position in self.axes[axis].positions}
        return any(own.issuperset(pair) for pair in self.excluded)

    @cached_property
    def at_once(self) -> int:
        """Events that are worked on together."""
        subsets = 1 << len(self.axes_of(0, drawn=True))
        return max(1, _LARGEST // (int(self.cells.shape[1]) * subsets))

    def rows(self, counts: Whole) -> Whole:
        """Turn counts of "any row", "asked", "has it" along each axis into rows by cell.

        Parameters
        ----------
        counts : int array, shape (nodes, R)

        Returns
        -------
        int array, shape (R, cells)
        """
        table = counts.reshape((*(axis.states for axis in self.axes), -1))
        return exactly(table, range(len(self.axes))).reshape(counts.shape).T

    def score(self, chances: Chances, group: int, axes: Sequence[int]) -> Array:
        """Return z of the items of some axes by cell, shape (R, cells); of rows asked them it is unbiased."""
        table = self._scores(chances, group, axes, {})
        shown = self.matches[list(axes)].astype(np.int64)
        scores: Array = (
            table[tuple(shown)] if len(axes) else np.broadcast_to(table, (shown.shape[1], len(table)))
        )
        return scores.T

    def _scores(
        self, chances: Chances, group: int, axes: Sequence[int], known: dict[tuple[int, ...], Array]
    ) -> Array:
        """Scores by whether each axis matches, shape (2, ..., 2, R); `known` are those of single blocks."""
        product = np.ones((1,) * len(axes) + (len(chances.q),))
        for block in dict.fromkeys(self.axes[axis].block for axis in axes):
            own = tuple(axis for axis in axes if self.axes[axis].block == block)
            if own not in known:
                known[own] = self._scores_of(chances, group, block, own)
            shape = tuple(2 if axis in own else 1 for axis in axes)
            product = product * known[own].reshape(*shape, -1)
        return product

    def _scores_of(self, chances: Chances, group: int, block: int | None, axes: Sequence[int]) -> Array:
        """Scores of axes of one block, so that arithmetic runs along events."""
        scores = np.empty((2,) * len(axes) + (len(chances.q),))
        if block in self.near:
            # A group with p = 0 is refused, or has no weight.
            factors = list(chances.inverse_factors[group, :, block].T)
            by_number = np.stack(near_scores(factors, len(axes)))
            scores[:] = by_number[len(axes) - np.indices((2,) * len(axes)).sum(axis=0)]
            return scores
        every = (1,) * len(axes)
        if block is None:
            scores[:], scores[every] = 0.0, 1.0
            return scores
        p = chances.p[group, :, block]
        q = chances.answering[:, block] * chances.q[:, list(axes)].prod(axis=1)
        # A group with p = 0 is refused, or has no weight.
        scores[:], scores[every] = numerator(np.array([[0.0], [1.0]]), p, q) / np.where(p > 0, p, 1.0)
        return scores

    def truth(self, chances: Chances, group: int, event: int) -> Array:
        """Return the product of p over the blocks that an event touches, shape (R,)."""
        axes = [*self.axes_of(event, drawn=True), *self.axes_of(event, drawn=False)]
        return self._product(chances, group, {self.axes[axis].block for axis in axes})

    def shared(self, chances: Chances, group: int) -> Array:
        """Return the product of p over the blocks that both sides touch, shape (R,)."""
        sides = [{axis.block for axis in self.axes if side in axis.sides} for side in range(self.n_sides)]
        return self._product(chances, group, set.intersection(*sides))

    def _product(self, chances: Chances, group: int, blocks: set[int | None]) -> Array:
        own = sorted(block for block in blocks if block is not None)
        product: Array = chances.p[group][:, own].prod(axis=1)
        return product

    def centres(self, chances: Chances, rows: Sequence[Whole]) -> Array:
        """Return mu, the estimated share of each axis' items clipped to [0, 1], shape (axes, R)."""
        centres = np.zeros((len(self.axes), len(chances.q)))
        tables = [own.T.reshape(*(axis.states for axis in self.axes), -1) for own in rows]
        for axis in self.axes_of(0, drawn=True):
            others = tuple(other for other in range(len(self.axes)) if other != axis)
            total, n = np.zeros(len(chances.q)), np.zeros(len(chances.q))
            for group, table in enumerate(tables):
                _, lacking, having = table.sum(axis=others)
                z = self._scores_of(chances, group, self.axes[axis].block, (axis,))
                total += z[0] * lacking + z[1] * having
                n += lacking + having
            with np.errstate(divide="ignore", invalid="ignore"):
                centres[axis] = np.clip(np.nan_to_num(total / n), 0.0, 1.0)
        return centres

    def influence(self, chances: Chances, group: int, event: int, rows: Whole, mu: Array) -> Array:
        """Return h by cell, shape (R, cells), see `drawn_sets`: what a row counts for in the support."""
        drawn, fixed = self.axes_of(event, drawn=True), self.axes_of(event, drawn=False)
        axes, bits = [*drawn, *fixed], [1 << position for position in range(len(drawn))]
        rows_asked = self._rows_asked(rows.astype(np.float64), drawn, fixed)
        scores: dict[int, Array] = {}
        known: dict[tuple[int, ...], Array] = {}
        for chosen, own_rows in rows_asked.items():
            own = [axis for bit, axis in zip(bits, drawn, strict=True) if chosen & bit] + fixed
            scores[chosen] = self._scores(chances, group, own, known).reshape(own_rows.shape)
        off, weights = off_centres(scores, mu[drawn])
        n, support = rows.sum(axis=1), np.zeros(len(rows))
        for chosen, c in off.items():
            with np.errstate(divide="ignore", invalid="ignore"):
                more, off[chosen] = contribution(c, rows_asked[chosen], weights[chosen], n)
            support += more
        for position, bit in enumerate(bits):
            for chosen in [chosen for chosen in off if not chosen & bit]:
                # A row that was asked it counts as one that was not, and for what it adds.
                less, more = off[chosen], off.pop(chosen | bit)
                off[chosen] = np.concatenate([less, less + more], axis=position)
        whole = off[0] + support
        whole = whole.transpose(*np.argsort(axes).tolist(), -1)
        states = tuple(axis.states if at in axes else 1 for at, axis in enumerate(self.axes))
        shape = (*(axis.states for axis in self.axes), len(rows))
        influence: Array = np.broadcast_to(whole.reshape(*states, len(rows)), shape).reshape(-1, len(rows)).T
        return influence

    def _rows_asked(self, rows: Array, drawn: Sequence[int], fixed: Sequence[int]) -> dict[int, Array]:
        """Rows that were asked each set of drawn axes, by what they show of it and of the fixed ones.

        Returns
        -------
        dict of int to float array, shape (1 or 2, ..., R)
            By the set as bits; an axis for each of `drawn`, of one entry outside the set, then for each of
            `fixed`.
        """
        axes = [*drawn, *fixed]
        table = rows.T.reshape(*(axis.states for axis in self.axes), -1)
        table = table.sum(axis=tuple(at for at in range(len(self.axes)) if at not in axes))
        table = table.transpose(*np.argsort(np.argsort(axes)).tolist(), -1)
        tables = {0: table}
        for position in range(len(drawn)):
            before = (slice(None),) * position
            for chosen, own in list(tables.items()):
                tables[chosen] = own.sum(axis=position, keepdims=True)
                tables[chosen | 1 << position] = own[(*before, slice(1, None))]
        return tables
