"""From counts of disguised rows back to the population; nothing here ever sees a row."""

from privacy.reconstruct.counts import Columns, MissingCountError, SupportCounts
from privacy.reconstruct.estimates import Estimate, Estimates
from privacy.reconstruct.intervals import (
    Rule,
    measure_rule,
    measure_rules,
    rule_terms,
    rules_terms,
    support_interval,
    support_intervals,
)
from privacy.reconstruct.measures import Measured, MeasuredArray, RuleMeasures, RuleTable
from privacy.reconstruct.patterns import Patterns, pattern_terms, patterns
from privacy.reconstruct.scores import Estimator, Target
from privacy.reconstruct.skips import skipped, skipped_terms
from privacy.reconstruct.supports import (
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
