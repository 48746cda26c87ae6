"""Measures of many rules without their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from privacy.arrays import Array, Whole
from privacy.estimation.array_tables import blank_arrays
from privacy.estimation.counts import SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.estimating_equation import Equation, Measure, delta_error, value_of_measure
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.rule_sides import Rule, check_rules
from privacy.survey.design import Design


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
        return value_of_measure(name, self.support, self.antecedent, self.consequent)

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
    check_rules(rules, index)
    for part in contingency_tables(counts, rules, design):
        scores, at = Scores.of(part), part.positions
        table.n[at] = part.complete.sum(axis=0)
        table.support[at], table.antecedent[at], table.consequent[at] = scores.value
        table.support_se[at] = delta_error(Equation(measure="support", scores=scores))
    return table
