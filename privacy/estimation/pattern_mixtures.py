"""Rows of both groups by the patterns of itemsets, as mixtures that a likelihood is fitted to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.mixture import Mixture, along
from privacy.estimation.moments import check_rows
from privacy.estimation.patterns import BlockPatterns, keys_of, parts_of, pattern_rows
from privacy.survey.design import Design

__all__ = ["mixtures_of"]

_AT_ONCE: Final = 4096
"""Itemsets worked on together."""

_MOST_NUMBERS: Final = 1 << 22
"""Of their tables squared: 32 MB."""


def mixtures_of(
    counts: SupportCounts, itemsets: Sequence[Columns], design: Design
) -> Iterator[tuple[NDArray[np.intp], tuple[int, ...], Mixture]]:
    """Yield the rows by the patterns of each itemset's items, itemsets of one shape together.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design)` of each.
    itemsets : sequence of tuple of int
        Items of each.
    design : Design
        That they are of.

    Yields
    ------
    which : int array
        Positions of the itemsets in what was given.
    cell : tuple of int
        The pattern that has all items: the last one of each block; a skip stands behind it.
    table : Mixture
    """
    index = index_of(design)
    shapes: dict[tuple[tuple[int, bool], ...], list[tuple[int, list[BlockPatterns]]]] = {}
    for position, itemset in enumerate(itemsets):
        axes = parts_of(itemset, index)
        shapes.setdefault(tuple((len(axis.items), axis.skippable) for axis in axes), []).append(
            (position, axes)
        )
    for shape, members in shapes.items():
        size = math.prod(len(axis.nodes) for axis in members[0][1])
        at_once = max(1, min(_AT_ONCE, _MOST_NUMBERS // size**2))
        for start in range(0, len(members), at_once):
            some = members[start : start + at_once]
            every = [axes for _, axes in some]
            rows = pattern_rows(counts, every[0], [keys_of(axes, index, None) for axes in every])
            check_rows(rows.reshape(len(rows), -1).sum(axis=1))
            yield (
                np.array([position for position, _ in some]),
                tuple((1 << n_items) - 1 for n_items, _ in shape),
                _mixture(rows.astype(np.float64), every),
            )


def _mixture(rows: Array, every: Sequence[Sequence[BlockPatterns]]) -> Mixture:
    by_block = list(zip(*every, strict=True))
    possible = np.ones(len(every), dtype=np.bool_)
    for axes in by_block:
        possible = possible[..., None]
        possible = possible & along(np.stack([axis.can_be for axis in axes]), possible, -1)
    return Mixture(
        rows=np.ascontiguousarray(np.moveaxis(rows, -1, 0)),
        truth=[np.array([axis.truth for axis in axes]).T for axes in by_block],
        decoys=[np.stack([axis.decoys for axis in axes]) for axes in by_block],
        possible=possible,
        turned={
            block: np.stack([axis.turned for axis in axes])
            for block, axes in enumerate(by_block)
            if any(axis.block.near is not None and axis.disguised for axis in axes)
        },
    )
