"""Exclusive answers of a block, and independent shares that fit the possible rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import SCALE
from privacy.survey.block import Block

__all__ = ["MOST_PATTERNS", "ItemPosition", "Together", "fitted", "outer", "together_in", "whole"]

Array: TypeAlias = NDArray[np.float64]
ItemPosition: TypeAlias = tuple[int, int]
"""Numbers of a question in its block, and of one of its items."""

MOST_PATTERNS: Final = 1 << 13
"""Combinations of answers that hang together, beyond which they are left aside."""

_MOST_SWEEPS: Final = 300
_SETTLED: Final = 1e-6
_STILL: Final = 1e-7


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """Parts of a block whose answers depend on each other.

    Parameters
    ----------
    parts : tuple of int
        Numbers of yes/no questions, single choices and options of a multi-select, in the order of the block.
    allowed : bool array, one axis for each of them
        Which of their answers can be true together.
    """

    parts: tuple[int, ...]
    allowed: NDArray[np.bool_]


def outer(tables: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the product of one entry of each table, one axis a table."""
    return reduce(np.multiply.outer, tables)


def together_in(
    block: Block, sets: Sequence[Sequence[ItemPosition]], sizes: Sequence[int]
) -> tuple[Together, ...]:
    """Return the parts that sets of answers join; none where a group has too many answers.

    Parameters
    ----------
    block : Block
    sets : sequence of sequences of ItemPosition
        Of each at most one is true.
    sizes : sequence of int
        Number of answers of each part.
    """
    first, part_of = 0, {}
    for number, question in enumerate(block.questions):
        for item in range(question.n_items):
            single = question.kind == "single"
            part_of[number, item] = (first, item) if single else (first + item, 1)
        first += 1 if question.kind == "single" else question.n_items
    joined: list[set[int]] = []
    for items in sets:
        own = {part_of[item][0] for item in items}
        disjoint = [group for group in joined if not group & own]
        joined = [*disjoint, own.union(*(group for group in joined if group & own))]
    together = []
    for group in sorted(map(sorted, joined)):
        shape = [sizes[part] for part in group]
        if np.prod(np.array(shape, dtype=np.float64)) > MOST_PATTERNS:
            return ()
        answers = np.indices(shape)
        allowed = np.ones(shape, dtype=np.bool_)
        for items in sets:
            parts = [part_of[item] for item in items]
            if parts[0][0] in group:
                allowed &= (
                    sum((answers[group.index(part)] == answer).astype(int) for part, answer in parts) <= 1
                )
        if not allowed.all():
            together.append(Together(parts=tuple(group), allowed=allowed))
    return tuple(together)


def fitted(stated: Sequence[Array], allowed: NDArray[np.bool_]) -> list[Array] | None:
    """Return independent shares that have the stated ones when only what is allowed is left.

    Notes
    -----
    Iterative proportional fitting. Where no distribution has the stated shares, as when they add up to more
    than 1, it stops somewhere near, once it comes no nearer.
    """
    weights = [share.copy() for share in stated]
    table = np.asarray(outer(weights), dtype=np.float64) * allowed
    if not table.sum():
        return None
    gap = np.inf
    for _ in range(_MOST_SWEEPS):
        before, gap = gap, 0.0
        for axis, share in enumerate(stated):
            others = tuple(other for other in range(len(stated)) if other != axis)
            now = table.sum(axis=others) / table.sum()
            gap = max(gap, float(np.abs(now - share).max()))
            change = np.divide(share, now, out=np.zeros_like(share), where=now > 0)
            weights[axis] = weights[axis] * change
            weights[axis] /= weights[axis].sum()
            scale = np.expand_dims(change, others)
            if not (table * scale).sum():
                return weights
            table = table * scale
        if gap < _SETTLED or abs(before - gap) < _STILL:
            break
    return weights


def whole(stated: NDArray[np.int64], weights: Array) -> NDArray[np.int64]:
    """Return ten-thousandths; none becomes impossible that was not stated to be."""
    weights_in_units = np.where(stated > 0, np.maximum(1, np.rint(SCALE * weights)), 0).astype(np.int64)
    weights_in_units[np.argmax(weights_in_units)] += SCALE - weights_in_units.sum()
    return weights_in_units
