"""One-sided tests of rules: p-values of "lift above 1" and of "confidence above c"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.estimation.contingency_table import ContingencyTables
from privacy.estimation.counts import SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.equations import Equation, covariance_moves, moved_variance
from privacy.estimation.intervals import Rule
from privacy.estimation.moments import Estimator, Scores, Target, check_estimator, check_target
from privacy.estimation.required_counts import contingency_tables
from privacy.survey.design import Design

__all__ = ["Hypothesis", "p_values", "p_values_of_cells"]

Hypothesis: TypeAlias = Literal["lift", "confidence"]


def p_values(
    counts: SupportCounts,
    rules: Sequence[Rule],
    design: Design,
    *,
    hypothesis: Hypothesis = "lift",
    above: float = 1.0,
    estimator: Estimator = "stratified",
    target: Target = "population",
) -> Array:
    """Return one-sided p-values of many rules.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    hypothesis : {"lift", "confidence"}
    above : float
        Tested is "the measure is at most this"; 1 for lift. For confidence from 0 to 1.
    estimator : {"stratified", "pooled"}
    target : {"population", "respondents"}

    Returns
    -------
    float array, shape (len(rules),)

    Raises
    ------
    PrivacyError
        ``hypothesis``, ``above``, and what `measure_rules` raises.

    Notes
    -----
    Lift above 1 is leverage above 0. With h of `equations.Equation` at the value tested and R the empirical
    likelihood ratio of "mean h = 0", p = Phi(-sign(mean h) sqrt(R)). About these respondents the root is
    mean h by its standard error, where rows count that were asked a part by that of the hypothesis. Both are
    the tests that the intervals invert.

    Examples
    --------
    Sixty open answers, a and b together more often than apart: leverage .5 - .6 * .6.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 60), (0, 3): (0, 36), (1, 2): (0, 36), (0, 1): (0, 30)})
    >>> float(p_values(counts, [((0,), (1,))], design)[0]) < 1e-4
    True
    """
    validation.one_of(hypothesis, "hypothesis", allowed=("lift", "confidence"), code="hypothesis")
    most = 1.0 if hypothesis == "confidence" else np.inf
    above = validation.real_number(above, "value tested", low=0.0, high=most, code="above")
    check_estimator(estimator)
    check_target(target)
    result = np.ones(len(rules))
    for part in contingency_tables(counts, rules, design):
        result[part.positions] = p_values_of_cells(
            part, hypothesis=hypothesis, above=above, estimator=estimator, target=target
        )
    return result


def p_values_of_cells(
    part: ContingencyTables, *, hypothesis: Hypothesis, above: float, estimator: Estimator, target: Target
) -> Array:
    """Return the p-values of the rules whose cells these are; see `p_values`.

    Parameters
    ----------
    part : ContingencyTables
        A table of each rule, all of one shape.
    hypothesis : str
        The measure.
    above : float
        Value that the measure is tested to lie above.
    estimator : str
        "stratified" or "pooled".
    target : str
        "population" or "respondents".
    """
    scores = Scores.of(part, estimator)
    equation = Equation(measure=hypothesis, scores=scores)
    mean_constant, mean_slope = equation.means
    mean = mean_constant + above * mean_slope
    if target == "population":
        constant, slope = equation.cells
        root = np.sqrt(likelihood_ratio(part.rows, constant + above * slope))
    else:
        variances = equation.variances(scores.covariance(target))
        moves = covariance_moves(scores, target)
        if moves is None:
            variance = variances[0] + 2 * above * variances[1] + above**2 * variances[2]
        else:
            variance = moved_variance(equation, variances, moves).at(np.full(len(mean), above))
        with np.errstate(divide="ignore", invalid="ignore"):
            # A variance that came out below 0 says that these few rows say nothing.
            root = np.where(variance < 0, 0.0, np.abs(mean) / np.sqrt(np.maximum(variance, 0)))
        root = np.nan_to_num(root, nan=0.0, posinf=np.inf)
    p_values: Array = scipy.special.ndtr(-np.sign(mean) * root)
    return np.where(mean == 0, 0.5, p_values)
