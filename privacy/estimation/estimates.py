"""Supports from counts: the estimate of an itemset, its errors, and the estimate of each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.measures import blank_arrays, put_rows, row_of
from privacy.estimation.moments import Estimator, Moments, Scores, Target, check_estimator, check_target
from privacy.estimation.required_counts import Plan, contingency_tables
from privacy.estimation.shapes import FIRST, SECOND
from privacy.survey.design import Design

__all__ = [
    "Estimate",
    "Estimates",
    "asked_columns",
    "covariance",
    "estimate",
    "estimates",
    "estimates_of",
    "summarise",
]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The estimated support of one itemset, with its errors.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    value : float
        Share of all asked who have the itemset; may lie outside [0, 1].
    standard_error : float
        Of `value` as an estimate for the *population*: rows an iid sample, group size random.
    standard_error_respondents : float
        Of `value` as an estimate of the true share among *these respondents*: the disguise alone.
    n, n_direct, n_protected : int
        Rows that were asked everything in the itemset, and those of each group.
    n_used : int
        Rows used; more than `n` where those that were asked a part of the itemset count too.
    all_rows : bool
        Whether they do: devices draw some of the questions, and the counts allow it.
    observed_share : float
        Share of the complete rows that match, in both groups together.
    direct : float or None
        P0, the share in the direct group, or its estimate where that group is disguised, too; None without
        direct rows.
    protected : float or None
        P1, the estimate from the protected group; None without protected rows and where p = 0.
    standard_error_eq6 : float or None
        The source's equation 6, for comparison: sqrt(P*(1-P*)/n)/a. It treats k as known and is too
        large. None for the stratified estimate and for itemsets of several protected blocks.
    """

    estimator: Estimator
    value: float
    standard_error: float
    standard_error_respondents: float
    n: int
    n_direct: int
    n_protected: int
    n_used: int
    all_rows: bool
    observed_share: float
    direct: float | None
    protected: float | None
    standard_error_eq6: float | None

    @property
    def direct_share(self) -> float:
        """Share of direct rows, k = n0/n, among the complete ones."""
        return self.n_direct / self.n


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """Estimates of many itemsets as arrays of one length; item `i` is the `Estimate` of itemset `i`.

    Parameters are those of `Estimate`, as arrays, with NaN for None.
    """

    estimator: Estimator
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    n: Whole
    n_direct: Whole
    n_protected: Whole
    n_used: Whole
    all_rows: Flags
    observed_share: Array
    direct: Array
    protected: Array
    standard_error_eq6: Array

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, position: int) -> Estimate:
        return row_of(Estimate, self, position)


def summarise(
    moments: Moments,
    matching: Whole,
    *,
    one_block: bool,
    complete: Whole,
    all_rows: Flags,
) -> Estimates:
    """Return the estimates that follow from the moments of single events.

    Parameters
    ----------
    moments : Moments
    matching : int array, shape (R,)
        Received rows that match.
    one_block : bool
        Whether no more than one disguised block is touched.
    complete : int array, shape (2, R)
        Rows of each group that were asked everything.
    all_rows : bool array, shape (R,)
        Whether other rows count too.
    """
    n = complete.sum(axis=0)
    share = np.full(len(n), np.nan)
    np.divide(matching, n, out=share, where=n > 0)
    error_eq6 = np.full(len(n), np.nan)
    if moments.estimator == "pooled" and one_block:
        # The source asks everyone everything.
        error_eq6 = np.where(all_rows, np.nan, np.sqrt(share * (1 - share) / n) / moments.mean_truth[0])
    return Estimates(
        estimator=moments.estimator,
        value=moments.value[0],
        standard_error=np.sqrt(moments.population_variance[0]),
        standard_error_respondents=np.sqrt(moments.respondents_variance[0]),
        n=n,
        n_direct=complete[0],
        n_protected=complete[1],
        n_used=moments.n,
        all_rows=all_rows,
        observed_share=share,
        direct=moments.value_by_group[0, 0],
        protected=moments.value_by_group[1, 0],
        standard_error_eq6=error_eq6,
    )


def _summarised(scores: Scores) -> Estimates:
    part = scores.cells
    return summarise(
        scores,
        part.matching,
        one_block=part.n_blocks <= 1,
        complete=part.complete,
        all_rows=part.all_rows,
    )


def asked_columns(itemset: Columns, design: Design) -> Columns:
    """Return the asked columns of the itemset's questions that a row may lack.

    They name the rows that were asked everything in the itemset.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    design : Design
        That they are of.
    """
    index = index_of(design)
    return index.asked_of(index.itemset(itemset))


def estimates_of(plan: Plan, counts: Whole, estimator: Estimator) -> Estimates:
    """Estimate the itemsets of a plan from the counts of its requests; NaN for one never asked.

    Parameters
    ----------
    plan : Plan
        Itemsets by their shapes, and what has to be counted.
    counts : ndarray of int64, shape (requests, 2)
        Rows of each request of the plan, by group, direct first.
    estimator : str
        "stratified" or "pooled".
    """
    check_estimator(estimator)
    table = Estimates(estimator=estimator, **blank_arrays(Estimates, plan.size))
    for part in plan.tables(counts):
        with np.errstate(divide="ignore", invalid="ignore"):
            estimates = _summarised(Scores.summed(part, estimator))
        put_rows(table, part.positions, estimates)
    return table


def estimates(
    counts: SupportCounts,
    itemsets: Sequence[Columns],
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Estimates:
    """Estimate the supports of many itemsets; see `estimate`.

    Parameters
    ----------
    counts : SupportCounts
        Counts of the column sets that `required_counts` returns.
    itemsets : sequence of tuple of int
        Items of each.
    design : Design
        That they are of.
    estimator : str, optional
        "stratified" or "pooled".
    within : tuple of int, optional
        Columns that a row must have to count.
    """
    check_estimator(estimator)
    table = Estimates(estimator=estimator, **blank_arrays(Estimates, len(itemsets)))
    for part in contingency_tables(counts, itemsets, design, within=within):
        put_rows(table, part.positions, _summarised(Scores.of(part, estimator)))
    return table


def estimate(
    counts: SupportCounts,
    itemset: Columns,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Estimate:
    """Estimate the support of an itemset from counts of disguised rows.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts([itemset], design, within=within)`.
    itemset : Columns
        Items, all of them wanted.
    design : Design
    estimator : {"stratified", "pooled"}
        Stratified is valid for the population even if respondents who chose to answer directly differ from
        the others. Pooled assumes that the groups agree.
    within : Columns, optional
        The rows to use, see `required_counts`.

    Returns
    -------
    Estimate

    Raises
    ------
    PrivacyError
        ``missing_count``, ``item``, ``itemset``, ``excluded_options``, ``within``, ``no_rows``,
        ``truth_probability``, ``estimator``.

    Notes
    -----
    With z_i the score of row i (`privacy.estimation.moments`), the stratified estimate is the
    mean of z, k P0 + (1-k) P1, its population variance (mean z^2 - (mean z)^2)/n and its variance
    about these respondents sum(z^2 - z)/n^2. The pooled estimate is w P0 + (1-w) P1, w = k A_0/a,
    a = k A_0 + (1-k) A_1, A_g the product of the group's p_b. For one block that is

        P(E) = (P*(E) - (1-a) q(E)) / a,  a = k + (1-k) p if the direct group sends the truth.

    An unbiased estimate of a variance can be negative with a handful of rows and several blocks; then
    sum(z^2)/n^2 is used instead, which is too large on average.

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14; equation 6 for `standard_error_eq6`.

    Examples
    --------
    Ten rows under p = .5, theta = .5; six say yes. (.6 - .25)/.5 = .7:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> support = estimate(SupportCounts({(): (0, 10), (0,): (0, 6)}), (0,), design)
    >>> round(support.value, 3), round(support.standard_error, 3)  # sqrt(.6 * .4 / 10) / .5
    (0.7, 0.31)
    """
    return estimates(counts, [itemset], design, estimator=estimator, within=within)[0]


def covariance(
    counts: SupportCounts,
    first: Columns,
    second: Columns,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    target: Target = "population",
    within: Columns | None = None,
) -> float:
    """Estimate the covariance of two estimated supports.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts([(first, second)], design, within=within)`.
    first, second : Columns
        Itemsets; they may share items and questions.
    design : Design
    estimator : {"stratified", "pooled"}
    target : {"population", "respondents"}
    within : Columns, optional
        The rows both supports use; by default those asked everything in either itemset.

    Returns
    -------
    float

    Notes
    -----
    Population, stratified: (mean of z(E) z(F) - mean z(E) mean z(F)) / n. These respondents:
    sum(z(E) z(F) - z(E and F)) / n^2, where z(E and F) = 0 if they exclude each other. Pooled as in
    `privacy.estimation.moments.Moments`.

    Examples
    --------
    Two yes/no questions answered openly by four people, of whom one has both:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 4), (0, 3): (0, 2), (1, 2): (0, 2), (0, 1): (0, 1)})
    >>> covariance(counts, (0,), (1,), design)  # (1/4 - 1/2 * 1/2) / 4
    0.0
    """
    check_estimator(estimator)
    check_target(target)
    (part,) = contingency_tables(counts, [(first, second)], design, within=within)
    return float(Scores.of(part, estimator).covariance(target)[FIRST, SECOND, 0])
