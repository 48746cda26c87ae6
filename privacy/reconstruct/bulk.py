"""Supports of very many itemsets of one size: the law of `supports` on arrays, without a loop over itemsets.

A search estimates thousands of itemsets that differ in nothing but their items. Here everything that depends
on the shape of an itemset alone, which positions are open and which share a block, is worked out once a
shape, and the rest is arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import SCALE
from privacy.disguise.design import Design
from privacy.reconstruct.estimates import Estimates, blank_estimates
from privacy.reconstruct.scores import Estimator, check_estimator
from privacy.reconstruct.sums import Sums

__all__ = ["BLANK", "Bulk", "BulkPlan"]

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

BLANK: Final = -1
"""Fills a request that names fewer columns than the widest one."""


class Bulk:
    """A design, laid out by item.

    Parameters
    ----------
    design : Design
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        # A design of numbers and places may declare no item: an empty list has no type of its own.
        self.block = np.array([item.block for item in design.items], dtype=np.int64)
        self.open = np.array(
            [
                not design.blocks[item.block].protected
                or design.blocks[item.block].truth_probability == SCALE
                for item in design.items
            ],
            dtype=np.bool_,
        )
        self.truth = np.array([float(block.truth) for block in design.blocks])
        self.answering = np.array([1 - (block.refusal or 0) / SCALE for block in design.blocks])
        self.unrelated = np.array(
            [
                float(share)
                for question in design.questions
                for share in question.decoy_shares or (1,) * question.n_items
            ]
        )
        self.asked = np.array(
            [
                design.asked_column(item.question) if design.can_be_missing(item.question) else BLANK
                for item in design.items
            ],
            dtype=np.int64,
        )

    def plan(self, itemsets: Whole) -> BulkPlan:
        """Say what has to be counted to estimate these itemsets.

        Parameters
        ----------
        itemsets : ndarray of int64, shape (m, size)
            Ascending items, no two options of one single-choice question.

        Examples
        --------
        >>> from privacy.disguise import Block, GroupPolicy, Question
        >>> design = Design(group=GroupPolicy(), use="live", blocks=(
        ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
        ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
        >>> plan = Bulk(design).plan(np.array([[0]]))
        >>> plan.requests.tolist()
        [[-1], [0]]
        >>> plan.values(np.array([[0, 10], [0, 6]]), "stratified").round(3).tolist()  # (.6 - .25)/.5
        [0.7]
        """
        size = itemsets.shape[1]
        asked = self.asked[itemsets]
        own_rows = bool((asked != BLANK).any())
        if not own_rows:
            asked = asked[:, :0]
        width = size + asked.shape[1]
        rows_used = np.full((len(itemsets) if own_rows else 1, width), BLANK, dtype=np.int64)
        if own_rows:
            rows_used[:, size:] = asked
        requests, groups, counted = [rows_used], [], len(rows_used)
        for members, shape in self._shapes(itemsets):
            some = itemsets[members]
            parts = []
            for positions in shape.subsets:
                if not positions:
                    parts.append(members if own_rows else np.zeros_like(members))
                    continue
                request = np.full((len(some), width), BLANK, dtype=np.int64)
                request[:, : len(positions)] = some[:, positions]
                if own_rows:
                    # An item implies that its question was asked.
                    others = [place for place in range(size) if place not in positions]
                    request[:, [size + place for place in others]] = asked[members][:, others]
                requests.append(request)
                parts.append(np.arange(counted, counted + len(some)))
                counted += len(some)
            groups.append(self._group(members, shape, some, np.stack(parts, axis=1)))
        return BulkPlan(
            requests=np.concatenate(requests),
            own_rows=own_rows,
            n_itemsets=len(itemsets),
            groups=tuple(groups),
        )

    def _shapes(self, itemsets: Whole) -> Iterator[tuple[Whole, _Shape]]:
        """Itemsets of one shape together. Items ascend, so those of one block stand side by side."""
        disguised = ~self.open[itemsets]
        blocks = self.block[itemsets]
        code = np.zeros(len(itemsets), dtype=np.int64)
        for place in range(itemsets.shape[1]):
            joins = blocks[:, place] == blocks[:, place - 1] if place else np.zeros(len(itemsets), dtype=bool)
            code = code * 3 + np.where(disguised[:, place], np.where(joins, 2, 1), 0)
        for one in np.unique(code).tolist():
            members = np.flatnonzero(code == one)
            yield members, _Shape.of(blocks[members[0]].tolist(), disguised[members[0]].tolist())

    def _group(self, members: Whole, shape: _Shape, itemsets: Whole, counted: Whole) -> _Group:
        truth = np.empty((len(members), len(shape.blocks)))
        decoy = np.empty((len(members), len(shape.blocks)))
        for place, positions in enumerate(shape.blocks):
            items = itemsets[:, positions]
            block = self.block[items[:, 0]]
            p = self.truth[block]
            truth[:, place] = p
            decoy[:, place] = (1 - p) * self.answering[block] * self.unrelated[items].prod(axis=1)
        return _Group(members=members, counted=counted, truth=truth, decoy=decoy)


@dataclass(frozen=True)
class _Shape:
    """Positions of the open items, and of the items of each touched block."""

    open: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, blocks: list[int], disguised: list[bool]) -> _Shape:
        places = range(len(blocks))
        touched = dict.fromkeys(blocks[place] for place in places if disguised[place])
        return cls(
            tuple(place for place in places if not disguised[place]),
            tuple(
                tuple(place for place in places if disguised[place] and blocks[place] == block)
                for block in touched
            ),
        )

    @property
    def subsets(self) -> list[tuple[int, ...]]:
        """Positions of the open items and of some blocks' items; bit b of the place says: with block b."""
        return [
            tuple(
                sorted(
                    self.open
                    + tuple(
                        place
                        for number, block in enumerate(self.blocks)
                        if chosen >> number & 1
                        for place in block
                    )
                )
            )
            for chosen in range(1 << len(self.blocks))
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Group:
    """Itemsets of one shape with t touched blocks.

    Attributes
    ----------
    members : int array, shape (g,)
    counted : int array, shape (g, 2^t)
        Where the counts of each sub-itemset are; the last one is the itemset itself.
    truth, decoy : float array, shape (g, t)
        p and (1-p) q of each touched block.
    """

    members: Whole
    counted: Whole
    truth: Array
    decoy: Array

    def taken(self, places: NDArray[np.intp]) -> _Group:
        return _Group(
            members=self.members[places],
            counted=self.counted[places],
            truth=self.truth[places],
            decoy=self.decoy[places],
        )

    @cached_property
    def whole_truth(self) -> Array:
        """Product of p over the touched blocks."""
        product: Array = self.truth.prod(axis=1)
        return product

    def moments(self, protected: Whole) -> tuple[Array, Array]:
        """Sum of N and of N^2 over the protected rows, from the counts of all sub-itemsets.

        N = prod over blocks of ([match] - d), d = (1-p) q, is the score z without its division by the p of
        each block; N^2 = prod of ([match] (1 - 2d) + d^2). Multiplied out, each is a sum over sub-itemsets of
        their counts.
        """
        first = second = np.ones((len(self.members), 1))
        for place in range(self.decoy.shape[1]):
            d = self.decoy[:, place, None]
            first = np.concatenate([first * -d, first], axis=1)
            second = np.concatenate([second * d**2, second * (1 - 2 * d)], axis=1)
        counts = protected[self.counted].astype(np.float64)
        return (first * counts).sum(axis=1), (second * counts).sum(axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class BulkPlan:
    """What to count, and how to estimate from it.

    Attributes
    ----------
    requests : ndarray of int64, shape (r, width)
        Columns to count, `BLANK` where a request names fewer. The first ones name the rows to use: one for
        all itemsets, or one for each where not everybody was asked.
    own_rows : bool
        Whether each itemset has rows of its own.
    n_itemsets : int
    groups : tuple
        The itemsets, by shape.
    """

    requests: Whole
    own_rows: bool
    n_itemsets: int
    groups: tuple[_Group, ...]

    def values(self, counts: Whole, estimator: Estimator) -> Array:
        """Estimate the supports alone.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, 2)
            Of the requests: direct group, protected group.
        estimator : {"stratified", "pooled"}

        Returns
        -------
        ndarray of float64, shape (n_itemsets,)
            As `Estimates.value`; NaN for an itemset with a question that nobody was asked.
        """
        check_estimator(estimator)
        values = np.full(self.n_itemsets, np.nan)
        for group in self.groups:
            values[group.members] = self._sums(group, counts, estimator).value
        return values

    def estimates(self, counts: Whole, estimator: Estimator, which: Whole) -> Estimates:
        """Estimate some of the itemsets with all errors, as `supports.estimates` does one by one.

        Parameters
        ----------
        counts, estimator
            As for `values`.
        which : ndarray of int64
            Positions of itemsets whose questions somebody was asked.
        """
        check_estimator(estimator)
        place = np.full(self.n_itemsets, -1, dtype=np.int64)
        place[which] = np.arange(len(which))
        table = blank_estimates(len(which), estimator)
        for group in self.groups:
            wanted = np.flatnonzero(place[group.members] >= 0)
            if len(wanted):
                some = group.taken(wanted)
                self._sums(some, counts, estimator).fill(table, place[some.members])
        return table

    def _sums(self, group: _Group, counts: Whole, estimator: Estimator) -> Sums:
        rows = counts[group.members] if self.own_rows else counts[np.zeros_like(group.members)]
        numerators, squares = group.moments(counts[:, 1])
        return Sums(
            estimator=estimator,
            n_direct=rows[:, 0],
            n_protected=rows[:, 1],
            matches=counts[group.counted[:, -1]],
            truth=group.whole_truth,
            one_block=group.truth.shape[1] <= 1,
            numerators=numerators,
            squares=squares,
        )
