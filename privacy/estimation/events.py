"""Shares of events, any function of what blocks show: patterns of items, and skips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.estimates import Estimate, Measured, summarise
from privacy.estimation.moments import Estimator, Moments, Target, check_estimator, check_rows, check_target
from privacy.estimation.patterns import (
    GROUPS,
    BlockPatterns,
    needed_of,
    parts_of,
    pattern_rows,
    patterns_of_block,
)
from privacy.levels import chi_square_quantile
from privacy.scales.region_share import Quadratics
from privacy.survey.design import Design


def event_numerators(wanted: Array, parts: Sequence[BlockPatterns], group: int) -> Array:
    """Return p times the score of an event over all blocks, by what a row of a group shows.

    Parameters
    ----------
    wanted : ndarray
        Whether a cell is of the event, along an axis for each block.
    parts : sequence of BlockPatterns
        The blocks, in the order of the axes.
    group : int
        0 for direct rows, 1 for protected ones.
    """
    numerators = wanted
    for axis, part in enumerate(parts):
        numerators = part.numerator(numerators, group, axis=axis)
    return numerators


def event_interval(
    share: Estimate,
    wanted: Array,
    rows: Whole,
    parts: Sequence[BlockPatterns],
    *,
    target: Target,
    level: float = 0.95,
) -> Measured:
    """Give the estimated share of an event with its interval.

    Parameters
    ----------
    share : Estimate
        Share of the event, from these rows.
    wanted : ndarray, shape (letters of each block)
        1 where an answer is of the event, else 0.
    rows : ndarray of int, shape (letters of each block, 2)
        Rows by what they show; the last axis is the group.
    parts : sequence of BlockPatterns
    target : {"population", "respondents"}
    level : float, in (0, 1)

    Notes
    -----
    A share t is accepted where (P - t)^2 <= c V(t). V is the variance of the estimate P, moved from P to t.
    With d z the weighted score of a row (`privacy.estimation.moments`), s by how much the mean of (d z)^2
    grows where people move into the event (as the channel has it, people spread evenly in and out of it),
    D = sum of w_g d_g^2 and T = w_0 w_1 ((A_0 - A_1)/a)^2, which are 1 and 0 if stratified,

        n (V(t) - V(P)) = s (t - P) - D (t^2 - P^2)              for the population,
                        = s (t - P) - (D - T) (t - P) - T (t^2 - P^2)    about these respondents.

    In one group and one block that is Wilson's interval of the share that is shown.

    References
    ----------
    Wilson 1927.
    """
    limit, value = chi_square_quantile(level), share.value
    n = float(rows.sum())
    weights = rows.reshape(-1, 2).sum(axis=0) / n
    truth = np.array([math.prod(part.truth[group] for part in parts) for group in GROUPS])
    pooled = share.estimator == "pooled"
    divisor = np.full(2, weights @ truth) if pooled else truth
    possible = reduce(np.logical_and.outer, (part.can_be for part in parts))
    slope = sum(
        float(weights[group])
        * _slope(
            (event_numerators(wanted, parts, group) / divisor[group]) ** 2, wanted, possible, parts, group
        )
        for group in GROUPS
        if weights[group]
    )
    linear, squared, error = 0.0, float(weights @ (truth / divisor) ** 2), share.standard_error
    if target == "respondents":
        drawn = float(weights.prod() * np.diff(truth / divisor)[0] ** 2)
        linear, squared, error = squared - drawn, drawn, share.standard_error_respondents
    # n V at a share of 0.
    start = n * error**2 - (slope - linear) * value + squared * value**2
    low, high = Quadratics(
        c0=np.array([n * value**2 - limit * start]),
        c1=np.array([-2 * n * value - limit * (slope - linear)]),
        c2=np.array([n + limit * squared]),
    ).roots()
    return Measured(
        value=value,
        low=float(np.fmin(low, value)[0]),
        high=float(np.fmax(high, value)[0]),
        standard_error=error,
        estimable=bool(low[0] > 0 or high[0] < 1),
    )


def _slope(
    values: Array, wanted: Array, possible: Flags, parts: Sequence[BlockPatterns], group: int
) -> float:
    """Return the mean of values of what is shown for who is of the event, minus that for who is not."""
    for axis, part in enumerate(parts):
        values = part.backward(values, group, axis=axis)
    inside, outside = possible & (wanted > 0), possible & (wanted == 0)
    if not inside.any() or not outside.any():
        return 0.0
    return float(values[inside].mean() - values[outside].mean())


@dataclass(frozen=True, kw_only=True, eq=False)
class Event:
    """Patterns of some items.

    Parameters
    ----------
    items : Columns
        1 to 12 items of a design, ascending.
    holds : ndarray of bool, shape (2,) * items
        Whether a row with this pattern counts: position 1 of an axis for "has the item", 0 for "answered
        without it".
    """

    items: Columns
    holds: Flags


def estimate_event(
    counts: SupportCounts,
    event: Event,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Estimate:
    """Estimate the share of an event.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(event.items, design, within=within)`.
    event : Event
    design, estimator, within
        As for `estimate`.

    Returns
    -------
    Estimate
        Based on all respondents who were asked every item of the event. Respondents who skip a block count
        in no event that names an item of the block.

    Notes
    -----
    The score of a row is the sum of its scores for the patterns of the event; the errors are
    those of its mean, so every covariance between patterns is in them.

    References
    ----------
    Kan and Cao, equation 13 (printed as 12), summed over the patterns.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5. Of 100 rows 60 show a without b or b without a:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 50), (0, 1): (0, 20)})
    >>> one_of_two = np.array([[False, True], [True, False]])
    >>> estimate = estimate_event(counts, Event(items=(0, 1), holds=one_of_two), design)
    >>> round(estimate.value, 3), round(estimate.standard_error, 3)  # (.6 - .25)/.5, sqrt(.6 * .4/100)/.5
    (0.7, 0.098)
    """
    check_estimator(estimator)
    parts, rows = _event_rows(counts, event, design, within)
    return _share_of(_wanted(event, parts), rows, parts, estimator)


def event_share(
    counts: SupportCounts,
    event: Event,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    target: Target = "population",
    level: float = 0.95,
    within: Columns | None = None,
) -> Measured:
    """Return the share of an event with its interval.

    Parameters
    ----------
    counts : SupportCounts
        Counts of the column sets that `pattern_terms` returns.
    event : Event
    design : Design
        That they are of.
    estimator : str, optional
        "stratified" or "pooled".
    target : str, optional
        "population" or "respondents".
    level : float, optional
        Level of the interval, in (0, 1).
    within : tuple of int, optional
        Columns that a row must have to count.

    Notes
    -----
    Stratified and for the population by empirical likelihood, as the supports of itemsets have it; else by
    `privacy.estimation.events.event_interval`.
    """
    check_estimator(estimator)
    check_target(target)
    limit = chi_square_quantile(level)
    parts, rows = _event_rows(counts, event, design, within)
    wanted = _wanted(event, parts)
    share = _share_of(wanted, rows, parts, estimator)
    if (estimator, target) != ("stratified", "population"):
        return event_interval(share, wanted, rows, parts, target=target, level=level)
    shown = []
    for group in GROUPS:
        own, truth = rows[..., group].ravel(), math.prod(part.truth[group] for part in parts)
        if own.any():
            shown.append((own, event_numerators(wanted, parts, group).ravel() / truth))
    # Rows with equal scores are one cell: an empty cell then costs nothing that another one carries.
    values, places = np.unique(np.concatenate([z for _, z in shown]).round(14), return_inverse=True)
    merged = np.bincount(places, weights=np.concatenate([own for own, _ in shown])).astype(np.int64)
    sets = likelihood_sets(merged[None], values[None], -np.ones((1, len(values))), limit)
    inside = sets.inside(-np.inf, np.inf)
    return Measured(
        value=share.value,
        low=float(inside.low[0]),
        high=float(inside.high[0]),
        standard_error=share.standard_error,
        estimable=bool(sets.inside(0.0, 1.0).estimable[0]),
    )


def _event_rows(
    counts: SupportCounts, event: Event, design: Design, within: Columns | None
) -> tuple[list[BlockPatterns], Whole]:
    index = index_of(design)
    parts = parts_of(event.items, index)
    return parts, pattern_rows(counts, parts, index, within)


def _wanted(event: Event, parts: Sequence[BlockPatterns]) -> Array:
    """Return 1 for rows of the event, else 0; a skip never belongs to the event."""
    # Patterns of the event have one axis per item in ascending order; blocks ascend with their items.
    order = [item for part in parts for item in part.items]
    holds = np.transpose(event.holds, [event.items.index(item) for item in order])
    wanted = np.zeros([len(part.nodes) for part in parts])
    wanted[tuple(part.patterns for part in parts)] = holds.reshape([len(part.bits) for part in parts])
    return wanted


def _share_of(wanted: Array, rows: Whole, parts: Sequence[BlockPatterns], estimator: Estimator) -> Estimate:
    """Estimate the share of an event, any function of the shown answers of the blocks."""
    scored = np.stack([event_numerators(wanted, parts, group) for group in GROUPS], axis=-1).reshape(-1, 2)
    every = rows.reshape(-1, 2)
    check_rows(every.sum())
    truth = np.array([[math.prod(part.truth[group] for part in parts)] for group in GROUPS])
    moments = Moments(
        estimator=estimator,
        n_by_group=every.sum(axis=0)[:, None],
        truth=truth[:, None],
        numerators=(every * scored).sum(axis=0)[:, None, None],
        products=(every * scored**2).sum(axis=0)[:, None, None, None],
        shared=truth,
    )
    return summarise(
        moments,
        np.rint(wanted.ravel() @ every.sum(axis=1)).astype(np.int64)[None],
        one_block=sum(part.disguised for part in parts) <= 1,
        complete=moments.n_by_group,
        all_rows=np.zeros(1, dtype=np.bool_),
    )[0]


def skipped_terms(block: int, design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `skipped` needs: asked the block, and answered it.

    For a rotating block, both for each question.

    Parameters
    ----------
    block : int
        Its position in the design.
    design : Design
        That it is of.
    """
    part, presence = _skip(block, design)
    index = index_of(design)
    return tuple(key for rows in presence for key in reversed(needed_of([part], index, rows)))


def skipped_interval(counts: SupportCounts, block: int, design: Design, *, level: float = 0.95) -> Measured:
    """Give the stratified share of those asked who skip a block, with its interval for the population.

    Parameters
    ----------
    counts, block, design
        As for `skipped`.
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        As `skipped`.

    Examples
    --------
    p = .5, r = .2; 30 of 100 rows are skipped. Wilson has [.2189, .3958] for them, each less .1 and by .5:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=2000, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> share = skipped_interval(SupportCounts({(): (0, 100), (2,): (0, 70)}), 0, design)
    >>> round(share.value, 3), round(share.low, 4), round(share.high, 4)
    (0.4, 0.2379, 0.5917)
    """
    wanted, rows, part = _skip_rows(counts, block, design)
    share = _share_of(wanted, rows, [part], "stratified")
    return event_interval(share, wanted, rows, [part], target="population", level=level)


def skipped(
    counts: SupportCounts, block: int, design: Design, *, estimator: Estimator = "stratified"
) -> Estimate:
    """Estimate the share of those asked who skip a block.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `skipped_terms(block, design)`.
    block : int
        Position of a block that offers a skip.
    design, estimator
        As for `estimate`.

    Returns
    -------
    Estimate

    Raises
    ------
    PrivacyError
        ``skip_not_offered``, and what `estimate` raises.

    Notes
    -----
    "Skipped" is one more answer of the block, with decoy probability q = r; also for a number or a place,
    where p is the probability that the sent value depends on the answer
    (`privacy.scales.skipping.Skipping.truth`). In a rotating block, each row is counted with each of its j
    questions, and the sum divided by j.

    Examples
    --------
    p = .5, r = .2; 30 of 100 rows are skipped: (.3 - .1)/.5.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=2000, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> estimate = skipped(SupportCounts({(): (0, 100), (2,): (0, 70)}), 0, design)
    >>> round(estimate.value, 3)
    0.4
    """
    check_estimator(estimator)
    wanted, rows, part = _skip_rows(counts, block, design)
    return _share_of(wanted, rows, [part], estimator)


def _skip_rows(counts: SupportCounts, block: int, design: Design) -> tuple[Array, Whole, BlockPatterns]:
    part, presence = _skip(block, design)
    index = index_of(design)
    rows = np.sum([pattern_rows(counts, [part], index, columns) for columns in presence], axis=0)
    times = part.block.most_asked if part.block.is_rotating else 1
    return np.array([0.0, 1.0]), rows // times, part


def _skip(block: int, design: Design) -> tuple[BlockPatterns, list[Columns]]:
    """Return a block as "answered" and "skipped", and columns of those asked, of a drawn one by question."""
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
