"""Shares of events, which are functions of the reports to blocks: patterns of items, and skips."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.channel_scores import adjoint
from privacy.channels import numerator
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts, check_cells, exactly, of_one_group
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.moments import check_rows
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile
from privacy.printed import UNCHECKED, Measured
from privacy.scales.share_intervals import Quadratics
from privacy.survey.answer_probabilities import item_probability
from privacy.survey.design import Design

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
class _Share:
    """The estimated share of an event (any function of the blocks' reports), and its error.

    Parameters
    ----------
    groups : list of (ndarray of int, ndarray of float)
        For each group, the number of rows with each report, and the scores of reports.
    """

    groups: list[tuple[Whole, Array]]

    @classmethod
    def of(cls, weights: Array, rows: Whole, parts: Sequence[BlockPatterns]) -> _Share:
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
    share = _Share.of(_event_indicator(event, parts), pattern_rows(counts, parts, index, within), parts)
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
        shift=_mean_shift(values, merged, forged),
        origin=UNCHECKED,
    )


def _mean_shift(scores: Array, rows: Whole, forged: int) -> float:
    """Return how far some rows with equal reports can have moved the mean of scores."""
    return float(ratio_shift(scores[None], np.ones(len(scores)), rows.astype(np.float64), forged)[0])


def _event_indicator(event: Event, parts: Sequence[BlockPatterns]) -> Array:
    """Return 1 for reports in the event, otherwise 0; a skip never belongs to the event."""
    # Bring the axes of `event.holds`, one per item, into the order of the blocks.
    order = [item for part in parts for item in part.items]
    holds = np.transpose(event.holds, [event.items.index(item) for item in order])
    indicator = np.zeros([len(part.nodes) for part in parts])
    indicator[tuple(part.patterns for part in parts)] = holds.reshape([len(part.bits) for part in parts])
    return indicator


def skipped_terms(block: int, design: Design) -> tuple[Columns, ...]:
    """Return the columns to count for `skipped_interval`: rows asked a block, and rows that answered it.

    For a rotating block, these are needed for each question.

    Parameters
    ----------
    block : int
        Number of the block.
    design : Design
        Design of the survey.
    """
    part, presence = _skip_patterns(block, design)
    index = index_of(design)
    return tuple(key for rows in presence for key in reversed(needed_of([part], index, rows)))


def skipped_interval(counts: SupportCounts, block: int, design: Design, *, forged: int = 0) -> Measured:
    """Estimate the share of respondents asked who skip a block, with its 95% interval for the population.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `skipped_terms(block, design)`.
    block : int
        Number of a block that offers a skip.
    design : Design
        Design of the survey.
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``skip_not_offered``, and the errors of `estimate`.

    Notes
    -----
    The estimate is stratified. "Skipped" is treated as an additional answer with decoy probability q = r.
    This also holds for a number or a place, where p is the probability that the sent value depends on the
    answer (`privacy.scales.skips.Skipping.truth`). In a rotating block, each row is counted for each of
    its j questions, and the sum is divided by j.

    The interval contains the shares t with (P - t)^2 <= c V(t), where V(t) is the variance of the estimate if
    t is the true share. With z the score of a row (`privacy.estimation.moments`) and s the derivative of the
    mean of z^2 by the share of skips, n (V(t) - V(P)) = s (t - P) - (t^2 - P^2). With one group, this is
    Wilson's interval of the reported share.

    References
    ----------
    Wilson 1927.

    Examples
    --------
    p = .5 and r = .2; 30 of 100 rows are skipped. Wilson's interval of that share is [.2189, .3958]; subtract
    .1 and divide by .5:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=2000,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> share = skipped_interval(SupportCounts({(): (0, 100), (2,): (0, 70)}), 0, design)
    >>> round(share.value, 3), round(share.low, 4), round(share.high, 4)
    (0.4, 0.2379, 0.5917)
    """
    part, presence = _skip_patterns(block, design)
    index = index_of(design)
    rows = np.sum([pattern_rows(counts, [part], index, columns) for columns in presence], axis=0)
    rows = rows // (part.block.most_asked if part.block.is_rotating else 1)
    indicator = np.array([0.0, 1.0])
    share = _Share.of(indicator, rows, [part])
    limit, value, n = chi_square_quantile(0.95), share.value, share.n
    slope = 0.0
    for group, weight in enumerate(rows.sum(axis=0) / n):
        if weight:
            squares = (part.numerator(indicator, group) / part.truth[group]) ** 2
            answered, skipped = part.backward(squares, group)
            slope += weight * (skipped - answered)
    # n V(0), extrapolated from the estimate.
    start = n * share.standard_error**2 - slope * value + value**2
    low, high = Quadratics(
        c0=np.array([n * value**2 - limit * start]),
        c1=np.array([-2 * n * value - limit * slope]),
        c2=np.array([n + limit]),
    ).roots()
    return Measured(
        value=value,
        low=float(np.fmin(low, value)[0]),
        high=float(np.fmax(high, value)[0]),
        standard_error=share.standard_error,
        estimable=bool(low[0] > 0 or high[0] < 1),
        n=int(n),
        effective_n=float(n),
        level=0.95,
        possible=(0.0, 1.0),
        method="accepted shares",
        shift=_mean_shift(
            np.concatenate([z for own, z in share.groups if own.any()]),
            np.concatenate([own for own, _ in share.groups if own.any()]),
            forged,
        ),
        origin=UNCHECKED,
    )


def _skip_patterns(block: int, design: Design) -> tuple[BlockPatterns, list[Columns]]:
    """Return a block with the letters "answered" and "skipped", and the columns of rows that were asked it.

    A rotating block has one set of columns for each question.
    """
    number = validation.whole_number(block, "block", low=0, high=len(design.blocks) - 1, code="block")
    if design.blocks[number].refusal is None:
        raise PrivacyError("skip_not_offered", number, blocks=design.blocks[number].key)
    first = design.first_questions[number]
    size = len(design.blocks[number].questions) if design.blocks[number].is_rotating else 1
    presence: list[Columns] = [
        (design.asked_column(question),) if design.can_be_missing(question) else ()
        for question in range(first, first + size)
    ]
    return patterns_of_block(index_of(design), number, ()), presence
