"""Supports from counts: the estimate of an itemset, its errors, and the estimate of each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.array_tables import blank_arrays, put_rows, row_of
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.moments import Estimator, Scores, check_estimator
from privacy.estimation.required_counts import Plan, contingency_tables
from privacy.estimation.shapes import FIRST, SECOND
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The estimated support of one itemset, with its errors.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    value : float
        Share of respondents with the itemset, among all who were asked; may lie outside [0, 1].
    standard_error : float
        Error of `value` as an estimate for the *population*, with rows as an iid sample and random group
        sizes.
    standard_error_respondents : float
        Error of `value` as an estimate of the true share among *these respondents*; only due to the
        disguise.
    n, n_direct, n_protected : int
        Number of rows that were asked everything in the itemset, in total and in each group.
    n_used : int
        Number of rows used; more than ``n`` if rows that were asked a part of the itemset are used too.
    all_rows : bool
        Whether rows that were asked a part are used: devices draw some questions, and the counts allow it.
    observed_share : float
        Share of complete rows that match, in both groups together.
    direct : float or None
        P0, the share in the direct group, or its estimate if that group is also disguised; None without
        direct rows.
    protected : float or None
        P1, the estimate from the protected group; None without protected rows or if p = 0.
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

    @property
    def direct_share(self) -> float:
        """Share of direct rows among complete rows, k = n0/n."""
        return self.n_direct / self.n


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """Estimates of many itemsets as arrays of one length; item `i` is the `Estimate` of itemset `i`.

    Fields are those of `Estimate`, as arrays, with NaN for None.
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

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, position: int) -> Estimate:
        return row_of(Estimate, self, position)


def _summarise_scores(scores: Scores) -> Estimates:
    """Return the estimates for the scores of single events."""
    part = scores.cells
    n = part.complete.sum(axis=0)
    return Estimates(
        estimator=scores.estimator,
        value=scores.value[0],
        standard_error=np.sqrt(scores.population_variance[0]),
        standard_error_respondents=np.sqrt(scores.respondents_variance[0]),
        n=n,
        n_direct=part.complete[0],
        n_protected=part.complete[1],
        n_used=scores.n,
        all_rows=part.all_rows,
        observed_share=part.matching / n,
        direct=scores.value_by_group[0, 0],
        protected=scores.value_by_group[1, 0],
    )


def estimates_of(plan: Plan, counts: Whole) -> Estimates:
    """Estimate the itemsets of a plan; NaN for itemsets that no row was asked.

    Parameters
    ----------
    plan : Plan
        Plan of the itemsets.
    counts : ndarray of int64, shape (requests, 2)
        Counts of the plan's requests, direct group first.
    """
    table = Estimates(estimator="stratified", **blank_arrays(Estimates, plan.size))
    for part in plan.tables(counts):
        with np.errstate(divide="ignore", invalid="ignore"):
            estimates = _summarise_scores(Scores.sum_cells(part, "stratified"))
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
        Contains at least `required_counts(itemsets, design, within=within)`.
    itemsets : sequence of tuple of int
        Items of each itemset.
    design : Design
        Design of the survey.
    estimator : str, optional
        "stratified" or "pooled".
    within : tuple of int, optional
        Columns that a row must have to be used.
    """
    check_estimator(estimator)
    table = Estimates(estimator=estimator, **blank_arrays(Estimates, len(itemsets)))
    for part in contingency_tables(counts, itemsets, design, within=within):
        put_rows(table, part.positions, _summarise_scores(Scores.of(part, estimator)))
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
        Contains at least `required_counts([itemset], design, within=within)`.
    itemset : Columns
        Items, all of which must match.
    design : Design
    estimator : {"stratified", "pooled"}
        Stratified is valid for the population even if respondents who chose to answer directly differ from
        the others. Pooled assumes equal shares in both groups.
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
    Let z_i be the score of row i (`privacy.estimation.moments`). The stratified estimate is the mean of z,
    k P0 + (1-k) P1. Its population variance is (mean z^2 - (mean z)^2)/n; its variance relative to these
    respondents' true share is sum(z^2 - z)/n^2. The pooled estimate is w P0 + (1-w) P1, with w = k A_0/a,
    a = k A_0 + (1-k) A_1, and A_g the product of the group's p_b. For one block, this is

        P(E) = (P*(E) - (1-a) q(E)) / a,  a = k + (1-k) p if the direct group sends the truth.

    With few rows and several blocks, the unbiased estimate of a variance can be negative. It is then replaced
    by sum(z^2)/n^2, which is too large on average.

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14.

    Examples
    --------
    Ten rows under p = .5, theta = .5; six say yes. (.6 - .25)/.5 = .7:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> support = estimate(SupportCounts({(): (0, 10), (0,): (0, 6)}), (0,), design)
    >>> round(support.value, 3), round(support.standard_error, 3)  # sqrt(.6 * .4 / 10) / .5
    (0.7, 0.31)
    """
    return estimates(counts, [itemset], design, estimator=estimator, within=within)[0]


def covariance(
    counts: SupportCounts, first: Columns, second: Columns, design: Design, *, within: Columns | None = None
) -> float:
    """Estimate the covariance of two estimated supports.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts([(first, second)], design, within=within)`.
    first, second : Columns
        Itemsets; they may share items and questions.
    design : Design
    within : Columns, optional
        The rows that both supports use; by default, rows that were asked everything in both itemsets.

    Returns
    -------
    float

    Notes
    -----
    The population covariance of the stratified estimates is (mean of z(E) z(F) - mean z(E) mean z(F)) / n.

    Examples
    --------
    Four people answer two open yes/no questions; two have each item, and one has both:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 4), (0, 3): (0, 2), (1, 2): (0, 2), (0, 1): (0, 1)})
    >>> covariance(counts, (0,), (1,), design)  # (1/4 - 1/2 * 1/2) / 4
    0.0
    """
    (part,) = contingency_tables(counts, [(first, second)], design, within=within)
    return float(Scores.of(part).population_covariance[FIRST, SECOND, 0])
