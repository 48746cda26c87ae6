"""Intervals of support, confidence, lift, leverage and conviction, by inverting a test.

Each measure has an estimating equation mean(h) = 0, with h linear in the measure's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_ratio, likelihood_sets
from privacy.estimation.moments import ContingencyTables, Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.rule_tables import MeasuredArray, RuleTable, blank_arrays, put_rows
from privacy.levels import chi_square_quantile
from privacy.policy import FEW_ROWS, RELIABLE_ERRORS
from privacy.printed import UNCHECKED, Method
from privacy.survey.design import Design

Measure: TypeAlias = Literal["support", "confidence", "lift", "leverage", "conviction"]
MEASURES: Final[tuple[Measure, ...]] = ("support", "confidence", "lift", "leverage", "conviction")


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation:
    """h = constant + slope t for a measure t of `R` pairs (A, B).

    Parameters
    ----------
    measure : {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
        Scores of the pairs (A, B).

    Notes
    -----
    With z the stratified scores and P their means:

    ==========  =====================================================
    support     z(AB) - t
    confidence  z(AB) - t z(A)
    lift        z(AB) - t (P(A) z(B) + P(B) z(A) - P(A) P(B))
    leverage    z(AB) - P(A) z(B) - P(B) z(A) + P(A) P(B) - t
    conviction  (1-P(B)) z(A) - P(A) z(B) + P(A) P(B) - t (z(A) - z(AB))
    ==========  =====================================================

    For lift, leverage and conviction these are the influence values of P(AB) - t P(A) P(B),
    P(AB) - P(A) P(B) - t and P(A) (1-P(B)) - t (P(A) - P(AB)).
    """

    measure: Measure
    scores: Scores

    @cached_property
    def value(self) -> Array:
        """Estimates of the measure, not clipped, shape (R,); NaN for 0/0."""
        if self.measure == "support":
            whole: Array = self.scores.value[0]
            return whole
        both, first, second = self.scores.value
        return _value(self.measure, both, first, second)

    @cached_property
    def _coefficients(self) -> tuple[Array, Array, Array, Array]:
        """Coefficients of z and of 1 in the constant, then in the slope, each of shape (events, R)."""
        if self.measure == "support":
            whole = np.zeros_like(self.scores.value)
            whole[0] = 1
            nothing_of_it = np.zeros_like(whole)
            return whole, nothing_of_it, nothing_of_it, -whole
        _, first, second = self.scores.value
        ones, none = np.ones_like(first), np.zeros_like(first)
        product = first * second
        union, nothing = (ones, none, none), (none, none, none)
        rows: tuple[tuple[Array, Array, Array], ...]
        match self.measure:
            case "confidence":
                rows = union, nothing, (none, -ones, none), (-first, first, none)
            case "lift":
                rows = union, nothing, (none, -second, -first), (-product, product, product)
            case "leverage":
                rows = (ones, -second, -first), (-product, product, product), nothing, (-ones, none, none)
            case "conviction":
                other = first * (1 - second)
                rows = (
                    (none, 1 - second, -first),
                    (other, -other, product),
                    (ones, -ones, none),
                    (-first, first, none),
                )
        scores_in_constant, ones_in_constant, scores_in_slope, ones_in_slope = np.array(rows)
        return scores_in_constant, ones_in_constant, scores_in_slope, ones_in_slope

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """Constant and slope by cell, direct cells first, each of shape (R, cells); 0 in an empty group."""
        z_constant, one_constant, z_slope, one_slope = self._coefficients
        return _by_cell(z_constant, one_constant, self.scores), _by_cell(z_slope, one_slope, self.scores)

    @cached_property
    def means(self) -> tuple[Array, Array]:
        """Means of constant and slope over the rows, each of shape (R,)."""
        z_constant, one_constant, z_slope, one_slope = self._coefficients
        value = self.scores.value
        return (z_constant * value + one_constant).sum(axis=0), (z_slope * value + one_slope).sum(axis=0)

    def variances(self, covariance: Array) -> tuple[Array, Array, Array]:
        """Return the variances of the mean constant and slope, with their covariance between them."""
        z_constant, _, z_slope, _ = self._coefficients
        pairs = ((z_constant, z_constant), (z_constant, z_slope), (z_slope, z_slope))
        first, cross_term, last = (np.einsum("ir,ijr,jr->r", a, covariance, b) for a, b in pairs)
        return first, cross_term, last


def _value(measure: Measure, both: Array, first: Array, second: Array) -> Array:
    """Return estimates of a measure from P(AB), P(A) and P(B), not clipped; NaN for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value: Array
        match measure:
            case "support":
                value = both
            case "confidence":
                value = both / first
            case "lift":
                value = both / (first * second)
            case "leverage":
                value = both - first * second
            case "conviction":
                value = first * (1 - second) / (first - both)
    return value


def _by_cell(z_factor: Array, constant: Array, scores: Scores) -> Array:
    parts = []
    for cells, own, n in zip(scores.cells.groups, scores.by_group, scores.n_by_group, strict=True):
        part = (z_factor[:, :, None] * own).sum(axis=0) + constant.sum(axis=0)[:, None]
        # A group without rows contributes no possible cells.
        parts.append(np.where((n > 0)[:, None] & cells.possible, part, 0.0))
    return np.concatenate(parts, axis=1)


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
        standard_error=_delta_error(equation),
        estimable=estimable,
        n=equation.scores.n,
        effective_n=equation.scores.n.astype(np.float64),
        level=level,
        possible=_possible(measure),
        method=_method(measure),
        shift=None,
        origin=UNCHECKED,
    )


def _delta_error(equation: Equation) -> Array:
    """Return the delta-method error; NaN unless the mean slope exceeds 5 of its own errors."""
    value, denominator = equation.value, equation.means[1]
    of_constant, cross_term, of_slope = equation.variances(equation.scores.population_covariance)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(of_constant + 2 * value * cross_term + value**2 * of_slope) / np.abs(denominator)
        reliable = np.abs(denominator) > RELIABLE_ERRORS * np.sqrt(of_slope)
    return np.where(reliable, error, np.nan)


def _possible(measure: Measure) -> tuple[float, float]:
    return RANGES[measure] if measure in RANGES else POSSIBLE[measure]


def _method(measure: Measure) -> Method:
    return "scores" if measure == "support" else "ratio"


Rule: TypeAlias = tuple[Columns, Columns]
"""Antecedent and consequent."""


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
    `privacy.estimation.intervals.Equation` defines h for each measure. An interval refers to the population
    from which the rows are a sample. It contains the values t whose empirical likelihood ratio for mean h = 0
    over the cells of the rule is at most the chi-square quantile (`likelihood_sets`). Intervals of confidence
    are cut to [0, 1], of lift and conviction to [0, inf).

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
    _check_rules(rules, index)
    for part in contingency_tables(counts, rules, design):
        scores, at = Scores.of(part), part.positions
        table.n[at], (table.n_direct[at], table.n_protected[at]) = part.complete.sum(axis=0), part.complete
        table.n_used[at], table.all_rows[at] = scores.n, part.all_rows
        table.few_rows[at] = _few_rows(part, scores)
        for measure, result in inversion_intervals(MEASURES, scores, level).items():
            put_rows(getattr(table, measure), at, result)
    return table


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleValues:
    """The estimates of many rules without their intervals; see `privacy.estimation.rule_tables.RuleTable`.

    Attributes
    ----------
    support, antecedent, consequent : float array, shape (R,)
        P(AB), P(A) and P(B) among the rows of each rule, not clipped.
    support_se : float array, shape (R,)
        Standard error of the support.
    n : int array, shape (R,)
        Rows that were asked everything in the rule.
    """

    support: Array
    antecedent: Array
    consequent: Array
    support_se: Array
    n: Whole

    def __len__(self) -> int:
        return len(self.n)

    def measure(self, name: Measure) -> Array:
        """Return a measure of all rules, not clipped; NaN for 0/0."""
        return _value(name, self.support, self.antecedent, self.consequent)

    @cached_property
    def confidence(self) -> Array:
        """P(B|A)."""
        return self.measure("confidence")

    @cached_property
    def lift(self) -> Array:
        """P(B|A) / P(B)."""
        return self.measure("lift")


def rule_values(counts: SupportCounts, rules: Sequence[Rule], design: Design) -> RuleValues:
    """Estimate the measures of rules without intervals, in a tenth of the time of `measure_rules`.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(rules, design)`.
    rules : sequence of (antecedent, consequent)
        As for `measure_rules`.
    design : Design

    Returns
    -------
    RuleValues
        The same figures as those of `measure_rules`, to the last bit.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=())
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(2, 3): (0, 8), (0, 3): (0, 4), (1, 2): (0, 3), (0, 1): (0, 3)})
    >>> values = rule_values(counts, [((0,), (1,))], design)
    >>> values.confidence.tolist(), values.lift.tolist(), values.n.tolist()
    ([0.75], [2.0], [8])
    """
    index = index_of(design)
    table = RuleValues(**blank_arrays(RuleValues, len(rules)))
    _check_rules(rules, index)
    for part in contingency_tables(counts, rules, design):
        scores, at = Scores.of(part), part.positions
        table.n[at] = part.complete.sum(axis=0)
        table.support[at], table.antecedent[at], table.consequent[at] = scores.value
        table.support_se[at] = _delta_error(Equation(measure="support", scores=scores))
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


def _check_rules(rules: Sequence[Rule], index: DesignIndex) -> None:
    """Refuse rules with an empty side, or with an item or two options of one choice on both sides."""
    for rule in rules:
        antecedent, consequent = rule
        problem = None
        if not antecedent or not consequent:
            problem = "has an empty side"
        elif not set(antecedent).isdisjoint(consequent):
            problem = "has an item on both sides"
        if problem is not None:
            raise PrivacyError(
                "rule.sides", rule, antecedent=antecedent, consequent=consequent, problem=problem
            )
    if index.excludes_any:
        for antecedent, consequent in rules:
            index.refuse_excluded((*antecedent, *consequent))


def _few_rows(part: ContingencyTables, scores: Scores) -> Flags:
    few = np.zeros(len(part.positions), dtype=np.bool_)
    for rows in part.row_counts:
        few |= (rows < FEW_ROWS).any(axis=1) & (rows.sum(axis=1) > 0)
    if part.is_drawn:
        # If few rows were asked everything, decoys alone can fill the cells.
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
    return np.where(mean == 0, 0.5, p_values)
