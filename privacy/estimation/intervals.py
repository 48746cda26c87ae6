"""Intervals of support, confidence, lift, leverage and conviction, by inverting a test.

Each measure has an estimating equation mean(h) = 0, with h linear in the measure's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.estimation.array_tables import MeasuredArray, blank_arrays, put_rows
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_sets
from privacy.estimation.estimating_equation import MEASURES, Equation, Measure, delta_error
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.rule_sides import Rule, check_rules
from privacy.estimation.rule_tables import RuleTable
from privacy.levels import chi_square_quantile
from privacy.policy import FEW_ROWS
from privacy.printed import UNCHECKED, Method
from privacy.survey.design import Design

SAME: Final = 1e-12
"""Absolute or relative difference that counts as a rounding error."""

RANGES: Final[dict[Measure, tuple[float, float]]] = {
    "confidence": (0.0, 1.0),
    "lift": (0.0, np.inf),
    "conviction": (0.0, np.inf),
}
"""Ranges to which intervals of ratios are cut."""

POSSIBLE: Final[dict[Measure, tuple[float, float]]] = {"support": (0.0, 1.0), "leverage": (-0.25, 0.25)}
"""Ranges of measures whose intervals are not cut; an interval that contains the range is uninformative."""


def inversion_intervals(
    measures: Sequence[Measure], scores: Scores, level: float
) -> dict[Measure, MeasuredArray]:
    """Return value, interval and delta-method error of each measure for the scored pairs.

    Parameters
    ----------
    measures : sequence of {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
    level : float, in (0, 1)

    Notes
    -----
    All measures share one search. The delta-method error is sd(mean h at the estimate) / |mean slope|. It is
    NaN unless |mean slope| exceeds 5 of its own errors.
    """
    equations = [Equation(measure=measure, scores=scores) for measure in measures]
    size = len(scores.n)
    sets = likelihood_sets(
        np.tile(scores.cells.rows, (len(measures), 1)),
        np.concatenate([equation.cells[0] for equation in equations]),
        np.concatenate([equation.cells[1] for equation in equations]),
        chi_square_quantile(level),
    )
    return {
        equation.measure: _measure_array(equation, sets.part(slice(at * size, (at + 1) * size)), level)
        for at, equation in enumerate(equations)
    }


def _measure_array(equation: Equation, sets: ConfidenceSets, level: float) -> MeasuredArray:
    measure, value = equation.measure, equation.value
    if measure in RANGES:
        interval = sets.inside(*RANGES[measure])
        low, high, estimable = interval.low, interval.high, interval.estimable
    else:
        low, high, estimable = sets.low, sets.high, sets.inside(*POSSIBLE[measure]).estimable
    # An end that equals the value up to rounding is set to it, as it was computed in a different way.
    low, high = (np.where(np.isclose(end, value, rtol=SAME, atol=SAME), value, end) for end in (low, high))
    return MeasuredArray(
        value=value,
        low=low,
        high=high,
        standard_error=delta_error(equation),
        estimable=estimable,
        n=equation.scores.n,
        effective_n=equation.scores.n.astype(np.float64),
        level=level,
        possible=_possible(measure),
        method=_method(measure),
        shift=None,
        origin=UNCHECKED,
    )


def _possible(measure: Measure) -> tuple[float, float]:
    return RANGES[measure] if measure in RANGES else POSSIBLE[measure]


def _method(measure: Measure) -> Method:
    return "scores" if measure == "support" else "ratio"


def measure_rules(
    counts: SupportCounts, rules: Sequence[Rule], design: Design, *, level: float = 0.95
) -> RuleTable:
    """Measure rules, with an interval for each measure.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(rules, design)`.
    rules : sequence of (antecedent, consequent)
        Both sides are itemsets, without common items and without two options of a single choice.
    design : Design
    level : float, in (0, 1)

    Returns
    -------
    RuleTable
        All supports are shares of the rows that were asked everything in their rule, or of all rows that
        could draw it if `privacy.estimation.counts.SupportCounts.all_rows` is set.

    Raises
    ------
    PrivacyError
        ``rule`` (an empty side, a common item), ``level``, and the errors of `estimate`.

    Notes
    -----
    `privacy.estimation.estimating_equation.Equation` defines h for each measure. An interval refers to the
    population from which the rows are a sample. It contains the values t whose empirical likelihood ratio
    for mean h = 0 over the cells of the rule is at most the chi-square quantile (`likelihood_sets`).
    Intervals of confidence are cut to [0, 1], of lift and conviction to [0, inf).

    `few_rows` compares the number of rows in each cell with 5. If devices draw questions, it uses complete
    rows, and also the expected number of them with all items.

    Examples
    --------
    Eight people with open answers: four have a, three of whom also have b; no one has only b.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 8), (0, 3): (0, 4), (1, 2): (0, 3), (0, 1): (0, 3)})
    >>> rule = measure_rules(counts, [((0,), (1,))], design)[0]
    >>> rule.confidence.value, rule.lift.value, rule.few_rows
    (0.75, 2.0, True)
    >>> round(rule.confidence.low, 3), round(rule.confidence.high, 3)
    (0.278, 0.984)

    The lower end c solves 2 (3 log(.75/c) + log(.25/(1-c))) = 3.84, as for a sample of four.
    """
    index = index_of(design)
    blank: dict[str, Any] = {
        name: MeasuredArray.blank(len(rules), level=level, possible=_possible(name), method=_method(name))
        for name in MEASURES
    }
    table = RuleTable(**blank_arrays(RuleTable, len(rules)), **blank)
    check_rules(rules, index)
    for part in contingency_tables(counts, rules, design):
        scores, at = Scores.of(part), part.positions
        table.n[at], (table.n_direct[at], table.n_protected[at]) = part.complete.sum(axis=0), part.complete
        table.n_used[at], table.all_rows[at] = scores.n, part.all_rows
        table.few_rows[at] = _few_rows(part, scores)
        for measure, result in inversion_intervals(MEASURES, scores, level).items():
            put_rows(getattr(table, measure), at, result)
    return table


def confidence_lows(
    counts: SupportCounts, rules: Sequence[Rule], design: Design, *, level: float = 0.95
) -> Array:
    """Return the lower ends of the intervals of rules' confidences, as `measure_rules` computes them.

    Parameters
    ----------
    counts, rules, design, level
        As for `measure_rules`.

    Returns
    -------
    float array, shape (len(rules),)
    """
    result = np.full(len(rules), np.nan)
    for part in contingency_tables(counts, rules, design):
        intervals = inversion_intervals(("confidence",), Scores.of(part), level)
        result[part.positions] = intervals["confidence"].low
    return result


def support_intervals(
    counts: SupportCounts,
    itemsets: Sequence[Columns],
    design: Design,
    *,
    level: float = 0.95,
    within: Columns | None = None,
) -> MeasuredArray:
    """Return the supports of itemsets with their intervals.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(itemsets, design, within=within)`.
    itemsets, design, within
        As for `privacy.estimation.estimates.estimates`.
    level : float, in (0, 1)

    Returns
    -------
    MeasuredArray
        Intervals are not clipped: their ends may be outside [0, 1].

    Examples
    --------
    None of 100 people has an open item: exp(-1.92/100) = .981.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=(Question(key="a", kind="yes_no", options=(), unrelated=()),)),))
    >>> support = support_intervals(SupportCounts({(1,): (0, 100), (0,): (0, 0)}), [(0,)], design)[0]
    >>> support.low, round(support.high, 3)
    (0.0, 0.019)
    """
    table = MeasuredArray.blank(len(itemsets), level=level, possible=POSSIBLE["support"], method="scores")
    for part in contingency_tables(counts, itemsets, design, within=within):
        supports = inversion_intervals(("support",), Scores.of(part), level)["support"]
        put_rows(table, part.positions, supports)
    return table


def _few_rows(part: ContingencyTables, scores: Scores) -> Flags:
    few = np.zeros(len(part.positions), dtype=np.bool_)
    for rows in part.row_counts:
        few |= (rows < FEW_ROWS).any(axis=1) & (rows.sum(axis=1) > 0)
    if part.is_drawn:
        # If few rows were asked everything, decoys alone can fill the cells.
        few |= part.complete.sum(axis=0) * scores.value[0] < FEW_ROWS
    return few
