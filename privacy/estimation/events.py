"""Shares of events: any set of patterns of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags
from privacy.estimation.block_patterns import BlockPatterns, Share, needed_of, parts_of, pattern_rows
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.forged import mean_shift
from privacy.levels import chi_square_quantile
from privacy.printed import UNCHECKED, Measured
from privacy.survey.design import Design


def pattern_terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns to count for the patterns of an itemset.

    These are the sub-itemsets and, for each block that can be skipped, the rows that answered it.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    design : Design
        Design of the survey.
    within : tuple of int, optional
        Columns that a row must have to count.
    """
    index = index_of(design)
    return needed_of(parts_of(itemset, index), index, within)


@dataclass(frozen=True, kw_only=True, eq=False)
class Event:
    """A set of patterns of items.

    Parameters
    ----------
    items : Columns
        1 to 12 items of a design, ascending.
    holds : ndarray of bool, shape (2,) * items
        Whether each pattern belongs to the event. On each axis, 1 means "has the item" and 0 "answered
        without it".
    """

    items: Columns
    holds: Flags


def event_share(
    counts: SupportCounts,
    event: Event,
    design: Design,
    *,
    level: float = 0.95,
    within: Columns | None = None,
    forged: int = 0,
) -> Measured:
    """Return the stratified share of an event with its interval for the population.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `pattern_terms(event.items, design, within=within)`.
    event : Event
    design, within
        As for `estimate`.
    level : float, optional
        Level of the interval, in (0, 1).
    forged : int
        Number of rows among them that no device sent.

    Returns
    -------
    Measured
        Based on all respondents who were asked every item of the event. Respondents who skip a block never
        belong to an event with an item of that block.

    Notes
    -----
    The score of a row is the sum of its scores for the patterns of the event. The error is that of the mean
    score, so it includes all covariances between patterns. The interval uses empirical likelihood, as for
    supports of itemsets.

    References
    ----------
    Kan and Cao, equation 13 (printed as 12), summed over the patterns.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5. 60 of 100 rows show either a or b, but not both:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 50), (0, 1): (0, 20)})
    >>> one_of_two = np.array([[False, True], [True, False]])
    >>> share = event_share(counts, Event(items=(0, 1), holds=one_of_two), design)
    >>> round(share.value, 3), round(share.standard_error, 3)  # (.6 - .25)/.5, sqrt(.6 * .4/100)/.5
    (0.7, 0.098)
    """
    limit = chi_square_quantile(level)
    index = index_of(design)
    parts = parts_of(event.items, index)
    share = Share.of(_event_indicator(event, parts), pattern_rows(counts, parts, index, within), parts)
    # Merge cells with equal scores, so that empty cells do not widen the interval needlessly.
    scores = np.concatenate([z for own, z in share.groups if own.any()]).round(14)
    values, places = np.unique(scores, return_inverse=True)
    rows = np.concatenate([own for own, _ in share.groups if own.any()])
    merged = np.bincount(places, weights=rows).astype(np.int64)
    sets = likelihood_sets(merged[None], values[None], -np.ones((1, len(values))), limit)
    inside = sets.inside(-np.inf, np.inf)
    return Measured(
        value=share.value,
        low=float(inside.low[0]),
        high=float(inside.high[0]),
        standard_error=share.standard_error,
        estimable=bool(sets.inside(0.0, 1.0).estimable[0]),
        n=int(share.n),
        effective_n=float(share.n),
        level=level,
        possible=(0.0, 1.0),
        method="scores",
        shift=mean_shift(values, merged, forged),
        origin=UNCHECKED,
    )


def _event_indicator(event: Event, parts: Sequence[BlockPatterns]) -> Array:
    """Return 1 for reports in the event, otherwise 0; a skip never belongs to the event."""
    # Bring the axes of `event.holds`, one per item, into the order of the blocks.
    order = [item for part in parts for item in part.items]
    holds = np.transpose(event.holds, [event.items.index(item) for item in order])
    indicator = np.zeros([len(part.nodes) for part in parts])
    indicator[tuple(part.patterns for part in parts)] = holds.reshape([len(part.bits) for part in parts])
    return indicator
