"""Filters for shares in frequencies and mean ranks, and the bar of a share."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.always_valid import always_valid_half_width
from privacy.estimation.measures import Measured
from surveys.charts.share_bar import share_bar
from surveys.report.frequencies import range_said, share_said

register = template.Library()


@register.filter
def frequency(share: Measured) -> str:
    """Write a share of people with its interval: "42 % (35–50 %)"."""
    return share_said(share.value, share.low, share.high)


@register.simple_tag
def first_bar(thing: str, share: Measured) -> SafeString:
    """Draw the share that put a thing first."""
    said = _("%(thing)s is put first by %(share)s") % {"thing": thing, "share": frequency(share)}
    return share_bar(share.value, share.low, share.high, said=said)


@register.simple_tag
def before_bar(before: str, after: str, share: Measured) -> SafeString:
    """Draw the share that put one thing before another, beside a half."""
    words = {"before": before, "after": after, "share": frequency(share)}
    said = _("%(before)s before %(after)s: %(share)s") % words
    return share_bar(share.value, share.low, share.high, said=said, compared=0.5)


@register.simple_tag
def order_bar(order: str, share: Measured) -> SafeString:
    """Draw the share that put things in one order."""
    said = _("%(order)s: %(share)s") % {"order": order, "share": frequency(share)}
    return share_bar(share.value, share.low, share.high, said=said)


@register.filter
def mean_place(mean: Measured) -> str:
    """Write a mean place with its interval: "1.6 on average (1.4–1.8)"."""
    ends = f"{mean.low:.1f}–{mean.high:.1f}"
    return _("%(place)s on average (%(ends)s)") % {"place": f"{mean.value:.1f}", "ends": ends}


@register.filter
def at_every_look(share: Measured, n: int) -> str:
    """Write the range of a share that holds however often one looks."""
    return range_said(share.value, *_always(share, n, 0, 1))


@register.simple_tag
def place_at_every_look(mean: Measured, n: int, places: int) -> str:
    """Write the range of a mean place that holds however often one looks."""
    low, high = _always(mean, n, 1, places)
    return f"{low:.1f}–{high:.1f}"


def _always(figure: Measured, n: int, least: float, most: float) -> tuple[float, float]:
    reach = always_valid_half_width(figure.standard_error or 0.0, n)
    return max(figure.value - reach, least), min(figure.value + reach, most)
