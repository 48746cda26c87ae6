"""Rules that join items with parts of numbers and of places, counted by score."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.clusters import ClusterCount
from privacy.estimation.composed_parts import Factor
from privacy.estimation.drawn_factors import influence, states_of

__all__ = ["JoinedRows", "joined_rows"]


SIDES: Final = (1, 2)
"""Antecedent and consequent, as the scores name them."""

MOST_POSSIBLE: Final = 4_000
"""Of cells that could occur: as many are kept in mind although nobody is in them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedRows:
    """Rows of a rule, grouped by score.

    Parameters
    ----------
    counts : ndarray of int64, shape (cells,)
        May hold zeros: such scores are possible, but no row has them.
    scores : ndarray of float64, shape (3, cells) or (5, cells)
        For both sides, for the antecedent, for the consequent; then what
        `privacy.estimation.comparison.comparison_factors` adds.
    n_direct, n_protected : int
        Rows that were asked everything in the rule.
    smallest_cell : int
        Rows in the smallest cell that `measure_rules` checks; a part of a number or of a place matches if its
        score is above 0, that is, if the sent value supports it.
    is_drawn : bool
        Whether devices draw some of the rule's questions.
    all_rows : bool
        Whether `counts` includes rows that were asked only some blocks of the rule; the scores are then those
        of `privacy.estimation.drawn_factors`.
    clusters : ClusterCount, optional
        Where `scores` are sums over clusters of rows.
    """

    counts: Whole
    scores: Array
    n_direct: int
    n_protected: int
    smallest_cell: int
    is_drawn: bool = False
    all_rows: bool = False
    clusters: ClusterCount | None = None


def joined_rows(
    factors: Sequence[Factor],
    codes: Sequence[Whole],
    counts: Whole,
    *,
    direct: Flags,
    is_asked: Flags | None = None,
) -> JoinedRows:
    """Multiply the factors of rows, and put rows together that score the same.

    Parameters
    ----------
    factors : sequence of Factor
    codes : sequence of ndarray of int64, shape (cells,)
        For each factor, the code that the rows of a cell show.
    counts : ndarray of int64, shape (cells,)
    direct : ndarray of bool, shape (cells,)
        Whether the rows of a cell are direct.
    is_asked : ndarray of bool, shape (axes, cells), optional
        The drawn axes of the factors, in order, that the rows of a cell were asked; by default all of them.
        Codes of axes that were not asked are ignored.

    Notes
    -----
    Where a group with rows has none that was asked everything, complete rows alone count.
    """
    is_drawn, all_rows = any(factor.drawn is not None for factor in factors), is_asked is not None
    if is_asked is None:
        factors = [replace(factor, drawn=None) for factor in factors]
        is_asked = np.ones((0, len(counts)), dtype=np.bool_)
    complete = is_asked.all(axis=0)
    if all_rows:
        groups = [counts[direct], counts[~direct]]
        whole = [counts[direct & complete], counts[~direct & complete]]
        if not all(own.sum() == 0 or left.sum() > 0 for own, left in zip(groups, whole, strict=True)):
            own_codes = [own[complete] for own in codes]
            return joined_rows(factors, own_codes, counts[complete], direct=direct[complete])
    table, n = _counted_for(factors, codes, counts, direct, is_asked)
    codes, counts, direct = [own[complete] for own in codes], counts[complete], direct[complete]
    n_direct = int(counts[direct].sum())
    # Products of the same numbers in another order are the same score.
    _, first, which = np.unique(table.round(12), axis=1, return_index=True, return_inverse=True)
    total = np.bincount(which.ravel(), weights=n, minlength=len(first)).astype(np.int64)
    return JoinedRows(
        counts=total,
        scores=table[:, first],
        n_direct=n_direct,
        n_protected=int(counts.sum()) - n_direct,
        smallest_cell=_smallest_cell(factors, codes, counts, direct),
        is_drawn=is_drawn,
        all_rows=all_rows,
    )


def _counted_for(
    factors: Sequence[Factor],
    codes: Sequence[Whole],
    counts: Whole,
    direct: Flags,
    is_asked: Flags,
) -> tuple[Array, Whole]:
    """What rows count for, those that are possible among them, and how many they are."""
    if counts[direct].sum() == 0:
        more, more_is_asked = _possible_states(factors)
        codes = [np.concatenate([own, new]) for own, new in zip(codes, more, strict=True)]
        # An axis that no row was asked cannot match.
        patterns = {column.tobytes() for column in np.ascontiguousarray(is_asked.T)}
        seen = [column.tobytes() in patterns for column in np.ascontiguousarray(more_is_asked.T)]
        selected = np.concatenate([np.ones(len(counts), dtype=np.bool_), np.array(seen, dtype=np.bool_)])
        nobody = np.zeros(len(seen), dtype=np.int64)
        counts, direct = (
            np.concatenate([counts, nobody])[selected],
            np.concatenate([direct, nobody > 0])[selected],
        )
        is_asked = np.concatenate([is_asked, more_is_asked], axis=1)[:, selected]
        codes = [own[selected] for own in codes]
    return influence(factors, codes, counts, direct=direct, is_asked=is_asked), counts


def _possible_states(factors: Sequence[Factor]) -> tuple[list[Whole], Flags]:
    """Codes of all protected rows that could be sent, with the axes they were asked, if they are few."""
    states = [states_of(factor, factor.sent) for factor in factors]
    sizes = [len(own.codes) for own in states]
    if math.prod(sizes) > MOST_POSSIBLE:
        sizes = [0 for _ in sizes]
    places = np.indices(sizes).reshape(len(sizes), -1)
    codes = [own.codes[at] for own, at in zip(states, places, strict=True)]
    return codes, np.concatenate([own.is_asked[:, at] for own, at in zip(states, places, strict=True)])


def _smallest_cell(factors: Sequence[Factor], codes: Sequence[Whole], counts: Whole, direct: Flags) -> int:
    """Count the rows of a group's smallest cell: cells are open answers by side, disguised ones by factor.

    A side whose open part does not match scores 0 whatever else a row shows, so its other parts form no
    cells.
    """
    groups = [(True, direct), (False, ~direct)]
    if all(factor.is_open(direct=False) for factor in factors):
        # Where nothing is disguised rows of both groups say the same.
        groups = [(False, np.ones_like(direct))]
    smallest = []
    for group, here in groups:
        if not counts[here].sum():
            continue
        holds, axes = [np.ones(len(counts), dtype=np.bool_) for _ in SIDES], []
        has_open = [False for _ in SIDES]
        for factor, own in zip(factors, codes, strict=True):
            for position, side in enumerate(SIDES):
                # Nothing is asked of it for this side, or it is a weight.
                if (factor.scores[side] > 0).all():
                    continue
                match = factor.scores[side, own] > 0
                if factor.is_open(direct=group):
                    has_open[position] = True
                    holds[position] &= match
                else:
                    axes.append((position, match))
        for state in itertools.product(*((0, 1) if opened else (1,) for opened in has_open)):
            cell = here & np.logical_and.reduce([own == on for own, on in zip(holds, state, strict=True)])
            smallest.append(_least([match for position, match in axes if state[position]], counts, cell))
    return min(smallest, default=0)


def _least(matches: Sequence[Flags], counts: Whole, here: Flags) -> int:
    """Count the rows of the rarest combination."""
    own = counts[here]
    if own.sum() < 1 << len(matches):
        return 0
    code = sum((match[here].astype(np.int64) << bit for bit, match in enumerate(matches)), np.zeros_like(own))
    return int(np.bincount(code, weights=own, minlength=1 << len(matches)).min())
