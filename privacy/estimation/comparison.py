"""Compare a share or a mean between respondents with an answer and all others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount, threshold_of
from privacy.estimation.composed_parts import Factor, Side, factors_of
from privacy.estimation.counts import Columns
from privacy.estimation.empirical_likelihood import likelihood_sets, score_test_sets
from privacy.estimation.forged_differences import measure_shifts
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import MOST_SCORES, likelihood_ratios, with_base
from privacy.levels import normal_quantile
from privacy.p_values import PValue
from privacy.policy import FEW_ROWS, LEAST_EFFECTIVE_ROWS, RELIABLE_ERRORS
from privacy.printed import UNCHECKED, Measured
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design

_RAREST: Final = 0.05
"""Smallest share with the answer to assume when predicting errors."""


@dataclass(frozen=True, kw_only=True)
class Denial:
    """What people who do not admit an outcome could do to a difference, see `privacy.estimation.denial`.

    Parameters
    ----------
    tipping : float or None
        Least share of those concerned in the group with less who must deny it for the interval to contain 0;
        None if no share suffices.
    bounds : tuple of (float, float, float)
        Largest share of denials in either group, and both ends of the difference.
    """

    tipping: float | None
    bounds: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A share or mean among respondents with an answer and among all others, and the difference.

    Parameters
    ----------
    having, others : Measured
        The share or mean among respondents with the answer, and among all others who were asked.
    difference : Measured
        `having` minus `others`.
    lift : Measured
        The share among respondents with the answer, divided by the share among everyone; shares only.
    leverage : Measured
        For a share, the joint share minus the product of the two shares.
    share, everybody, both : float
        Among the rows used: the share with the answer, the compared share or mean, and the share with both.
    p_value : float
        Two-sided, for the hypothesis of no difference.
    detectable : float
        1.96 + 0.84 standard errors of the difference found; may exceed any possible difference. Plans also
        use how the error changes with the difference (`privacy.planning.power.detectable_difference`).
    n : int
        Number of rows that were asked everything.
    n_used : int
        Number of rows used, including those asked only a part because devices draw the questions.
    n_direct, n_protected : int
        Number of complete rows in each group.
    effective_n : float
        Number of complete rows of equal weight that would be as precise.
    few_rows : bool
        Whether intervals may miss their level, see `compare`.
    flips : int or None
        `privacy.estimation.forged_differences.difference_flips` of the same rows, or `privacy.forged.NEVER`
        if there is no such number; None if it was not computed.
    denial : Denial or None
        What denials could do to the difference; None for a mean, and if it was not computed.
    group : Measured or None
        `share` with its interval; None if it was not computed.
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
    effective_n: float
    flips: int | None = None
    denial: Denial | None = None
    group: Measured | None = None

    @property
    def test(self) -> PValue:
        """The p-value with its test; not printed if the difference cannot be estimated."""
        return PValue(
            value=self.p_value, test="no difference", n=self.n, estimable=self.difference.estimable,
            adjustment="none", family=1, origin=self.difference.origin,
        )  # fmt: skip


def comparison_factors(by: Side, outcome: Side, design: Design) -> tuple[Factor, ...]:
    """Return the factors of a row's scores for both sides, for `by` and for `outcome`.

    A mean is taken over answers. If the number may be skipped, two more scores estimate who answered, among
    respondents with `by` and among everyone, and only rows that were asked everything are used.

    Parameters
    ----------
    by : Side
        The answer that divides respondents into two groups.
    outcome : Side
        The outcome to compare: answers, or the number whose mean is compared.
    design : Design
        The design that asks both.

    Raises
    ------
    PrivacyError
        As for `privacy.estimation.composed_parts.factors_of`.
    """
    factors = factors_of(by, outcome, design)
    means = [part for part in outcome.parts if part.target == MEAN]
    blocks = [design.blocks[design.block_of(part.question)] for part in means]
    if not any(block.refusal is not None for block in blocks):
        return factors
    (part,) = means
    last = design.questions[part.question].disguise.inputs - 1  # type: ignore[union-attr]  # it is a number
    base_factors = factors_of(by, Side(parts=(replace(part, target=(0, last)),)), design)
    return tuple(
        replace(own, scores=np.concatenate([own.scores, other.scores[[0, 2]]]), draws=None)
        for own, other in zip(factors, base_factors, strict=True)
    )


def weighted_factors(factors: Sequence[Factor], items: Columns, weights: Array) -> tuple[Factor, ...]:
    """Add a factor for the weights of rows.

    Parameters
    ----------
    factors : sequence of Factor
    items : Columns
        Items of open questions.
    weights : ndarray of float64, shape (2^items,)
        Weight of a row by its open items: bit i of the index represents item i.

    Notes
    -----
    Only rows that were asked everything are used.
    """
    whole = [replace(factor, scores=with_base(factor.scores), draws=None) for factor in factors]
    scores = np.tile(weights, (len(whole[0].scores), 2))
    of_weights = Factor(question=None, items=items, scores=scores, split=len(weights), draws=None)
    return *whole, of_weights


def compare(rows: JoinedRows, *, mean: bool = False, level: float = 0.95, forged: int = 0) -> Comparison:
    """Compare respondents with an answer to all others, from the scores of their rows.

    Parameters
    ----------
    rows : JoinedRows
        Rows scored by `comparison_factors`: the answer is the antecedent, the outcome the consequent.
    mean : bool
        Whether the outcome is the mean of numbers from 0 to 1 instead of a share; a mean has no lift.
    level : float, in (0, 1)
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Notes
    -----
    Let x, y, a and w be a row's scores of both, of the outcome, of the answer, and of being counted (w is 1
    unless there are weights, or a mean with skips; a only covers rows that are counted). With
    B = mean a / mean w and Y = mean y / mean w:

    ==========  ========================================================
    having      x - t a
    others      (y - x) - t (w - a)
    difference  x - B y - Y a + Y B w - t ((1 - 2 B) a + B^2 w)
    lift        x - t (B y + Y a - Y B w)
    leverage    x - B y - Y a + Y B w - t w
    ==========  ========================================================

    Each interval contains the values t for which the empirical-likelihood test of mean h = 0, as used for
    rules, does not reject. With clusters or unequal weights, it uses the t distribution (`ClusterCount`).
    With fewer than 30 effective rows, nothing is estimable, and intervals are the possible range; if the
    answer was not disguised, this holds for each of both groups. If
    rows have more than 20,000 distinct scores, it uses the score test instead. The p-value tests a difference
    of 0. Weights are treated as fixed.

    `few_rows` means that a cell has fewer than 5 rows, as in `privacy.estimation.intervals.measure_rules`, or
    that devices draw questions and fewer than 5 complete rows are expected to have both answers.

    References
    ----------
    Owen 2001, chapter 2.

    Examples
    --------
    Eight people with open answers: four have a, three of whom also have b; one of the others has b.

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
        raise PrivacyError("no_rows.asked", 0)
    both, _by, outcome, base_by, base = with_base(rows.scores)
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
        # The side with fewer effective clusters limits the degrees of freedom of a difference.
        of_sides = [ClusterCount.of(base_by), ClusterCount.of(base - base_by)]
        sides = [*of_sides, *[min(of_sides, key=lambda own: own.effective)] * 3]
    of_having, of_others = _effective_sides(rows, base_by, base)
    # The lift compares people with the answer to everyone, the others to all others.
    of_gap = min(of_having, of_others)
    effective = (of_having, of_others, of_gap, of_having, of_gap)
    shifts = measure_shifts(rows, forged) if forged else np.zeros(5)
    measures = _yield_measures(rows, constant, slope, level, sides, effective, shifts.tolist())
    having, others, difference, lift, leverage = measures
    error = math.sqrt(float(counts @ together**2)) / float(counts @ base)
    rare = min(max(share, _RAREST), 1 - _RAREST)
    together_share = float(counts @ both / (counts @ base))
    # If few rows were asked everything, decoys alone can fill the cells.
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
        # A test at .05 detects a mean of 1.96 + 0.84 of its standard errors 8 times in 10.
        detectable=(normal_quantile(0.95) + float(scipy.special.ndtri(0.8))) * error / (rare * (1 - rare)),
        n=n,
        n_used=int(total),
        n_direct=rows.n_direct,
        n_protected=rows.n_protected,
        few_rows=not mean and few_rows,
        effective_n=rows.effective,
    )


_RANGES: Final = ((0.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf), (-0.25, 0.25))


def _yield_measures(
    rows: JoinedRows,
    constant: Array,
    slope: Array,
    level: float,
    sides: Sequence[ClusterCount | None],
    effective: Sequence[float],
    shifts: Sequence[float],
) -> Iterator[Measured]:
    """Yield each measure with the interval of the values that its test does not reject."""
    counts, total = rows.counts, rows.counts.sum()
    means = constant @ counts / total, slope @ counts / total
    spread = [
        (scores_of_rows - mean[:, None])
        for scores_of_rows, mean in zip((constant, slope), means, strict=True)
    ]
    variances = (
        (spread[0] * spread[0]) @ counts / float(total) ** 2,
        (spread[0] * spread[1]) @ counts / float(total) ** 2,
        (spread[1] * spread[1]) @ counts / float(total) ** 2,
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        residuals = np.nan_to_num(constant - (means[0] / means[1])[:, None] * slope)
    thresholds = np.array(
        [threshold_of(level, clusters, residual) for clusters, residual in zip(sides, residuals, strict=True)]
    )
    if constant.shape[1] > MOST_SCORES:
        sets = score_test_sets(*means, variances, thresholds)
    else:
        sets = likelihood_sets(np.tile(counts, (len(sides), 1)), constant, slope, thresholds)
    for position, ((least, most), clusters) in enumerate(zip(_RANGES, sides, strict=True)):
        limits = sets.part(slice(position, position + 1)).inside(least, most)
        mean, turn = float(means[0][position]), float(means[1][position])
        value = -mean / turn if turn else math.nan
        of_constant, covariance, of_slope = (float(of_measures[position]) for of_measures in variances)
        reliable = abs(turn) > RELIABLE_ERRORS * math.sqrt(of_slope)
        variance = of_constant + 2 * value * covariance + value**2 * of_slope
        variance *= 1 if clusters is None else clusters.inflation(residuals[position])
        few = effective[position] < LEAST_EFFECTIVE_ROWS
        yield Measured(
            value=value,
            low=least if few else float(limits.low[0]),
            high=most if few else float(limits.high[0]),
            standard_error=math.sqrt(max(variance, 0.0)) / abs(turn) if reliable and not few else None,
            estimable=bool(limits.estimable[0]) and not math.isnan(value) and not few,
            n=rows.n_direct + rows.n_protected,
            effective_n=effective[position],
            level=level,
            possible=(least, most),
            method="ratio",
            shift=shifts[position],
            origin=UNCHECKED,
        )


def _effective_sides(rows: JoinedRows, base_by: Array, base: Array) -> tuple[float, float]:
    """Return the effective number of rows of people with the answer and of all others.

    If the answer was not disguised, these are the rows of either group; otherwise all rows inform both. Sums
    over clusters do not say how unequal the weights in a group are, so it gets its share of the whole.
    """
    has_answer = (base_by != 0) & (rows.counts > 0)
    is_known = np.allclose(base_by[has_answer], base[has_answer], rtol=1e-9, atol=0)
    if not is_known or rows.effective < LEAST_EFFECTIVE_ROWS:
        return rows.effective, rows.effective
    if rows.counts.sum() < rows.n_direct + rows.n_protected:
        share = float((rows.counts @ base_by) / (rows.counts @ base))
        return share * rows.effective, (1 - share) * rows.effective
    having, others = (
        float((rows.counts @ of_side) ** 2 / square) if (square := rows.counts @ of_side**2) else 0.0
        for of_side in (base_by, base - base_by)
    )
    return min(having, rows.effective), min(others, rows.effective)


def _p_value(counts: Whole, h: Array, clusters: ClusterCount | None) -> float:
    """Return the p-value of "mean h = 0", by empirical likelihood, or by moments if there are many cells."""
    ratio = float(likelihood_ratios(counts[None], h[None])[0])
    return float(scipy.special.chdtrc(1, ratio)) if clusters is None else clusters.p_value(ratio, h)
