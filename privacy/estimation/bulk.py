"""Supports of very many itemsets of one size: the law of `supports` on arrays, without a loop over itemsets.

A search estimates thousands of itemsets that differ in nothing but their items. Here everything that depends
on the shape of an itemset alone, which positions are open and which share a block, is worked out once a
shape, and the rest is arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import SCALE
from privacy.estimation.bulk_plan import BulkPlan, PlanGroup
from privacy.survey.design import Design

__all__ = ["BLANK", "Bulk", "BulkPlan"]

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
        >>> from privacy.survey import Block, GroupPolicy, Question
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

    def _group(self, members: Whole, shape: _Shape, itemsets: Whole, counted: Whole) -> PlanGroup:
        truth = np.empty((len(members), len(shape.blocks)))
        decoy = np.empty((len(members), len(shape.blocks)))
        for place, positions in enumerate(shape.blocks):
            items = itemsets[:, positions]
            block = self.block[items[:, 0]]
            p = self.truth[block]
            truth[:, place] = p
            decoy[:, place] = (1 - p) * self.answering[block] * self.unrelated[items].prod(axis=1)
        return PlanGroup(members=members, counted=counted, truth=truth, decoy=decoy)


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
