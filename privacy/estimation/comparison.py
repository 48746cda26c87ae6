"""Compare a share or a mean among respondents with an answer to that among all others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.clusters import ClusterCount, threshold_of
from privacy.estimation.composed_parts import MEAN, Factor, Side, factors_of
from privacy.estimation.composed_rules import JoinedRows
from privacy.estimation.counts import Columns
from privacy.estimation.empirical_likelihood import likelihood_ratio, likelihood_sets
from privacy.estimation.fieller import score_test_sets
from privacy.estimation.measures import Measured
from privacy.levels import normal_quantile
from privacy.policy import FEW_ROWS, RELIABLE_ERRORS
from privacy.survey.design import Design

__all__ = ["Comparison", "compare", "comparison_factors", "weighted_factors"]

_DETECTED: Final = float(normal_quantile(0.95) + scipy.special.ndtri(0.8))
"""Standard errors of a difference that a test at .05 finds 8 times in 10."""

MOST_CELLS: Final = 20_000
"""Of rows with different scores: beyond them intervals invert the score test, which needs moments only."""

_RAREST: Final = 0.05
"""A share below it of those who have the answer is taken as it where errors are foretold."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two parts of the people have, and how far apart they are.

    Parameters
    ----------
    having, others : Measured
        The share or mean among those with the answer, and among all others who were asked.
    difference : Measured
        The first less the second.
    lift : Measured
        The share among those with the answer, divided by the share among everyone; shares only.
    leverage : Measured
        For a share: the joint share less the product of the two shares.
    share, everybody, both : float
        Among the rows that count: the share with the answer, the compared share or mean, and the share with
        both.
    p_value : float
        Two-sided, of "there is no difference".
    detectable : float
        Difference that these rows detect with 80% power; may exceed any possible difference.
    n : int
        Rows that were asked everything.
    n_used : int
        Rows that count, including those asked only a part because devices draw the questions.
    n_direct, n_protected : int
    few_rows : bool
    """

    having: Measured
    others: Measured
    difference: Measured
    lift: Measured
    leverage: Measured
    share: float
    everybody: float
    both: float
    p_value: float
    detectable: float
    n: int
    n_used: int
    n_direct: int
    n_protected: int
    few_rows: bool

    def needed(self, difference: float) -> int:
        """Return the number of respondents needed to detect a difference with 80% power."""
        return math.ceil(self.n_used * (self.detectable / difference) ** 2)


def comparison_factors(by: Side, outcome: Side, design: Design) -> tuple[Factor, ...]:
    """Return the factors of the scores of a row: of both sides, of `by`, of `outcome`.

    A mean is one among answers: where its number may be skipped two scores more say who answered, of `by`
    and of everyone, and rows that were asked everything alone count.

    Parameters
    ----------
    by : Side
        The answer that divides respondents into two groups.
    outcome : Side
        The compared outcome: answers, or the number whose mean is compared.
    design : Design
        The design that asks both.

    Raises
    ------
    PrivacyError
        As `privacy.estimation.composed_parts.factors_of`.
    """
    factors = factors_of(by, outcome, design)
    means = [part for part in outcome.parts if part.wanted == MEAN]
    blocks = [design.blocks[design.block_of(part.question)] for part in means]
    if not any(block.refusal is not None for block in blocks):
        return factors
    (part,) = means
    last = design.questions[part.question].disguise.inputs - 1  # type: ignore[union-attr]  # it is a number
    answered = factors_of(by, Side(parts=(replace(part, wanted=(0, last)),)), design)
    return tuple(
        replace(own, scores=np.concatenate([own.scores, other.scores[[0, 2]]]), drawn=None)
        for own, other in zip(factors, answered, strict=True)
    )


def weighted_factors(factors: Sequence[Factor], items: Columns, weights: Array) -> tuple[Factor, ...]:
    """Return the factors of rows of unequal weight.

    Parameters
    ----------
    factors : sequence of Factor
    items : Columns
        Items of open questions.
    weights : ndarray of float64, shape (2^items,)
        Weight of a row by its open items: bit i of the index represents item i.

    Notes
    -----
    Rows that were asked everything alone count.
    """
    whole = [replace(factor, scores=_with_base(factor.scores), drawn=None) for factor in factors]
    scores = np.tile(weights, (len(whole[0].scores), 2))
    own = Factor(question=None, items=items, scores=scores, sent=len(weights), drawn=None)
    return *whole, own


def compare(rows: JoinedRows, *, mean: bool = False, level: float = 0.95) -> Comparison:
    """Compare those who have an answer with all others, from the scores of their rows.

    Parameters
    ----------
    rows : JoinedRows
        Rows counted by `comparison_factors`: the answer is the antecedent, the outcome the consequent.
    mean : bool
        Whether the outcome is the mean of numbers from 0 to 1 instead of a share; a mean has no lift.
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Notes
    -----
    With x, b, y, a, w the scores of both, of the answer, of the outcome, of the answer among those who count,
    and of those who count (1 for all but means with skips, and weights), B = mean a / mean w and
    Y = mean y / mean w:

    ==========  ========================================================
    having      x - t a
    others      (y - x) - t (w - a)
    difference  x - B y - Y a + Y B w - t ((1 - 2 B) a + B^2 w)
    lift        x - t (B y + Y a - Y B w)
    leverage    x - B y - Y a + Y B w - t w
    ==========  ========================================================

    Each interval contains the values t for which the empirical-likelihood test of mean h = 0, as used for
    rules, does not reject; with clusters it uses the t distribution (`ClusterCount`). If rows have more than
    20,000 distinct scores, it uses the score test. The p-value tests a difference of 0. Weights are treated
    as fixed.

    "Few rows" says that a cell holds fewer than 5 rows, as `privacy.estimation.intervals.measure_rules` does;
    where devices draw questions, also that fewer than 5 complete rows are expected to have both answers.

    References
    ----------
    Owen 2001, chapter 2.

    Examples
    --------
    Eight people, all open; four have a, three of them b as well, and one of the others:

    >>> rows = JoinedRows(counts=np.array([3, 1, 1, 3]), n_direct=0, n_protected=8, smallest_cell=1,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> found = compare(rows)
    >>> found.having.value, found.others.value, found.difference.value, found.lift.value
    (0.75, 0.25, 0.5, 1.5)
    >>> found.difference.low < 0 < found.difference.high, round(found.p_value, 2)
    (True, 0.15)
    """
    n, counts = rows.n_direct + rows.n_protected, rows.counts
    if n == 0:
        raise PrivacyError("no_rows.rule", 0)
    both, _by, outcome, base_by, base = _with_base(rows.scores)
    total = counts.sum()
    share, middle = float(counts @ base_by / (counts @ base)), float(counts @ outcome / (counts @ base))
    together = both - share * outcome - middle * base_by + middle * share * base
    constant = np.stack([both, outcome - both, together, both, together])
    slope = -np.stack(
        [
            base_by,
            base - base_by,
            (1 - 2 * share) * base_by + share**2 * base,
            share * outcome + middle * base_by - middle * share * base,
            base,
        ]
    )
    sides: list[ClusterCount | None] = [None] * 5
    if rows.clusters is not None:
        # A difference rests on the clusters of the smaller side.
        of_sides = [ClusterCount.of(base_by), ClusterCount.of(base - base_by)]
        sides = [*of_sides, *[min(of_sides, key=lambda own: own.effective)] * 3]
    having, others, difference, lift, leverage = _measured(counts, constant, slope, level, sides)
    error = math.sqrt(float(counts @ together**2)) / float(counts @ base)
    rare = min(max(share, _RAREST), 1 - _RAREST)
    together_share = float(counts @ both / (counts @ base))
    # Decoys alone can fill the cells of the few that were asked everything.
    few_rows = rows.smallest_cell < FEW_ROWS or (rows.is_drawn and n * together_share < FEW_ROWS)
    return Comparison(
        having=having,
        others=others,
        difference=difference,
        lift=lift,
        leverage=leverage,
        share=share,
        everybody=middle,
        both=together_share,
        p_value=_p_value(counts, together, sides[2]),
        detectable=_DETECTED * error / (rare * (1 - rare)),
        n=n,
        n_used=int(total),
        n_direct=rows.n_direct,
        n_protected=rows.n_protected,
        few_rows=not mean and few_rows,
    )


def _with_base(scores: Array) -> Array:
    """Return five scores: everyone counts where nothing else is said."""
    return scores if len(scores) == 5 else np.concatenate([scores, scores[1:2], np.ones_like(scores[:1])])


_RANGES: Final = ((0.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf), (-0.25, 0.25))


def _measured(
    counts: Whole, constant: Array, slope: Array, level: float, sides: Sequence[ClusterCount | None]
) -> Iterator[Measured]:
    """Yield each measure with the interval of what its test keeps."""
    total = counts.sum()
    means = constant @ counts / total, slope @ counts / total
    spread = [(own - mean[:, None]) for own, mean in zip((constant, slope), means, strict=True)]
    variances = [
        (first * second) @ counts / float(total) ** 2
        for first, second in ((spread[0], spread[0]), (spread[0], spread[1]), (spread[1], spread[1]))
    ]
    for position, ((least, most), clusters) in enumerate(zip(_RANGES, sides, strict=True)):
        own, threshold = slice(position, position + 1), threshold_of(level, clusters)
        if constant.shape[1] > MOST_CELLS:
            of_own = [part[own] for part in variances]
            sets = score_test_sets(means[0][own], means[1][own], (of_own[0], of_own[1], of_own[2]), threshold)
        else:
            sets = likelihood_sets(counts[None], constant[own], slope[own], threshold)
        inside = sets.inside(least, most)
        mean, turn = float(means[0][position]), float(means[1][position])
        value = -mean / turn if turn else math.nan
        of_constant, mixed, of_slope = (float(own[position]) for own in variances)
        reliable = abs(turn) > RELIABLE_ERRORS * math.sqrt(of_slope)
        variance = of_constant + 2 * value * mixed + value**2 * of_slope
        variance *= 1 if clusters is None else clusters.factor
        yield Measured(
            value=value,
            low=float(inside.low[0]),
            high=float(inside.high[0]),
            standard_error=math.sqrt(max(variance, 0.0)) / abs(turn) if reliable else None,
            estimable=bool(inside.estimable[0]) and not math.isnan(value),
        )


def _p_value(counts: Whole, h: Array, clusters: ClusterCount | None) -> float:
    """Return the p-value of "mean h = 0", by empirical likelihood, or by moments of very many cells."""
    if len(counts) > MOST_CELLS:
        variance = float(counts @ (h - counts @ h / counts.sum()) ** 2)
        ratio = float(counts @ h) ** 2 / variance if variance else 0.0
    else:
        ratio = float(likelihood_ratio(counts, h))
    return float(scipy.special.chdtrc(1, ratio)) if clusters is None else clusters.p_value(ratio)
