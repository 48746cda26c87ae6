"""Cells of a pair of itemsets: rows that look alike to both, counted by inclusion and exclusion."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.counts import Columns, SupportCounts, check_cells
from privacy.estimation.design_index import Cut, Cutter, remember
from privacy.estimation.lattice import BOTH, FIRST, SECOND, Shape, lattice_of

__all__ = ["Cells", "Pair", "cells", "pair_terms", "pattern_cells"]

Pair: TypeAlias = tuple[Columns, Columns]
"""Two itemsets; the second may be empty."""

AT_ONCE: Final = 4096
"""Pairs worked on together: enough to forget Python's overhead, few enough to stay in the cache."""


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts and matches by cell, for `R` pairs of one shape.

    Parameters
    ----------
    positions : int array, shape (R,)
        Which of the given pairs these are.
    direct : int array, shape (R, cells of the direct group)
    direct_match : float array, shape (3, cells of the direct group)
        1 where a row of the cell matches the union, the first, the second itemset.
    protected : int array, shape (R, cells of the protected group)
    numerator : float array, shape (3, R, cells of the protected group)
        Product over touched protected blocks of ([match] - (1-p) q), 0 where an open part fails.
    truth : float array, shape (3, R)
        Product of the touched blocks' p; score of a protected row = numerator / truth.
    shared : float array, shape (R,)
        Product of p over the blocks that both itemsets touch.
    n_blocks : int
        Number of disguised blocks that each pair touches.
    """

    positions: NDArray[np.intp]
    direct: NDArray[np.int64]
    direct_match: NDArray[np.float64]
    protected: NDArray[np.int64]
    numerator: NDArray[np.float64]
    truth: NDArray[np.float64]
    shared: NDArray[np.float64]
    n_blocks: int

    @cached_property
    def n_direct(self) -> NDArray[np.int64]:
        """Rows of the direct group, shape (R,)."""
        rows: NDArray[np.int64] = self.direct.sum(axis=1)
        return rows

    @cached_property
    def n_protected(self) -> NDArray[np.int64]:
        """Rows of the protected group, shape (R,)."""
        rows: NDArray[np.int64] = self.protected.sum(axis=1)
        return rows


@dataclass(frozen=True, kw_only=True)
class _Laid:
    """A pair laid along its lattice: the columns of each axis, the blocks in the shape's order."""

    pair: Pair
    shape: Shape
    cuts: tuple[Cut, Cut]
    blocks: tuple[int, ...]
    parts: tuple[tuple[Columns, Columns], ...]
    within: Columns
    keys: tuple[Columns | None, ...] = ()
    """Columns to count per node of the lattice; None where no row can have them all."""
    decoys: tuple[tuple[float, ...], ...] = ()
    """(1-p) q by side and block, 0 where a side does not touch the block."""
    truth: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shared: float = 1.0


def _laid(pair: Pair, cutter: Cutter, within: Columns | None) -> _Laid:
    """Lay a pair, once for all that is asked of it."""
    name = (pair[0], pair[1], within)
    known: _Laid | None = cutter.laid.get(name)
    if known is None:
        known = _lay(pair, cutter, within)
        decoys, truth, shared = _chances(known, cutter)
        known = replace(known, keys=tuple(_keys(known, cutter)), decoys=decoys, truth=truth, shared=shared)
        remember(cutter.laid, name, known)
    return known


def _chances(
    laid: _Laid, cutter: Cutter
) -> tuple[tuple[tuple[float, ...], ...], tuple[float, float, float], float]:
    decoys = [[0.0] * len(laid.blocks) for _side in range(3)]
    truth, shared = [1.0, 1.0, 1.0], 1.0
    for place, (block, parts) in enumerate(zip(laid.blocks, laid.parts, strict=True)):
        p = cutter.truth[block]
        union = (*parts[0], *(item for item in parts[1] if item not in parts[0]))
        for which, items in ((BOTH, union), (FIRST, parts[0]), (SECOND, parts[1])):
            if items:
                truth[which] *= p
                if cutter.excluded(items) is None:
                    decoys[which][place] = (1 - p) * cutter.decoy(block, items)
        if parts[0] and parts[1]:
            shared *= p
    return tuple(tuple(side) for side in decoys), (truth[BOTH], truth[FIRST], truth[SECOND]), shared


def _lay(pair: Pair, cutter: Cutter, within: Columns | None) -> _Laid:
    cuts = (cutter.cut(pair[0]), cutter.cut(pair[1]))
    by_block = tuple(dict(zip(cut.blocks, cut.items, strict=True)) for cut in cuts)
    touched = sorted(
        {*cuts[0].blocks, *cuts[1].blocks},
        key=lambda block: (block not in by_block[0], block not in by_block[1], block),
    )
    return _Laid(
        pair=pair,
        shape=Shape(
            (bool(cuts[0].open), bool(cuts[1].open)),
            tuple((block in by_block[0], block in by_block[1]) for block in touched),
        ),
        cuts=cuts,
        blocks=tuple(touched),
        parts=tuple((by_block[0].get(block, ()), by_block[1].get(block, ())) for block in touched),
        within=cutter.within(within, tuple(sorted({*cuts[0].asked, *cuts[1].asked}))),
    )


def _keys(laid: _Laid, cutter: Cutter) -> list[Columns | None]:
    """Columns to count per node of the lattice; None where no row can have them all."""
    lattice = lattice_of(laid.shape)
    axes = [laid.parts[block][side] for block, side in laid.shape.axes]
    opened = laid.cuts[0].open, laid.cuts[1].open
    clash = cutter.excluded({*laid.cuts[0].open, *laid.cuts[1].open, *itertools.chain(*axes)}) is not None
    keys: list[Columns | None] = []
    for state, wanted in lattice.nodes:
        parts = [axes[axis] for axis in wanted]
        parts += [part for part, on in zip(opened, state, strict=True) if on]
        if clash and cutter.excluded({item for part in parts for item in part}) is not None:
            keys.append(None)
        else:
            keys.append(cutter.key([laid.within, *parts]))
    return keys


def pair_terms(pair: Pair, cutter: Cutter, within: Columns | None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts the cells of a pair need, each once."""
    return tuple(dict.fromkeys(key for key in _laid(pair, cutter, within).keys if key is not None))


def cells(
    counts: SupportCounts, pairs: Sequence[Pair], cutter: Cutter, within: Columns | None
) -> Iterator[Cells]:
    """Yield the cells of all pairs, those of one shape together, a few thousand at a time.

    Notes
    -----
    An axis is one itemset's part in one protected block. A row's cell says for each axis whether it
    matches; the number of such rows follows from the counts of unions of parts by inclusion and
    exclusion. A side whose open part fails has score 0 whatever its protected parts show: those axes
    are dropped there, so that an itemset alone needs 2^(protected blocks touched) counts and the total.
    """
    groups: dict[Shape, list[tuple[int, _Laid]]] = {}
    for position, pair in enumerate(pairs):
        laid = _laid(pair, cutter, within)
        groups.setdefault(laid.shape, []).append((position, laid))
    for shape, members in groups.items():
        for start in range(0, len(members), AT_ONCE):
            yield _cells(counts, shape, members[start : start + AT_ONCE])


def _cells(counts: SupportCounts, shape: Shape, members: Sequence[tuple[int, _Laid]]) -> Cells:
    lattice = lattice_of(shape)
    keys = [key for _, laid in members for key in laid.keys]
    table = counts.table(key for key in keys if key is not None)
    if len(table) < len(keys):
        filled = np.zeros((len(keys), 2), dtype=np.int64)
        filled[[row for row, key in enumerate(keys) if key is not None]] = table
        table = filled
    table = table.reshape(len(members), -1, 2)
    decoys = np.array([laid.decoys for _, laid in members]).reshape(len(members), 3, len(shape.blocks))
    truth = np.array([laid.truth for _, laid in members])
    shared = np.array([laid.shared for _, laid in members])

    second = any(laid.cuts[1].open or laid.cuts[1].blocks for _, laid in members[:1])
    match = [(a, b) for a in (0, 1) for b in ((0, 1) if second else (1,))]
    direct = np.stack([table[:, lattice.whole(bool(a), bool(b)), 0] for a, b in match], axis=1)
    direct = direct.reshape((len(members), 2, -1))
    direct[:, 0] -= direct[:, 1]
    if second:
        direct[:, :, 0] -= direct[:, :, 1]
    direct, protected = direct.reshape(len(members), -1), lattice.exact(table[:, :, 1])
    for rows in (direct, protected):
        check_cells(rows, lambda place: members[place][1].pair)
    return Cells(
        positions=np.array([position for position, _ in members]),
        direct=direct,
        direct_match=np.array([[a * b, a, b] for a, b in match], dtype=np.float64).T,
        protected=protected,
        numerator=lattice.numerators(decoys.transpose(1, 2, 0)),
        truth=truth.T,
        shared=shared,
        n_blocks=len(shape.blocks),
    )


def pattern_cells(rows: tuple[int, int], matching: tuple[int, int], *, decoy: float, truth: float) -> Cells:
    """Return the cells "does not match" and "matches" of one pattern of one block.

    Parameters
    ----------
    rows, matching : (int, int)
        All rows, and those that show the pattern, of the direct and of the protected group.
    decoy, truth : float
        (1-p) q and p.
    """
    return Cells(
        positions=np.array([0]),
        direct=np.array([[rows[0] - matching[0], matching[0]]]),
        direct_match=np.tile([0.0, 1.0], (3, 1)),
        protected=np.array([[rows[1] - matching[1], matching[1]]]),
        numerator=np.tile([0.0 - decoy, 1.0 - decoy], (3, 1, 1)),
        truth=np.full((3, 1), truth),
        shared=np.full(1, truth),
        n_blocks=1,
    )
