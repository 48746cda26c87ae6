"""Shares of and/or/not expressions: sums of patterns, with the error that their covariances make."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from privacy import validation
from privacy.estimation.axes import axes_of, contracted, exact_rows, keys_of
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import cutter_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.estimates import Estimate, blank_estimates
from privacy.estimation.expression import Expression
from privacy.estimation.measures import Measured
from privacy.estimation.patterns import pattern_terms
from privacy.estimation.scores import Estimator, check_estimator, check_rows
from privacy.estimation.sums import Sums
from privacy.survey.design import Design

__all__ = ["estimate_expression", "expression_interval", "expression_terms"]

Array: TypeAlias = NDArray[np.float64]


def expression_terms(
    expression: Expression, design: Design, *, within: Columns | None = None
) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `estimate_expression` needs."""
    return pattern_terms(expression.items, design, within=within)


def estimate_expression(
    counts: SupportCounts,
    expression: Expression,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Estimate:
    """Estimate the share of those for whom an expression is true.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `expression_terms(expression, design, within=within)`.
    expression : Expression
    design, estimator, within
        As for `estimate`.

    Returns
    -------
    Estimate
        Of all who were asked everything in the expression. Where a block can be skipped, "not b" is
        "answered, and not b": who skips fulfils no expression that names an item of the block.

    Notes
    -----
    The score of a row is the sum of its scores for the patterns that make the expression true; the errors are
    those of its mean, so every covariance between patterns is in them.

    References
    ----------
    Kan and Cao, equation 13 (printed as 12), summed over the logical expression.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5. Of 100 rows 60 show a without b or b without a:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> from privacy.estimation.expression import parse
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 50), (0, 1): (0, 20)})
    >>> found = estimate_expression(counts, parse("a and not b or b and not a", design), design)
    >>> round(found.value, 3), round(found.standard_error, 3)  # (.6 - .25)/.5, sqrt(.6 * .4/100)/.5
    (0.7, 0.098)
    """
    check_estimator(estimator)
    direct, protected, numerator, match, truth, n_blocks = _scores(counts, expression, design, within)
    n_direct, n_protected = direct.sum(), protected.sum()
    check_rows(np.array([n_direct + n_protected]))
    sums = Sums(
        estimator=estimator,
        n_direct=np.array([n_direct]),
        n_protected=np.array([n_protected]),
        matches=np.array([[int(direct @ match), int(protected @ match)]]),
        truth=np.array([truth]),
        one_block=n_blocks <= 1,
        numerators=np.array([float(protected @ numerator)]),
        squares=np.array([float(protected @ numerator**2)]),
    )
    table = blank_estimates(1, estimator)
    sums.fill(table, np.array([0]))
    return table[0]


def expression_interval(
    counts: SupportCounts,
    expression: Expression,
    design: Design,
    *,
    level: float = 0.95,
    within: Columns | None = None,
) -> Measured:
    """Give the stratified share of an expression with its interval for the population."""
    level = validation.real_number(level, "level", low=0, high=1, open_ends=True, code="level")
    direct, protected, numerator, match, truth, _ = _scores(counts, expression, design, within)
    found = estimate_expression(counts, expression, design, within=within)
    parts = [(rows, z) for rows, z in ((direct, match), (protected, numerator / truth)) if rows.sum()]
    rows = np.concatenate([rows for rows, _ in parts])
    z = np.concatenate([z for _, z in parts])
    # Rows with equal scores are one cell: an empty cell then costs nothing that another one carries.
    values, places = np.unique(z.round(14), return_inverse=True)
    merged = np.bincount(places, weights=rows).astype(np.int64)
    sets = likelihood_sets(
        merged[None], values[None], -np.ones((1, len(values))), float(chi2.isf(1 - level, 1))
    )
    inside = sets.inside(-np.inf, np.inf)
    return Measured(
        value=found.value,
        low=float(inside.low[0]),
        high=float(inside.high[0]),
        standard_error=found.standard_error,
        estimable=bool(sets.inside(0.0, 1.0).estimable[0]),
    )


def _scores(
    counts: SupportCounts, expression: Expression, design: Design, within: Columns | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array, Array, float, int]:
    """Rows of each group by what they show; numerator of the score and match of each; p; disguised blocks."""
    cutter = cutter_of(design)
    axes = axes_of(expression.items, cutter)
    rows = exact_rows(counts, axes, keys_of(axes, cutter, within))
    sizes = [1 << len(axis.items) for axis in axes]
    wanted = np.zeros(sizes)
    # Patterns of the expression have one axis per item in ascending order; blocks ascend with their items.
    order = [item for axis in axes for item in axis.items]
    holds = np.transpose(expression.holds(), [expression.items.index(item) for item in order])
    wanted[...] = holds.reshape(sizes)
    numerator = contracted(wanted[..., None], [axis.numerator.T for axis in axes])
    match = contracted(wanted[..., None], [axis.match.T for axis in axes])
    # `contracted` put the new axes last, behind one for the group.
    flat = rows.reshape(-1, 2)
    return (
        flat[:, 0],
        flat[:, 1],
        numerator.reshape(-1),
        match.reshape(-1),
        math.prod(axis.truth for axis in axes),
        sum(axis.disguised for axis in axes),
    )
