"""Supports from counts: which counts an itemset needs, its estimate, variances and covariances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from privacy.estimation.contingency_table import Pair, cells, pair_terms
from privacy.estimation.counts import Columns, MissingCountError, SupportCounts
from privacy.estimation.design_index import cutter_of
from privacy.estimation.estimates import Estimate, Estimates, blank_estimates, summarise
from privacy.estimation.lattice import FIRST, SECOND
from privacy.estimation.scores import Estimator, Scores, Target, check_estimator, check_target
from privacy.survey.design import Design

__all__ = [
    "Columns",
    "Estimate",
    "Estimates",
    "Estimator",
    "MissingCountError",
    "SupportCounts",
    "Target",
    "all_terms",
    "asked",
    "covariance",
    "covariance_terms",
    "estimate",
    "estimates",
    "terms",
]


def asked(itemset: Columns, design: Design) -> Columns:
    """Return the asked columns of the itemset's questions that a row may lack.

    Supports are shares of the rows that were asked everything in the itemset; these columns name them.
    """
    return cutter_of(design).cut(itemset).asked


def terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `estimate` needs.

    Parameters
    ----------
    itemset : Columns
    design : Design
    within : Columns, optional
        Columns that name the rows to use: asked columns, and items of open blocks if the share is
        wanted among those who gave these open answers. By default `asked(itemset, design)`.

    Returns
    -------
    tuple of Columns
        The rows to use, and 2^(protected blocks touched) sets more.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"block-{key}", protected=True, truth_probability=5000, refusal=None,
    ...           asked_if=None, questions=(Question(key=key, kind="yes_no", options=(),
    ...                                               unrelated=(5000,)),)) for key in "ab"))
    >>> terms((0, 1), design)
    ((), (1,), (0,), (0, 1))
    """
    return pair_terms((itemset, ()), cutter_of(design), within)


def all_terms(
    itemsets: Iterable[Columns], design: Design, *, within: Columns | None = None
) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `estimates` needs, each once; see `terms`."""
    cutter = cutter_of(design)
    return tuple(
        dict.fromkeys(key for itemset in itemsets for key in pair_terms((itemset, ()), cutter, within))
    )


def estimates(
    counts: SupportCounts,
    itemsets: Sequence[Columns],
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Estimates:
    """Estimate the supports of many itemsets; see `estimate`."""
    check_estimator(estimator)
    table = blank_estimates(len(itemsets), estimator)
    pairs: list[Pair] = [(itemset, ()) for itemset in itemsets]
    for part in cells(counts, pairs, cutter_of(design), within):
        found = summarise(Scores(cells=part, estimator=estimator))
        for field in fields(Estimates):
            if field.name != "estimator":
                getattr(table, field.name)[part.positions] = getattr(found, field.name)
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
        Holds at least `terms(itemset, design, within=within)`.
    itemset : Columns
        Items, all of them wanted.
    design : Design
    estimator : {"stratified", "pooled"}
        Stratified is right for the population even when those who chose to answer directly differ
        from the others. Pooled takes the groups to agree.
    within : Columns, optional
        The rows to use, see `terms`.

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
    With z_i the score of row i (`privacy.estimation.scores.Scores`), the stratified estimate is the
    mean of z, k P0 + (1-k) P1, its population variance (mean z^2 - (mean z)^2)/n and its variance
    about these respondents sum(z^2 - z)/n^2. The pooled estimate is w P0 + (1-w) P1, w = k/a,
    a = k + (1-k) prod(p_b). For one block that is

        P(E) = (P*(E) - (1-k)(1-p) q(E)) / (k + (1-k) p).

    An unbiased estimate of a variance can come out negative with a handful of rows and several
    blocks; then sum(z^2)/n^2, which is too large on average, takes its place.

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
    >>> found = estimate(SupportCounts({(): (0, 10), (0,): (0, 6)}), (0,), design)
    >>> round(found.value, 3), round(found.standard_error, 3)  # sqrt(.6 * .4 / 10) / .5
    (0.7, 0.31)
    """
    return estimates(counts, [itemset], design, estimator=estimator, within=within)[0]


def covariance_terms(
    first: Columns, second: Columns, design: Design, *, within: Columns | None = None
) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `covariance` needs; rows as there."""
    return pair_terms((first, second), cutter_of(design), within)


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
        Holds at least `covariance_terms(first, second, design, within=within)`.
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
    `privacy.estimation.scores.Scores`.

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
    (part,) = cells(counts, [(first, second)], cutter_of(design), within)
    return float(Scores(cells=part, estimator=estimator).covariance(target)[FIRST, SECOND, 0])
