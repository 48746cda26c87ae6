"""The share of respondents who skip a block, from disguised reports."""

from __future__ import annotations

import numpy as np

from privacy import validation
from privacy.errors import PrivacyError
from privacy.estimation.block_patterns import BlockPatterns, Share, needed_of, pattern_rows, patterns_of_block
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.forged import mean_shift
from privacy.levels import chi_square_quantile
from privacy.printed import UNCHECKED, Measured
from privacy.scales.share_intervals import Quadratics
from privacy.survey.design import Design


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
    share = Share.of(indicator, rows, [part])
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
        shift=mean_shift(
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
