"""Shares of all 2^m patterns of an itemset."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Estimates, summarise
from privacy.estimation.moments import Estimator, Moments, check_estimator, check_rows
from privacy.estimation.pattern_table import (
    GROUPS,
    MOST_ITEMS,
    BlockPatterns,
    keys_of,
    needed_of,
    parts_of,
    pattern_rows,
)
from privacy.survey.design import Design

__all__ = [
    "MOST_ITEMS",
    "Patterns",
    "estimated_events",
    "pattern_terms",
    "patterns",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Estimated shares of all patterns of an itemset.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    items : Columns
        Ascending, `m` of them; one axis each below, position 1 for "has it", 0 for "answered without it".
    value, standard_error, standard_error_respondents, observed_share : float array, shape (2,) * m
        As for `Estimate`.
    possible : bool array, shape (2,) * m
        False where no answer shows the pattern (two options of a single choice, or none of them all);
        its share is exactly 0.
    n, n_direct, n_protected : int
        Rows used.
    """

    estimator: Estimator
    items: Columns
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    observed_share: Array
    possible: Flags
    n: int
    n_direct: int
    n_protected: int


def pattern_terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `patterns` needs.

    They are the sub-itemsets; where a block can be skipped, also those who answered it.
    """
    index = index_of(design)
    return needed_of(parts_of(itemset, index), index, within)


def patterns(
    counts: SupportCounts,
    itemset: Columns,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Patterns:
    """Estimate the shares of all 2^m patterns of an itemset.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design, within=within)`.
    itemset : Columns
        1 to 12 items; here options of one single-choice question may stand together.
    design, estimator, within
        As for `estimate`.

    Returns
    -------
    Patterns

    Raises
    ------
    PrivacyError
        As for `estimate`.

    Notes
    -----
    A pattern e says of each item whether it is wanted. Per touched block it has a decoy chance
    q(e_b), the product over the block's questions; for a single choice "not o" has 1 - phi_o. Score,
    estimate and variances are those of an itemset with [match] and q taken for the pattern. A row
    that skips a block matches none of its patterns, so that they add up to the share that answers.
    For one block and m = 2

        P(e) = (P*(e) - (1-k)(1-p) q(e)) / (k + (1-k) p),  q = t1 t2, t1 (1-t2), (1-t1) t2, (1-t1)(1-t2).

    References
    ----------
    Kan and Cao, equations 9, 11, 13 (printed as 12), 15 and 16.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5; of 100 rows 40 show both, 10 only the first.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 70), (0, 1): (0, 40)})
    >>> table = patterns(counts, (0, 1), design)
    >>> table.value.round(2)  # (.2 - .125)/.5, (.3 - .125)/.5; (.1 - .125)/.5, (.4 - .125)/.5
    array([[ 0.15,  0.35],
           [-0.05,  0.55]])
    """
    check_estimator(estimator)
    index = index_of(design)
    parts = parts_of(itemset, index)
    rows = pattern_rows(counts, parts, [keys_of(parts, index, within)])[0]
    inner = tuple(part.patterns for part in parts)
    scored = [_scored(rows[..., group], parts, group) for group in GROUPS]
    table = estimated_events(
        estimator,
        rows,
        parts,
        matching=rows[inner].sum(axis=-1).ravel(),
        numerators=np.stack([numerators[inner].ravel() for numerators, _ in scored]),
        squares=np.stack([squares[inner].ravel() for _, squares in scored]),
    )
    possible = np.array(True)
    for part in parts:
        possible = np.logical_and.outer(possible, part.possible)
    shape = (2,) * sum(len(part.items) for part in parts)
    return Patterns(
        estimator=estimator,
        items=tuple(item for part in parts for item in part.items),
        value=table.value.reshape(shape),
        standard_error=table.standard_error.reshape(shape),
        standard_error_respondents=table.standard_error_respondents.reshape(shape),
        observed_share=table.observed_share.reshape(shape),
        possible=possible.reshape(shape),
        n=int(table.n[0]),
        n_direct=int(table.n_direct[0]),
        n_protected=int(table.n_protected[0]),
    )


def _scored(rows: Whole, parts: Sequence[BlockPatterns], group: int) -> tuple[Array, Array]:
    """Sum numerators of scores and their squares over what the rows of a group show, each cell an event."""
    numerators = squares = rows.astype(np.float64)
    for axis, part in enumerate(parts):
        numerators = part.sums(numerators, group, axis=axis)
        squares = part.squares(squares, group, axis=axis)
    return numerators, squares


def estimated_events(
    estimator: Estimator,
    rows: Whole,
    parts: Sequence[BlockPatterns],
    *,
    matching: Whole,
    numerators: Array,
    squares: Array,
) -> Estimates:
    """Estimate events of the same rows.

    Parameters
    ----------
    estimator, rows, parts
        As `patterns` has them; the last axis of the rows is the group.
    matching : int array, shape (events,)
        Received rows that show an event.
    numerators, squares : float array, shape (2, events)
        Sums over the rows of each group of the numerators of their scores, and of their squares.
    """
    n_by_group = rows.reshape(-1, 2).sum(axis=0)
    check_rows(n_by_group.sum())
    truth = np.array([math.prod(part.truth[group] for part in parts) for group in GROUPS])
    shape = numerators.shape
    moments = Moments.of_events(
        estimator,
        n_by_group=np.broadcast_to(n_by_group[:, None], shape),
        truth=np.broadcast_to(truth[:, None], shape),
        numerators=numerators,
        squares=squares,
    )
    return summarise(
        moments,
        matching,
        one_block=sum(part.disguised for part in parts) <= 1,
        complete=moments.n_by_group,
        all_rows=np.zeros(shape[1], dtype=np.bool_),
    )
