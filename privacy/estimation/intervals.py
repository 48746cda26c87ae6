"""Intervals of support, confidence, lift, leverage and conviction: each inverts one test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.equations import MEASURES, Equation, inversion_intervals
from privacy.estimation.estimates import MeasuredArray, RuleTable, blank_arrays, put_rows
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.levels import chi_square_quantile
from privacy.policy import FEW_ROWS
from privacy.survey.design import Design

Rule: TypeAlias = tuple[Columns, Columns]
"""Antecedent and consequent."""


def measure_rules(
    counts: SupportCounts,
    rules: Sequence[Rule],
    design: Design,
    *,
    level: float = 0.95,
) -> RuleTable:
    """Measure rules, with an interval for each measure.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (antecedent, consequent)
        Each side an itemset; no item on both sides, and no two options of one single-choice question.
    design : Design
    level : float, in (0, 1)

    Returns
    -------
    RuleTable
        All supports are shares of the rows that were asked everything in their rule, or of all that could
        draw it where the counts allow `privacy.estimation.counts.SupportCounts.all_rows`.

    Raises
    ------
    PrivacyError
        ``rule`` (an empty side, a common item), ``level``, and what `estimate` raises.

    Notes
    -----
    `privacy.estimation.equations.Equation` gives h for each measure. An interval is for the population that
    the rows are a sample of: the values t whose empirical likelihood ratio for mean h = 0 is at most the
    chi-square quantile, over the cells of the rule (`likelihood_sets`). Confidence is intersected with
    [0, 1], lift and conviction with [0, inf).

    The label "few rows" counts the rows in each cell, as the estimate of those to be expected there. Where
    devices draw questions it looks at complete rows, and at how many of them are expected to have all items.

    Examples
    --------
    Eight people, all open: four have a, three of them b as well; no one has b alone.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 8), (0, 3): (0, 4), (1, 2): (0, 3), (0, 1): (0, 3)})
    >>> rule = measure_rules(counts, [((0,), (1,))], design)[0]
    >>> rule.confidence.value, rule.lift.value, rule.few_rows
    (0.75, 2.0, True)
    >>> round(rule.confidence.low, 3), round(rule.confidence.high, 3)
    (0.278, 0.984)

    The lower end c solves 2 (3 log(.75/c) + log(.25/(1-c))) = 3.84, what a sample of four gives.
    """
    threshold = chi_square_quantile(level)
    index = index_of(design)
    table = RuleTable(**blank_arrays(RuleTable, len(rules)))
    pairs = [_checked(rule, index) for rule in rules]
    for part in contingency_tables(counts, pairs, design):
        scores, at = Scores.of(part), part.positions
        table.n[at], (table.n_direct[at], table.n_protected[at]) = part.complete.sum(axis=0), part.complete
        table.n_used[at], table.all_rows[at] = scores.n, part.all_rows
        table.few_rows[at] = _few_rows(part, scores)
        for measure, measured in inversion_intervals(MEASURES, scores, threshold).items():
            put_rows(getattr(table, measure), at, measured)
    return table


def support_intervals(
    counts: SupportCounts,
    itemsets: Sequence[Columns],
    design: Design,
    *,
    level: float = 0.95,
    within: Columns | None = None,
) -> MeasuredArray:
    """Give the supports of itemsets with their intervals.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(itemsets, design, within=within)`.
    itemsets, design, within
        As for `privacy.estimation.estimates.estimates`.
    level : float, in (0, 1)

    Returns
    -------
    MeasuredArray
        The intervals are raw: their ends may lie outside [0, 1].

    Examples
    --------
    No one of 100 has an open item: exp(-1.92/100) = .981.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=(Question(key="a", kind="yes_no", options=(), unrelated=()),)),))
    >>> support = support_intervals(SupportCounts({(1,): (0, 100), (0,): (0, 0)}), [(0,)], design)[0]
    >>> support.low, round(support.high, 3)
    (0.0, 0.019)
    """
    threshold = chi_square_quantile(level)
    table = MeasuredArray(**blank_arrays(MeasuredArray, len(itemsets)))
    for part in contingency_tables(counts, itemsets, design, within=within):
        supports = inversion_intervals(("support",), Scores.of(part), threshold)["support"]
        put_rows(table, part.positions, supports)
    return table


def _checked(rule: Rule, index: DesignIndex) -> Rule:
    antecedent, consequent = rule
    problem = None
    if not antecedent or not consequent:
        problem = "has an empty side"
    elif set(antecedent) & set(consequent):
        problem = "has an item on both sides"
    if problem is not None:
        raise PrivacyError("rule.sides", rule, antecedent=antecedent, consequent=consequent, problem=problem)
    # Two options of one single-choice question on different sides as well.
    index.refuse_excluded((*antecedent, *consequent))
    return rule


def _few_rows(part: ContingencyTables, scores: Scores) -> Flags:
    few = np.zeros(len(part.positions), dtype=np.bool_)
    for rows in part.carrying:
        few |= (rows < FEW_ROWS).any(axis=1) & (rows.sum(axis=1) > 0)
    if part.is_drawn:
        # Decoys alone can fill the cells of the few that were asked everything.
        few |= part.complete.sum(axis=0) * scores.value[0] < FEW_ROWS
    return few


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
        Holds at least `required_counts(rules, design)`.
    rules : sequence of (Columns, Columns)
    design : Design
    hypothesis : {"lift", "confidence"}
    above : float
        Tested is "the measure is at most this"; 1 for lift. For confidence from 0 to 1.

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
    likelihood ratio of "mean h = 0", p = Phi(-sign(mean h) sqrt(R)): the test that the intervals invert.

    Examples
    --------
    Sixty open answers, a and b together more often than apart: leverage .5 - .6 * .6.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
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
    result = np.ones(len(rules))
    for part in contingency_tables(counts, rules, design):
        result[part.positions] = p_values_of_cells(part, hypothesis=hypothesis, above=above)
    return result


def p_values_of_cells(part: ContingencyTables, *, hypothesis: Hypothesis, above: float) -> Array:
    """Return the p-values of the rules whose cells these are; see `p_values`.

    Parameters
    ----------
    part : ContingencyTables
        A table of each rule, all of one shape.
    hypothesis : str
        The measure.
    above : float
        Value that the measure is tested to lie above.
    """
    equation = Equation(measure=hypothesis, scores=Scores.of(part))
    mean_constant, mean_slope = equation.means
    mean = mean_constant + above * mean_slope
    constant, slope = equation.cells
    root = np.sqrt(likelihood_ratio(part.rows, constant + above * slope))
    p_values: Array = scipy.special.ndtr(-np.sign(mean) * root)
    return np.where(mean == 0, 0.5, p_values)
