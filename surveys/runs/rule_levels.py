"""The confidence levels of the intervals of rules."""

from __future__ import annotations

from typing import Final

from surveys.models import RuleRow, Run
from surveys.runs.planned_sides import planned_sides

PLANNED_LEVEL: Final = 0.95


def levels_of(run: Run, rule: RuleRow | None = None) -> tuple[float, float]:
    """Return the confidence levels of a rule's intervals and of its support's; 95% if it was planned."""
    if rule is not None and (rule.antecedent, rule.consequent) == planned_sides(run):
        return PLANNED_LEVEL, PLANNED_LEVEL
    tests = run.summary["inference"]
    return float(tests["rule_level"]), float(tests["itemset_level"])
