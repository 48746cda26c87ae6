"""Score the rows of two answers, and join those with equal scores."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.composed_parts import Factor, influence, states_of

SIDES: Final = (1, 2)
"""Rows of the antecedent and of the consequent in an array of scores."""

MOST_POSSIBLE: Final = 4_000
"""Largest number of possible cells; if there are more, empty cells are not included."""


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedRows:
    """Rows of a rule, grouped by score.

    Parameters
    ----------
    counts : ndarray of int64, shape (cells,)
        May contain zeros, for possible scores that no row has.
    scores : ndarray of float64, shape (3, cells) or (5, cells)
        For both sides, for the antecedent, for the consequent; then the scores that
        `privacy.estimation.comparison.comparison_factors` adds.
    n_direct, n_protected : int
        Number of rows that were asked everything in the rule.
    smallest_cell : int
        Number of rows in the smallest cell, as `measure_rules` counts cells. A part of a number or place
        matches if its score is above 0, that is, if the sent value supports it. With weights, multiplied by
        the effective number of rows (sum w)^2 / sum w^2 per row.
    is_drawn : bool
        Whether devices draw some of the rule's questions.
    all_rows : bool
        Whether `counts` includes rows that were asked only some blocks of the rule; their scores come from
        `privacy.estimation.composed_parts`.
    clusters : ClusterCount, optional
        Set if `scores` are sums over clusters of rows, or of rows with unequal weights, each a cluster.
    partial : PartialRows, optional
        The rows before they were scored, if `all_rows`: their scores depend on their numbers.
    effective_n : float, optional
        With weights, (sum w)^2 / sum w^2 over the rows that were asked everything.
    """

    counts: Whole
    scores: Array
    n_direct: int
    n_protected: int
    smallest_cell: int
    is_drawn: bool = False
    all_rows: bool = False
    clusters: ClusterCount | None = None
    partial: PartialRows | None = None
    effective_n: float | None = None

    @property
    def effective(self) -> float:
        """Number of complete rows of equal weight that would be as precise."""
        return self.n_direct + self.n_protected if self.effective_n is None else self.effective_n


@dataclass(frozen=True, kw_only=True, eq=False)
class PartialRows:
    """Arguments of `joined_rows` for rows that may have been asked only a part."""

    factors: Sequence[Factor]
    codes: Sequence[Whole]
    counts: Whole
    direct: Flags
    is_asked: Flags

    def joined(self, counts: Array | Whole) -> JoinedRows:
        """Score the rows again as if their cells had these counts."""
        whole_counts = np.asarray(counts).round().astype(np.int64)
        return joined_rows(self.factors, self.codes, whole_counts, direct=self.direct, is_asked=self.is_asked)


def joined_rows(
    factors: Sequence[Factor],
    codes: Sequence[Whole],
    counts: Whole,
    *,
    direct: Flags,
    is_asked: Flags | None = None,
) -> JoinedRows:
    """Multiply the factors of rows, and merge rows with equal scores.

    Parameters
    ----------
    factors : sequence of Factor
    codes : sequence of ndarray of int64, shape (cells,)
        For each factor, the code of the rows in each cell.
    counts : ndarray of int64, shape (cells,)
    direct : ndarray of bool, shape (cells,)
        Whether the rows of a cell are direct.
    is_asked : ndarray of bool, shape (axes, cells), optional
        Whether the rows of a cell were asked each drawn axis of the factors, in order; by default, they were
        asked all. Codes of axes that were not asked are ignored.

    Notes
    -----
    If a group has rows but none that were asked everything, only complete rows are used.
    """
    is_drawn, all_rows = any(factor.draws is not None for factor in factors), is_asked is not None
    if is_asked is None:
        factors = [replace(factor, draws=None) for factor in factors]
        is_asked = np.ones((0, len(counts)), dtype=np.bool_)
    complete = is_asked.all(axis=0)
    before = PartialRows(factors=factors, codes=codes, counts=counts, direct=direct, is_asked=is_asked)
    if all_rows:
        groups = [counts[direct], counts[~direct]]
        whole = [counts[direct & complete], counts[~direct & complete]]
        if not all(
            of_group.sum() == 0 or complete_rows.sum() > 0
            for of_group, complete_rows in zip(groups, whole, strict=True)
        ):
            own_codes = [of_factor[complete] for of_factor in codes]
            return joined_rows(factors, own_codes, counts[complete], direct=direct[complete])
    table, n = _scores_and_counts(factors, codes, counts, direct, is_asked)
    codes, counts, direct = [of_factor[complete] for of_factor in codes], counts[complete], direct[complete]
    n_direct = int(counts[direct].sum())
    # Round, because products of the same numbers in a different order must count as equal.
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
        partial=before if all_rows else None,
    )


def _scores_and_counts(
    factors: Sequence[Factor], codes: Sequence[Whole], counts: Whole, direct: Flags, is_asked: Flags
) -> tuple[Array, Whole]:
    """Return scores and counts of cells, including possible but empty cells if no rows are direct."""
    if counts[direct].sum() == 0:
        more, more_is_asked = _possible_states(factors)
        codes = [np.concatenate([of_factor, new]) for of_factor, new in zip(codes, more, strict=True)]
        # Skip sets of axes that no row was asked.
        patterns = {column.tobytes() for column in np.ascontiguousarray(is_asked.T)}
        seen = [column.tobytes() in patterns for column in np.ascontiguousarray(more_is_asked.T)]
        selected = np.concatenate([np.ones(len(counts), dtype=np.bool_), np.array(seen, dtype=np.bool_)])
        nobody = np.zeros(len(seen), dtype=np.int64)
        counts, direct = (
            np.concatenate([counts, nobody])[selected],
            np.concatenate([direct, np.zeros(len(seen), dtype=np.bool_)])[selected],
        )
        is_asked = np.concatenate([is_asked, more_is_asked], axis=1)[:, selected]
        codes = [of_factor[selected] for of_factor in codes]
    return influence(factors, codes, counts, direct=direct, is_asked=is_asked), counts


def _possible_states(factors: Sequence[Factor]) -> tuple[list[Whole], Flags]:
    """Return codes and asked axes of all possible protected rows; nothing if there are too many."""
    states = [states_of(factor, factor.split) for factor in factors]
    sizes = [len(state.codes) for state in states]
    if math.prod(sizes) > MOST_POSSIBLE:
        sizes = [0 for _ in sizes]
    places = np.indices(sizes).reshape(len(sizes), -1)
    codes = [state.codes[place] for state, place in zip(states, places, strict=True)]
    return codes, np.concatenate(
        [state.is_asked[:, place] for state, place in zip(states, places, strict=True)]
    )


def _smallest_cell(factors: Sequence[Factor], codes: Sequence[Whole], counts: Whole, direct: Flags) -> int:
    """Count the rows in the smallest cell of either group.

    Cells distinguish whether the open answers of each side match, and whether each disguised factor matches.
    If the open answers of a side do not match, its score is 0, so its disguised factors form no cells. Rows
    without a weight are in no cell.
    """
    counted = np.ones(len(counts), dtype=np.bool_)
    answers = []
    for factor, factor_codes in zip(factors, codes, strict=True):
        if (factor.scores == factor.scores[0]).all():
            counted &= factor.scores[0, factor_codes] > 0
        else:
            answers.append((factor, factor_codes))
    groups = [(True, direct & counted), (False, ~direct & counted)]
    if all(factor.is_open(direct=False) for factor, _factor_codes in answers):
        # If nothing is disguised, the groups need not be distinguished.
        groups = [(False, counted)]
    smallest = []
    for group, is_counted in groups:
        if not counts[is_counted].sum():
            continue
        holds, axes = [np.ones(len(counts), dtype=np.bool_) for _ in SIDES], []
        has_open = [False for _ in SIDES]
        for factor, factor_codes in answers:
            for position, side in enumerate(SIDES):
                # This side does not involve the factor.
                if (factor.scores[side] > 0).all():
                    continue
                match = factor.scores[side, factor_codes] > 0
                if factor.is_open(direct=group):
                    has_open[position] = True
                    holds[position] &= match
                else:
                    axes.append((position, match))
        for state in itertools.product(*((0, 1) if open_side else (1,) for open_side in has_open)):
            cell = is_counted & np.logical_and.reduce(
                [flags == on for flags, on in zip(holds, state, strict=True)]
            )
            smallest.append(_rarest([match for position, match in axes if state[position]], counts, cell))
    return min(smallest, default=0)


def _rarest(matches: Sequence[Flags], counts: Whole, is_counted: Flags) -> int:
    """Count the rows of the rarest combination of matches."""
    counted = counts[is_counted]
    if counted.sum() < 1 << len(matches):
        return 0
    code = sum(
        (match[is_counted].astype(np.int64) << bit for bit, match in enumerate(matches)),
        np.zeros_like(counted),
    )
    return int(np.bincount(code, weights=counted, minlength=1 << len(matches)).min())
