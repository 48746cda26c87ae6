"""The blocks of an itemset as axes: what a row can show in each, and the rows by what they show in all."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts, check_cells
from privacy.estimation.design_index import Cutter, remember
from privacy.survey.grouping import item_probability

__all__ = ["MOST_ITEMS", "Axis", "axes_of", "contracted", "exact_rows", "exact_tables", "keys_of"]

Array: TypeAlias = NDArray[np.float64]

MOST_ITEMS: Final = 12


class Axis:
    """One block's part of an itemset: what a row can show there, and the score of each pattern."""

    def __init__(self, items: Columns, cutter: Cutter) -> None:
        block = cutter.blocks[items[0]]
        self.items = items
        self.design = cutter.design
        self.block = self.design.blocks[block]
        self.disguised = not cutter.open[block]
        self.truth = cutter.truth[block] if self.disguised else 1.0
        subsets = [tuple(item for item, bit in zip(items, bits, strict=True) if bit) for bits in self.bits]
        #: Sets of columns to count; None where no row can have them all.
        self.nodes: list[Columns | None] = [
            None if cutter.excluded(subset) is not None else subset for subset in subsets
        ]
        if self.skippable:
            # "Answered without any" is not "not matched": a skip matches no pattern.
            self.nodes[0] = (self.design.answered_column(block),)
            self.nodes.append(())

    @property
    def bits(self) -> list[tuple[int, ...]]:
        return list(itertools.product((0, 1), repeat=len(self.items)))

    @property
    def skippable(self) -> bool:
        return self.block.refusal is not None

    def exact(self, counts: NDArray[np.int64], axis: int) -> NDArray[np.int64]:
        """Turn "at least these items" into "exactly these", and "any row" into "skipped"."""
        counts = np.moveaxis(counts, axis, 0).copy()
        if self.skippable:
            counts[-1] -= counts[0]
        inner = counts[: 1 << len(self.items)]
        table = inner.reshape((2,) * len(self.items) + inner.shape[1:])
        for item in range(len(self.items)):
            without, having = (table[(slice(None),) * item + (bit,)] for bit in (0, 1))
            without -= having
        return np.moveaxis(counts, 0, axis)

    @cached_property
    def match(self) -> Array:
        """[a row shows the pattern], by pattern and by what the row shows."""
        return np.eye(1 << len(self.items), len(self.nodes))

    @cached_property
    def numerator(self) -> Array:
        """[match] - (1-p) q, by pattern and by what a protected row shows."""
        if not self.disguised:
            return self.match
        return self.match - (1 - self.truth) * self.decoys[: len(self.bits), None]

    @cached_property
    def decoys(self) -> Array:
        """Chance q that a decoy of the block shows each pattern, and that it is skipped; 0 of an open one."""
        if not self.disguised:
            return np.zeros(len(self.nodes))
        found = [
            item_probability(self.design, dict(zip(self.items, map(bool, bits), strict=True)))
            for bits in self.bits
        ]
        if self.skippable:
            found.append(Fraction(self.block.refusal or 0, SCALE))
        return np.array(found, dtype=np.float64)

    @cached_property
    def can_be(self) -> NDArray[np.bool_]:
        """Whether any answer shows each pattern, or a skip."""
        return np.append(self.possible, True) if self.skippable else self.possible

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Whether any answer shows the pattern."""
        result = np.ones(len(self.bits), dtype=np.bool_)
        for number in {self.design.items[item].question for item in self.items}:
            question = self.design.questions[number]
            if question.is_exclusive:
                mine = [
                    place
                    for place, item in enumerate(self.items)
                    if self.design.items[item].question == number
                ]
                chosen = np.array([sum(bits[place] for place in mine) for bits in self.bits])
                others = not question.is_exhaustive or len(mine) < question.n_items
                result &= (chosen == 1) | ((chosen == 0) & others)
        return result


def axes_of(itemset: Columns, cutter: Cutter) -> list[Axis]:
    """Return an itemset's blocks; refuse one without items, or with more than 12."""
    items = cutter.check(itemset)
    if not 1 <= len(items) <= MOST_ITEMS:
        raise PrivacyError(
            "itemset.patterns", items, count=len(items), patterns=2 ** len(items), most=MOST_ITEMS
        )
    by_block = itertools.groupby(items, key=lambda item: cutter.blocks[item])
    return [_axis(tuple(part), cutter) for _, part in by_block]


def _axis(items: Columns, cutter: Cutter) -> Axis:
    """Return one block's part of an itemset, worked out once: itemsets share their parts."""
    known: Axis | None = cutter.axes.get(items)
    if known is None:
        known = Axis(items, cutter)
        remember(cutter.axes, items, known)
    return known


def keys_of(axes: list[Axis], cutter: Cutter, within: Columns | None) -> list[Columns | None]:
    """Return the columns to count for every combination of what the blocks can show; None for impossible."""
    rows = cutter.within(within, cutter.asked(item for axis in axes for item in axis.items))
    return [
        None if None in parts else cutter.key([rows, *(part for part in parts if part is not None)])
        for parts in itertools.product(*(axis.nodes for axis in axes))
    ]


def exact_rows(counts: SupportCounts, axes: list[Axis], keys: list[Columns | None]) -> NDArray[np.int64]:
    """Rows by what they show in each block; the last axis is the group, direct first."""
    rows: NDArray[np.int64] = exact_tables(counts, axes, [keys])[0]
    return rows


def exact_tables(
    counts: SupportCounts, axes: Sequence[Axis], keys: Sequence[Sequence[Columns | None]]
) -> NDArray[np.int64]:
    """Rows of several itemsets whose blocks have the shape of these axes; the first axis is the itemset."""
    every = [key for own in keys for key in own]
    found = np.zeros((len(every), 2), dtype=np.int64)
    found[[place for place, key in enumerate(every) if key is not None]] = counts.table(
        key for key in every if key is not None
    )
    table = found.reshape((len(keys), *(len(axis.nodes) for axis in axes), 2))
    for place, axis in enumerate(axes, start=1):
        table = axis.exact(table, place)
    check_cells(table, lambda place: keys[place][-1])
    return table


def contracted(rows: NDArray[np.int64] | Array, factors: list[Array]) -> Array:
    """Sum rows times the product of a factor per block, for every group and pattern."""
    result = rows.astype(np.float64)
    for factor in factors:
        # Takes the front axis away and puts the patterns of its block last, behind the group.
        result = np.tensordot(result, factor, axes=(0, 1))
    return result
