"""Measures of a rule as pages show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django import template

from mining.interest import WITH_INTERVALS
from surveys.formats.figures import Figure, difference_figure, ratio_figure, share_figure
from surveys.formats.numbers import number
from surveys.models import RuleRow
from surveys.report.rules.measures import MAIN, Measure, true_measures

register = template.Library()

_WRITTEN_AS: Final[dict[str, Callable[[float | None, float | None, float | None], Figure]]] = {
    "share": share_figure,
    "ratio": ratio_figure,
    "difference": difference_figure,
}
"""Formatters, by kind of measure."""


@register.simple_tag
def measures_with_intervals() -> tuple[Measure, ...]:
    """Return the registry's measures that have intervals."""
    return MAIN


@register.filter
def rule_figure(rule: RuleRow, name: str) -> Figure:
    """Return a rule's measure with the interval that pages show.

    >>> rule = RuleRow(lift=1.5, leverage=0.1, leverage_low=0.05, leverage_high=0.15)
    >>> rule.intervals = {"lift": (1.2, 2)}
    >>> rule_figure(rule, "lift").low, rule_figure(rule, "leverage").has_interval
    ('1.20', False)
    """
    if name not in WITH_INTERVALS:
        return Figure(value=number(rule.inference.interest.get(name)))
    value, formatter = getattr(rule, name), _WRITTEN_AS[WITH_INTERVALS[name].kind]
    if name not in rule.intervals:
        plain = formatter(value, getattr(rule, f"{name}_low"), getattr(rule, f"{name}_high"))
        return Figure(value=plain.value, remarks=plain.remarks)
    return formatter(value, *rule.intervals[name])


@register.filter
def true_value(rule: RuleRow, name: str) -> str:
    """Format the true value of a measure if it is known.

    >>> true_value(RuleRow(truth=0.2, truth_antecedent=0.4, truth_consequent=0.25), "lift")
    '2.00'
    """
    if name not in WITH_INTERVALS:
        return ""
    value = rule.truth if name == "support" else true_measures(rule).get(name)
    return number(value, 2 if WITH_INTERVALS[name].kind == "ratio" else 3)
