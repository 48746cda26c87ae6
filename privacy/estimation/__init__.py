"""From counts of disguised rows back to the population; nothing here ever sees a row."""

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import Estimate, Estimates, asked_columns, covariance, estimate, estimates
from privacy.estimation.events import skipped, skipped_terms
from privacy.estimation.intervals import (
    Rule,
    measure_rules,
    support_intervals,
)
from privacy.estimation.measures import Measured, MeasuredArray, RuleMeasures, RuleTable
from privacy.estimation.moments import Estimator, Target
from privacy.estimation.patterns import pattern_terms
from privacy.estimation.required_counts import required_counts

__all__ = [
    "Columns",
    "Estimate",
    "Estimates",
    "Estimator",
    "Measured",
    "MeasuredArray",
    "Rule",
    "RuleMeasures",
    "RuleTable",
    "SupportCounts",
    "Target",
    "asked_columns",
    "covariance",
    "estimate",
    "estimates",
    "measure_rules",
    "pattern_terms",
    "required_counts",
    "skipped",
    "skipped_terms",
    "support_intervals",
]
