"""Filters for the measures of a rule, estimated and true, and for what a table of rules is filtered by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django import template

from surveys.formats.figures import Figure, difference_figure, number, ratio_figure, share_figure
from surveys.models import RuleRow
from surveys.report.rule_rows import RuleQuery, true_measures
from surveys.report.rules import filter_text

register = template.Library()
register.filter(filter_text.__name__, filter_text)

_WRITTEN_AS: Final[dict[str, Callable[[float | None, float | None, float | None], Figure]]] = {
    "support": share_figure,
    "confidence": share_figure,
    "lift": ratio_figure,
    "leverage": difference_figure,
    "conviction": ratio_figure,
}
_RATIOS: Final = ("lift", "conviction")


@register.filter
def measured(rule: RuleRow, name: str) -> Figure:
    """Return a measure of a rule with the interval that pages print.

    >>> rule = RuleRow(lift=1.5, leverage=0.1)
    >>> rule.printed = {"lift": (1.2, 2)}
    >>> measured(rule, "lift").low, measured(rule, "leverage").has_interval
    ('1.20', False)
    """
    value = getattr(rule, name)
    if name not in rule.printed:
        return Figure(value=_WRITTEN_AS[name](value, value, value).value)
    return _WRITTEN_AS[name](value, *rule.printed[name])


@register.filter
def true_value(rule: RuleRow, name: str) -> str:
    """Write the true value of a measure where it is known.

    >>> true_value(RuleRow(truth=0.2, truth_antecedent=0.4, truth_consequent=0.25), "lift")
    '2.00'
    """
    value = rule.truth if name == "support" else true_measures(rule).get(name)
    return number(value, 2 if name in _RATIOS else 3)


@register.filter
def without(query: RuleQuery, part: RuleQuery) -> RuleQuery:
    """Return a query without one of its filters."""
    return query.without(part)
