"""Rankings from a single choice among the orders of m things: mean ranks, first ranks, pairs."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels.retention import numerator
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts, check_cells
from privacy.estimation.design_index import index_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.measures import Measured
from privacy.estimation.moments import check_rows
from privacy.estimation.patterns import GROUPS
from privacy.levels import chi_square_quantile
from privacy.survey.design import Design

__all__ = ["RankingEstimate", "estimate_ranking", "orders", "ranking_terms"]


@dataclass(frozen=True, kw_only=True)
class RankingEstimate:
    """Estimates from the orders that people put m things in.

    Attributes
    ----------
    n : int
        Rows that were asked.
    mean_ranks : tuple of Measured, length m
        The mean rank of each thing, 1 to m; 1 is first.
    first : tuple of Measured, length m
        The share of people who put it first.
    before : tuple of tuple of (Measured or None), m by m
        Of row a and column b, the share who put a before b; None on the diagonal.
    shares : tuple of Measured, length m!
        The share of each order, as `orders` lists them.
    """

    n: int
    mean_ranks: tuple[Measured, ...]
    first: tuple[Measured, ...]
    before: tuple[tuple[Measured | None, ...], ...]
    shares: tuple[Measured, ...]


def orders(size: int) -> list[tuple[int, ...]]:
    """Return the orders of so many things, each as the things by their ranks, in lexicographic order.

    Parameters
    ----------
    size : int
        Things that are ranked.

    Examples
    --------
    >>> orders(3)
    [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    """
    return list(itertools.permutations(range(size)))


def ranking_terms(question: int, design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `estimate_ranking` needs.

    Those asked, where the question can be skipped those who answered, and each order.

    Parameters
    ----------
    question : int
        Its position in the design.
    design : Design
        That it is of.
    """
    return tuple(key for key in _keys(question, design) if key is not None)


def _keys(question: int, design: Design) -> list[Columns | None]:
    index = index_of(design)
    items = [item.index for item in design.items if item.question == question]
    block = design.block_of(question)
    presence = index.asked_of(items)
    skips = design.blocks[block].refusal is not None
    answered = index.key([presence, (design.answered_column(block),)]) if skips else None
    return [presence, answered, *(index.key([presence, (item,)]) for item in items)]


def estimate_ranking(
    counts: SupportCounts, question: int, design: Design, *, level: float = 0.95
) -> RankingEstimate:
    """Estimate mean ranks, first ones, pairs and orders of those who put things in order.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `ranking_terms(question, design)`.
    question : int
        A single choice with m! options, the orders of m things as `orders` lists them.
    design : Design
    level : float
        Of the intervals, in (0, 1).

    Returns
    -------
    RankingEstimate

    Raises
    ------
    PrivacyError
        ``question``: it has no m! options; ``level``; ``no_rows``; ``truth_probability``: p = 0 in a group
        with rows; ``missing_count``, ``count``.

    Notes
    -----
    A row that shows y scores z_f = (f(y) - (1 - p) q.f) / p for a function f of the order, which is 0 for a
    skip; its mean is unbiased for the mean of f (stratified: every row counts alike). With f the rank of a
    thing that is the mean rank, 1 + the sum over the others of the share who put that one before it, and
    its variance holds the covariances of these shares. All figures are of those who answer: with a = 1 for
    every order the ratio R = sum z_f / sum z_a, with error sqrt(sum (z_f - R z_a)^2) / sum z_a; without a
    skip z_a = 1, and this is the standard error of a mean. Intervals invert the test of "mean of z_f - t z_a
    is 0" by empirical likelihood, within the range that f has.

    References
    ----------
    Owen 2001, chapter 2.

    Examples
    --------
    p = .5 and even decoys; 40 of 100 rows show the first of six orders, 12 each of the others:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=(Question(key="order", kind="single", options=tuple("abcdef"),
    ...                               unrelated=(1667, 1667, 1667, 1667, 1666, 1666)),)),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 40)} | {(item,): (0, 12) for item in range(1, 6)})
    >>> ranking = estimate_ranking(counts, 0, design)
    >>> round(ranking.shares[0].value, 2), round(ranking.mean_ranks[0].value, 2)  # (.4 - .5/6)/.5, below
    (0.63, 1.44)

    52 of 100 rows show the first thing at rank 1, 24 at rank 2 and 24 at rank 3: 1.72 on average, and
    decoys 2 on average, so (1.72 - .5 * 2)/.5 = 1.44.
    """
    limit = chi_square_quantile(level)
    listed = orders(_size(design, question))
    size = len(listed[0])
    rows = _rows(counts, question, design)
    check_rows(rows.sum())
    ranks = np.array([np.argsort(order) for order in listed]).T.astype(np.float64)
    pairs = list(itertools.combinations(range(size), 2))
    events = np.vstack(
        [
            ranks + 1,
            ranks == 0,
            [ranks[first] < ranks[other] for first, other in pairs],
            np.eye(len(listed)),
        ]
    )
    highest = np.array([float(size)] * size + [1.0] * (len(events) - size))
    lowest = np.array([1.0] * size + [0.0] * (len(events) - size))
    estimates = _means(rows, question, design, events, np.stack([lowest, highest], axis=1), limit)
    before = dict(zip(pairs, estimates[2 * size :], strict=False))
    return RankingEstimate(
        n=int(rows.sum()),
        mean_ranks=tuple(estimates[:size]),
        first=tuple(estimates[size : 2 * size]),
        before=tuple(
            tuple(
                before.get((first, other)) or (None if first == other else _otherwise(before[other, first]))
                for other in range(size)
            )
            for first in range(size)
        ),
        shares=tuple(estimates[-len(listed) :]),
    )


def _otherwise(share: Measured) -> Measured:
    """Return the share of the others among those who answer."""
    return replace(share, value=1 - share.value, low=1 - share.high, high=1 - share.low)


def _size(design: Design, question: int) -> int:
    """Return m of a question with m! options."""
    ranked = design.questions[question]
    size = next((size for size in range(2, 8) if math.factorial(size) == len(ranked.options)), None)
    if ranked.kind != "single" or size is None:
        raise PrivacyError("question.no_ranking", ranked.key, count=len(ranked.options))
    return size


def _rows(counts: SupportCounts, question: int, design: Design) -> Whole:
    """Return rows by what they show, the orders and behind them a skip, and by group: (letters, 2)."""
    presence, answered, *items = _keys(question, design)
    table = counts.table(key for key in (presence, answered, *items) if key is not None)
    skipped = table[:1] - (table[:1] if answered is None else table[1:2])
    rows: Whole = np.concatenate([table[-len(items) :], skipped])
    check_cells(rows, lambda position: (items[position] if position < len(items) else presence) or ())
    return rows


def _means(
    rows: Whole, question: int, design: Design, events: Array, ranges: Array, limit: float
) -> list[Measured]:
    """Return the means of functions of the order, one a row, with intervals inside their ranges."""
    counts, scores = _scored(rows, question, design, np.vstack([events, np.ones(events.shape[1])]))
    scores, answers = scores[:-1], scores[-1]
    people = float(counts @ answers)
    values = scores @ counts / people if people > 0 else np.full(len(events), math.nan)
    off = scores - values[:, None] * answers
    errors = np.sqrt(off**2 @ counts) / people if people > 0 else values
    merged = [_merged(counts, np.stack([score, answers])) for score in scores]
    cells = np.array([own for _counts, own in merged])
    sets = likelihood_sets(np.array([own for own, _cells in merged]), cells[:, 0], -cells[:, 1], limit)
    estimates = []
    for number, (low, high) in enumerate(ranges.tolist()):
        inside = sets.part(slice(number, number + 1)).inside(low, high)
        estimates.append(
            Measured(
                value=float(values[number]),
                low=float(inside.low[0]),
                high=float(inside.high[0]),
                standard_error=float(errors[number]) if people > 0 else None,
                estimable=bool(inside.estimable[0]) and people > 0,
            )
        )
    return estimates


def _scored(rows: Whole, question: int, design: Design, events: Array) -> tuple[Whole, Array]:
    """Return rows by letter and group, and their scores of functions of the order, which are 0 of a skip.

    Letters that some could show, and no row does, are cells all the same: the likelihood counts them in.
    """
    block = design.block_of(question)
    of_block, ranked = design.blocks[block], design.questions[question]
    truth = index_of(design).truth[:, block].tolist() if of_block.protected else [1.0, 1.0]
    groups = [group for group in GROUPS if rows[:, group].any()]
    if any(truth[group] == 0 for group in groups):
        raise PrivacyError("truth_probability.stratified", 0)
    skip = (of_block.refusal or 0) / SCALE
    shares = np.array([float(share) for share in ranked.decoy_shares] or [0.0] * len(ranked.options))
    decoys = np.append((1 - skip) * shares, skip)
    values = np.pad(events, ((0, 0), (0, 1)))
    drawn = (values @ decoys)[:, None]
    scores = [numerator(values, truth[group], drawn) / truth[group] for group in groups]
    letters = slice(None if of_block.refusal is not None else -1)
    return (
        np.concatenate([rows[letters, group] for group in groups]),
        np.concatenate([own[:, letters] for own in scores], axis=1),
    )


def _merged(counts: Whole, scores: Array) -> tuple[Whole, Array]:
    """Return rows by cell, and their scores; cells that cannot occur are 0.

    Rows with equal scores are one cell: an empty one then costs nothing that another one carries.
    """
    cells, cell_of = np.unique(scores.round(14), axis=1, return_inverse=True)
    rows = np.bincount(cell_of.ravel(), weights=counts)
    room = len(counts) - cells.shape[1]
    return np.pad(rows, (0, room)).astype(np.int64), np.pad(cells, ((0, 0), (0, room)))
