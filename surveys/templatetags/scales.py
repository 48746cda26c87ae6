"""Filters for figures of numbers and places: values in their unit, lengths, shares."""

from __future__ import annotations

from fractions import Fraction

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.estimates import Measured
from privacy.levels import always_valid_interval
from privacy.scales.window import WindowChannel
from surveys.formats.figures import MINUS, percent_text, share_text
from surveys.formats.svg import share_bar
from surveys.models import ItemsetRow
from surveys.questionnaire.labels import ItemLabel
from surveys.report.frequencies import (
    ended_text,
    epsilon_text,
    gamma_text,
    ground_text,
    mechanism_text,
    range_said,
    share_said,
    typed,
)
from surveys.report.results import share_of

register = template.Library()

for written in (ended_text, epsilon_text, gamma_text, ground_text, mechanism_text):
    register.filter(written.__name__, written)


@register.filter
def small_share(share: Fraction | float) -> str:
    """Write a share of people with as many decimals as it needs.

    >>> small_share(Fraction(1, 4))
    '.2500'
    """
    return share_text(float(share))


@register.filter
def in_percent(share: float) -> str:
    """Write a share of people in percent.

    >>> in_percent(0.1234)
    '12.3%'
    """
    return f"{percent_text(share)}%"


@register.filter
def plain_percent(share: float) -> str:
    """Write a share in percent, without a sign and without zeros behind it.

    >>> plain_percent(0.25)
    '25'
    """
    return f"{100 * share:g}"


@register.filter
def in_unit(value: float, disguise: WindowChannel) -> str:
    """Write a value in the unit of the answers."""
    return typed(value, disguise)


@register.filter
def error_in_unit(error: float, disguise: WindowChannel) -> str:
    """Write a standard error in the unit of the answers: of dates, in months or days."""
    text = f"{error:,.{disguise.range.decimals + 1}f}"
    if disguise.range.calendar is None:
        return text
    return (_("%(number)s months") if disguise.range.calendar == "month" else _("%(number)s days")) % {
        "number": text
    }


@register.filter
def degrees(value: float) -> str:
    """Write a longitude or a latitude.

    >>> degrees(-0.5)
    '−0.50000'
    """
    return f"{value:.5f}".replace("-", MINUS)


@register.filter
def ground_size(across: float, up: float) -> str:
    """Write how wide and how high something on the ground is.

    >>> ground_size(200, 12_340)
    '200 m × 12.3 km'
    """
    return f"{ground_text(across)} × {ground_text(up)}"


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
