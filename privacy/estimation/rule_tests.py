"""One-sided tests of many rules: of their lift, or of their confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.estimation.counts import SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.estimating_equation import Equation
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.rule_sides import Rule
from privacy.survey.design import Design

Hypothesis: TypeAlias = Literal["lift", "confidence"]


def p_values(
    counts: SupportCounts,
    rules: Sequence[Rule],
    design: Design,
    *,
    hypothesis: Hypothesis = "lift",
    above: float = 1.0,
) -> Array:
    """Return one-sided p-values of many rules.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    hypothesis : {"lift", "confidence"}
        The measure to test.
    above : float
        The null hypothesis is "the measure is at most this value".

    Returns
    -------
    float array, shape (len(rules),)

    Raises
    ------
    PrivacyError
        ``hypothesis``, ``above``, and the errors of `measure_rules`.

    Notes
    -----
    Lift above 1 means leverage above 0. With h of `Equation` at the tested value and R the empirical
    likelihood ratio of "mean h = 0", p = Phi(-sign(mean h) sqrt(R)). This is the test that the intervals
    invert.

    Examples
    --------
    Sixty people with open answers; a and b often occur together, with leverage .5 - .6 * .6:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 60), (0, 3): (0, 36), (1, 2): (0, 36), (0, 1): (0, 30)})
    >>> float(p_values(counts, [((0,), (1,))], design)[0]) < 1e-4
    True
    """
    validation.one_of(hypothesis, "hypothesis", allowed=("lift", "confidence"), code="hypothesis")
    most = 1.0 if hypothesis == "confidence" else np.inf
    above = validation.real_number(above, "value tested", low=0.0, high=most, code="above")
    result = np.ones(len(rules))
    for part in contingency_tables(counts, rules, design):
        result[part.positions] = p_values_of_cells(part, hypothesis=hypothesis, above=above)
    return result


def p_values_of_cells(part: ContingencyTables, *, hypothesis: Hypothesis, above: float) -> Array:
    """Return the p-values of the rules with these cells; see `p_values`.

    Parameters
    ----------
    part : ContingencyTables
        One table per rule, all of one shape.
    hypothesis : str
        The measure.
    above : float
        Value that the measure must exceed.
    """
    equation = Equation(measure=hypothesis, scores=Scores.of(part))
    mean_constant, mean_slope = equation.means
    mean = mean_constant + above * mean_slope
    constant, slope = equation.cells
    root = np.sqrt(likelihood_ratio(part.rows, constant + above * slope))
    p_values: Array = scipy.special.ndtr(-np.sign(mean) * root)
    return p_values
