"""Filters for shares in frequencies and mean ranks, and the bar of a share."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.estimates import Measured
from privacy.levels import always_valid_interval
from surveys.formats.intervals import share_bar
from surveys.models import ItemsetRow
from surveys.questionnaire.labels import ItemLabel
from surveys.report.frequencies import range_said, share_said
from surveys.report.results import share_of

register = template.Library()


register.filter("support", share_of)


@register.filter
def frequency(share: Measured) -> str:
    """Write a share of people with its interval: "42 of 100 (35 to 50)"."""
    return share_said(share.value, share.low, share.high)


@register.simple_tag
def answer_bar(item: ItemLabel, row: ItemsetRow) -> SafeString:
    """Draw the share that gave an answer, and the true share where it is known."""
    share = share_of(row)
    words = {"question": item.text, "answer": item.answer, "share": frequency(share)}
    sentence = _("%(question)s %(answer)s: %(share)s") % words
    return share_bar(share.value, share.low, share.high, said=sentence, truth=row.truth)


@register.filter
def at_every_look(share: Measured, n: int) -> str:
    """Write the range of a share that holds however often one looks."""
    return range_said(share.value, *always_valid_interval(share.value, share.standard_error or 0.0, n))
