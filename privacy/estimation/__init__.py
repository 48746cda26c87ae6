"""From counts of disguised rows back to the population; nothing here ever sees a row."""

from privacy.estimation.counts import Columns, MissingCountError, SupportCounts
from privacy.estimation.estimates import Estimate, Estimates
from privacy.estimation.intervals import (
    Rule,
    measure_rule,
    measure_rules,
    rule_terms,
    rules_terms,
    support_interval,
    support_intervals,
)
from privacy.estimation.measures import Measured, MeasuredArray, RuleMeasures, RuleTable
from privacy.estimation.patterns import Patterns, pattern_terms, patterns
from privacy.estimation.scores import Estimator, Target
from privacy.estimation.skip_rate import skipped, skipped_terms
from privacy.estimation.supports import (
    all_terms,
    asked,
    covariance,
    covariance_terms,
    estimate,
    estimates,
    terms,
)

__all__ = [
    "Columns",
    "Estimate",
    "Estimates",
    "Estimator",
    "Measured",
    "MeasuredArray",
    "MissingCountError",
    "Patterns",
    "Rule",
    "RuleMeasures",
    "RuleTable",
    "SupportCounts",
    "Target",
    "all_terms",
    "asked",
    "covariance",
    "covariance_terms",
    "estimate",
    "estimates",
    "measure_rule",
    "measure_rules",
    "pattern_terms",
    "patterns",
    "rule_terms",
    "rules_terms",
    "skipped",
    "skipped_terms",
    "support_interval",
    "support_intervals",
    "terms",
]
