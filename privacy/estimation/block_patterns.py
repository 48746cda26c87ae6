"""Reports to an itemset's blocks as letters, the rows with each combination, and the share of an event."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels import adjoint, numerator
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts, check_cells, exactly, of_one_group
from privacy.estimation.design_index import DesignIndex
from privacy.estimation.moments import check_rows
from privacy.survey.answer_probabilities import item_probability

MOST_EVENT_ITEMS: Final = 12
GROUPS: Final = (0, 1)
"""Positions of the direct and the protected group on an axis of groups."""


class BlockPatterns:
    """One block's part of an itemset, as the letters of a retention channel.

    Parameters
    ----------
    index : DesignIndex
    block : int
    items : Columns
        Items of the block; empty if only the skip matters.

    Attributes
    ----------
    nodes : list of Columns or None
        Sets of columns to count, one per letter; None if no row can have them all. The letters are the
        patterns of the items, with the last item varying fastest, then a skip if the block offers one.
    truth : (float, float)
        p of the direct and of the protected group; 1 if nothing is disguised.
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
            None if index.excluded_pair(subset) is not None else subset for subset in subsets
        ]
        if self.skippable:
            # A skip matches no pattern, so "has none of the items" requires an answer.
            self.nodes[0] = (self.design.answered_column(block),)
            self.nodes.append(())

    @property
    def patterns(self) -> slice:
        """The letters that are patterns."""
        return slice(0, len(self.bits))

    def exact(self, counts: Whole, axis: int) -> Whole:
        """Convert counts of "at least these items" to "exactly these", and of "any row" to "skipped"."""
        counts = np.moveaxis(counts, axis, 0).copy()
        if self.skippable:
            counts[-1] -= counts[0]
        inner = counts[self.patterns]
        table = inner.reshape((2,) * len(self.items) + inner.shape[1:])
        counts[self.patterns] = exactly(table, range(len(self.items))).reshape(inner.shape)
        return np.moveaxis(counts, 0, axis)

    def backward(self, values: Array, group: int) -> Array:
        """Return the expected value of a report for each true letter, given a value for each reported one."""
        return adjoint(values, self.truth[group], self.decoys)

    def numerator(self, events: Array, group: int, *, axis: int = 0) -> Array:
        """Return p times the score of events, f - (1 - p) q.f, along an axis of reports."""
        decoys = self.decoys.reshape((-1,) + (1,) * (events.ndim - axis - 1))
        return numerator(events, self.truth[group], (decoys * events).sum(axis=axis, keepdims=True))

    @cached_property
    def decoys(self) -> Array:
        """q, the probability of each letter in a decoy of the block; 0 for an open block."""
        if not self.disguised:
            return np.zeros(len(self.nodes))
        skipped = Fraction(self.block.refusal or 0, SCALE)
        probabilities = [
            item_probability(self.design, dict(zip(self.items, map(bool, bits), strict=True)))
            if self.items
            else 1 - skipped
            for bits in self.bits
        ]
        return np.array([*probabilities, skipped] if self.skippable else probabilities, dtype=np.float64)


def parts_of(itemset: Columns, index: DesignIndex) -> list[BlockPatterns]:
    """Split an itemset by block; refuse an empty itemset, or one with more than 12 items.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    index : DesignIndex
        Index of the design.
    """
    items = index.check(itemset)
    if not 1 <= len(items) <= MOST_EVENT_ITEMS:
        raise PrivacyError(
            "itemset.patterns", items, count=len(items), patterns=2 ** len(items), most=MOST_EVENT_ITEMS
        )
    index.refuse_unreachable(items)
    by_block = itertools.groupby(items, key=lambda item: int(index.block[item]))
    return [patterns_of_block(index, block, tuple(part)) for block, part in by_block]


@lru_cache(maxsize=1024)
def patterns_of_block(index: DesignIndex, block: int, items: Columns) -> BlockPatterns:
    """Return one block's part of an itemset, cached because many itemsets share parts.

    Parameters
    ----------
    index : DesignIndex
        Index of the design.
    block : int
        Number of the block.
    items : tuple of int
        Items of the itemset in this block.
    """
    return BlockPatterns(index, block, items)


def keys_of(
    parts: Sequence[BlockPatterns], index: DesignIndex, within: Columns | None
) -> list[Columns | None]:
    """Return the columns to count for each combination of the blocks' reports; None if it is impossible.

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
    """Return the distinct sets of columns to count.

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
    """Return the number of rows with each combination of reports to an itemset's blocks.

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Share:
    """The estimated share of an event (any function of the blocks' reports), and its error.

    Parameters
    ----------
    groups : list of (ndarray of int, ndarray of float)
        For each group, the number of rows with each report, and the scores of reports.
    """

    groups: list[tuple[Whole, Array]]

    @classmethod
    def of(cls, weights: Array, rows: Whole, parts: Sequence[BlockPatterns]) -> Share:
        """Score rows by their reports to each block; the last axis of `rows` is the group."""
        check_rows(rows.sum())
        groups = []
        for group in GROUPS:
            own, numerators, truth = rows[..., group].ravel(), weights, 1.0
            for axis, part in enumerate(parts):
                numerators = part.numerator(numerators, group, axis=axis)
                truth *= part.truth[group]
            if own.any() and not truth:
                raise PrivacyError("truth_probability.stratified", 0)
            groups.append((own, numerators.ravel() / (truth or 1.0)))
        return cls(groups=groups)

    @cached_property
    def n(self) -> int:
        """Number of rows in both groups."""
        return int(sum(own.sum() for own, _ in self.groups))

    @cached_property
    def value(self) -> float:
        """Mean score of a row."""
        return float(sum((own * z).sum() for own, z in self.groups) / self.n)

    @cached_property
    def standard_error(self) -> float:
        """Standard error of the mean, for the population."""
        squares = sum((own * z**2).sum() for own, z in self.groups)
        variance = squares / self.n - self.value**2
        # A value this small relative to the sum is 0 with a rounding error.
        return float(np.sqrt(variance / self.n)) if variance > 1e-14 * squares / self.n else 0.0
