"""Filters for shares in frequencies and mean ranks, and the bar of a share."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.measures import Measured
from privacy.levels import always_valid_interval
from surveys.charts.share_bar import share_bar
from surveys.models import ItemsetRow, RuleRow
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.frequencies import confidence_sentence, range_said, share_said

register = template.Library()


register.filter(confidence_sentence.__name__, confidence_sentence)


@register.filter
def support(row: ItemsetRow) -> Measured:
    """Return the share of people who have an itemset that can be estimated."""
    if row.support_low is None or row.support_high is None:
        raise ValueError("the support has no interval")
    return Measured(
        value=row.support,
        low=row.support_low,
        high=row.support_high,
        standard_error=row.support_se,
        estimable=True,
    )


@register.filter
def share_in_general(rule: RuleRow) -> float:
    """Return the share of all people who have the consequent of a rule, as its figures have it."""
    if rule.confidence is None or rule.lift is None:
        raise ValueError("the confidence or the lift is not estimable")
    return rule.confidence / rule.lift


@register.filter
def frequency(share: Measured) -> str:
    """Write a share of people with its interval: "42 % (35–50 %)"."""
    return share_said(share.value, share.low, share.high)


@register.simple_tag
def answer_bar(item: ItemLabel, row: ItemsetRow) -> SafeString:
    """Draw the share that gave an answer, and the true share where it is known."""
    share = support(row)
    words = {"question": item.text, "answer": item.answer, "share": frequency(share)}
    sentence = _("%(question)s %(answer)s: %(share)s") % words
    return share_bar(share.value, share.low, share.high, said=sentence, truth=row.truth)


@register.simple_tag
def confidence_bar(rule: RuleRow, labels: Labels) -> SafeString:
    """Draw the confidence of a rule that can be estimated, beside the share in general."""
    share, low, high = rule.confidence, rule.confidence_low, rule.confidence_high
    if share is None or low is None or high is None:
        raise ValueError("the confidence has no interval")
    sentence = confidence_sentence(rule, labels)
    return share_bar(share, low, high, said=sentence, compared=share_in_general(rule))


@register.filter
def at_every_look(share: Measured, n: int) -> str:
    """Write the range of a share that holds however often one looks."""
    return range_said(share.value, *always_valid_interval(share.value, share.standard_error or 0.0, n))
