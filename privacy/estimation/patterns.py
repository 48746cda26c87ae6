"""Patterns of an itemset, block by block: having and not having its items, and a skip."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels.retention import adjoint, numerator
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts, check_cells, exactly, of_one_group
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.survey.design import Design
from privacy.survey.grouping import item_probability

MOST_ITEMS: Final = 12

GROUPS: Final = (0, 1)
"""Direct and protected, wherever an axis is the group."""


class BlockPatterns:
    """One block's part of an itemset as the letters of a retention channel.

    Parameters
    ----------
    index : DesignIndex
    block : int
    items : Columns
        Items of the block; none where only a skip is asked for.

    Attributes
    ----------
    nodes : list of Columns or None
        Sets of columns to count, one a letter; None where no row can have them all. The letters are the
        patterns of the items, the first slowest, and a skip behind them where the block offers one.
    truth : (float, float)
        p of the direct and of the protected group; 1 where nothing is disguised.
    """

    def __init__(self, index: DesignIndex, block: int, items: Columns) -> None:
        self.items = items
        self.design = index.design
        self.block = self.design.blocks[block]
        self.disguised = not (items and index.is_open[items[0]])
        direct, protected = index.truth[:, block].tolist() if self.disguised else (1.0, 1.0)
        self.truth: tuple[float, float] = direct, protected
        self.bits = list(itertools.product((0, 1), repeat=len(items)))
        self.skippable = self.block.refusal is not None
        subsets = [tuple(item for item, bit in zip(items, bits, strict=True) if bit) for bits in self.bits]
        self.nodes: list[Columns | None] = [
            None if index.excluded(subset) is not None else subset for subset in subsets
        ]
        if self.skippable:
            # "Answered without any" is not "not matched": a skip matches no pattern.
            self.nodes[0] = (self.design.answered_column(block),)
            self.nodes.append(())

    @property
    def patterns(self) -> slice:
        """The letters that are patterns."""
        return slice(0, len(self.bits))

    def exact(self, counts: Whole, axis: int) -> Whole:
        """Turn "at least these items" into "exactly these", and "any row" into "skipped"."""
        counts = np.moveaxis(counts, axis, 0).copy()
        if self.skippable:
            counts[-1] -= counts[0]
        inner = counts[self.patterns]
        table = inner.reshape((2,) * len(self.items) + inner.shape[1:])
        counts[self.patterns] = exactly(table, range(len(self.items))).reshape(inner.shape)
        return np.moveaxis(counts, 0, axis)

    def backward(self, values: Array, group: int) -> Array:
        """Return the mean over what a group shows for each true letter, from a value of each shown one."""
        return adjoint(values, self.truth[group], self.decoys)

    def numerator(self, events: Array, group: int, *, axis: int = 0) -> Array:
        """Return p times the score of events along an axis: of what is shown, f - (1 - p) q.f."""
        decoys = self.decoys.reshape((-1,) + (1,) * (events.ndim - axis - 1))
        return numerator(events, self.truth[group], (decoys * events).sum(axis=axis, keepdims=True))

    @cached_property
    def decoys(self) -> Array:
        """q, the probability that a decoy of the block shows each letter; 0 of an open one."""
        if not self.disguised:
            return np.zeros(len(self.nodes))
        skipped = Fraction(self.block.refusal or 0, SCALE)
        chances = [
            item_probability(self.design, dict(zip(self.items, map(bool, bits), strict=True)))
            if self.items
            else 1 - skipped
            for bits in self.bits
        ]
        return np.array([*chances, skipped] if self.skippable else chances, dtype=np.float64)


def parts_of(itemset: Columns, index: DesignIndex) -> list[BlockPatterns]:
    """Return an itemset's blocks; refuse one without items, or with more than 12.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    index : DesignIndex
        Index of the design.
    """
    items = index.check(itemset)
    if not 1 <= len(items) <= MOST_ITEMS:
        raise PrivacyError(
            "itemset.patterns", items, count=len(items), patterns=2 ** len(items), most=MOST_ITEMS
        )
    index.refuse_unreachable(items)
    by_block = itertools.groupby(items, key=lambda item: int(index.block[item]))
    return [patterns_of_block(index, block, tuple(part)) for block, part in by_block]


@lru_cache(maxsize=1024)
def patterns_of_block(index: DesignIndex, block: int, items: Columns) -> BlockPatterns:
    """Return one block's part of an itemset, worked out once: itemsets share their parts.

    Parameters
    ----------
    index : DesignIndex
        Index of the design.
    block : int
        Its position in the design.
    items : tuple of int
        Those of the itemset that are the block's.
    """
    return BlockPatterns(index, block, items)


def keys_of(
    parts: Sequence[BlockPatterns], index: DesignIndex, within: Columns | None
) -> list[Columns | None]:
    """Return the columns to count for every combination of what the blocks can show; None for impossible.

    Parameters
    ----------
    parts : sequence of BlockPatterns
        The itemset's blocks.
    index : DesignIndex
        Index of the design.
    within : tuple of int or None
        Columns that a row must have to count.
    """
    rows = index.within(within, index.asked_of(item for part in parts for item in part.items))
    return [
        None if None in nodes else index.key([rows, *(node for node in nodes if node is not None)])
        for nodes in itertools.product(*(part.nodes for part in parts))
    ]


def needed_of(
    parts: Sequence[BlockPatterns], index: DesignIndex, within: Columns | None
) -> tuple[Columns, ...]:
    """Return the columns to count, each set once.

    Parameters
    ----------
    parts : sequence of BlockPatterns
        The itemset's blocks.
    index : DesignIndex
        Index of the design.
    within : tuple of int or None
        Columns that a row must have to count.
    """
    return tuple(dict.fromkeys(key for key in keys_of(parts, index, within) if key is not None))


def pattern_rows(
    counts: SupportCounts, parts: Sequence[BlockPatterns], index: DesignIndex, within: Columns | None = None
) -> Whole:
    """Return rows of an itemset by what they show in each block.

    Parameters
    ----------
    counts : SupportCounts
        Counts of the column sets that `needed_of` returns.
    parts : sequence of BlockPatterns
        The itemset's blocks.
    index : DesignIndex
        Index of the design.
    within : tuple of int, optional
        Columns that a row must have to count.

    Returns
    -------
    ndarray of int64, shape (letters of each block, 2)
        The last axis is the group, direct first.
    """
    keys = keys_of(parts, index, within)
    observed = np.zeros((len(keys), 2), dtype=np.int64)
    observed[[position for position, key in enumerate(keys) if key is not None]] = counts.table(
        key for key in keys if key is not None
    )
    if not any(part.disguised for part in parts):
        observed = of_one_group(observed, index.design)
    table = observed.reshape((*(len(part.nodes) for part in parts), 2))
    for axis, part in enumerate(parts):
        table = part.exact(table, axis)
    check_cells(table[None], lambda _: keys[-1])
    return table


def pattern_terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts the patterns of an itemset need.

    They are the sub-itemsets; where a block can be skipped, also those who answered it.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    design : Design
        That they are of.
    within : tuple of int, optional
        Columns that a row must have to count.
    """
    index = index_of(design)
    return needed_of(parts_of(itemset, index), index, within)
