"""Filters and tags for measured values, counts and itemsets.

A tag and not a template of its own: a table has a thousand of them, and an included template takes several
times as long.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from privacy.estimation.estimates import Measured
from privacy.estimation.fit_check import CarelessResponse
from privacy.scales.region_share import Share
from surveys.formats.figures import Figure, ends_of, number, p_text, ratio_figure, share_figure
from surveys.questionnaire.labels import Labels, unpack_items
from surveys.runs.disclosure import shown_count

register = template.Library()

register.filter("p_value", p_text)


@register.filter
def decimals(value: float | str | None, digits: int = 3) -> str:
    """Write a number with a fixed count of decimals; a text is a figure that a run does not have."""
    return "" if isinstance(value, str) else number(value, digits)


@register.filter
def percent_or_dash(share: float | None) -> str:
    """Write a share in percent, or a dash for None.

    >>> percent_or_dash(0.9512), percent_or_dash(None)
    ('95.1%', '–')
    """
    return "–" if share is None else f"{100 * share:.1f}%"


@register.filter
def whole_percent(share: float) -> str:
    """Write a share in percent, rounded, without the sign.

    >>> whole_percent(0.276)
    '28'
    """
    return f"{100 * share:.0f}"


@register.filter
def in_points(share: float) -> str:
    """Write a share in percent without the sign, or a difference of shares in points.

    >>> in_points(0.1234), in_points(-0.02)
    ('12.3', '−2.0')
    """
    return number(100 * share, 1)


@register.filter
def people(count: float | None) -> str:
    """Write a count of answers; None counts as 0.

    >>> people(6366)
    '6,366'
    """
    return shown_count(round(count or 0))


@register.filter
def named(items: str | Iterable[int], labels: Labels) -> str:
    """Write an itemset, stored or not, as the page names it."""
    return labels.short(unpack_items(items) if isinstance(items, str) else items)


@register.simple_tag
def brief_figure(measured: Figure) -> SafeString:
    """Print the estimate, the interval and what must be said.

    >>> brief_figure(Figure(value=".7", low=".6", high=".8", plus_minus=".1"))
    '<span class="figure-value">.7</span><span class="ends">[.6, .8]</span>'
    """
    return figure(replace(measured, plus_minus=""))


@register.simple_tag
def figure(measured: Figure, truth: str = "") -> SafeString:
    """Print the estimate, half the interval's width, the interval, the true value and what must be said.

    >>> figure(Figure(value=".7", exact=True))
    '<span class="figure-value">.7</span><span class="ends">exact</span>'
    """
    width = f' <span class="pm">± {escape(measured.plus_minus)}</span>' if measured.plus_minus else ""
    parts = [f'<span class="figure-value">{escape(measured.value) or "–"}{width}</span>']
    if measured.has_interval:
        ends = f"[{escape(measured.low)}, {escape(measured.high)}]"
    else:
        ends = escape(_("exact")) if measured.exact else ""
    if truth:
        name = escape(_("true value"))
        ends += (
            f' <span class="true-value" title="{name}"><span aria-hidden="true">◇</span>'
            f'<span class="visually-hidden">{name}</span>{escape(truth)}</span>'
        )
    if ends:
        parts.append(f'<span class="ends">{ends}</span>')
    parts += [f' <span class="tag tag--warn">{escape(remark)}</span>' for remark in measured.remarks]
    # Every value in it was escaped above.
    return mark_safe("".join(parts))  # nosec B308 B703


@register.simple_tag
def share(
    value: float | None, low: float | None, high: float | None, *, few_rows: bool = False, truth: str = ""
) -> SafeString:
    """Print a share of people with its interval."""
    return figure(share_figure(value, low, high, few_rows=few_rows), truth)


@register.simple_tag
def plain_share(value: float | None, standard_error: float | None) -> SafeString:
    """Print a share with its standard error in brackets, to compare and not to decide by.

    >>> plain_share(0.3, 0.01), plain_share(None, None)
    ('.300 <span class="pm">(.010)</span>', '–')
    """
    if value is None or standard_error is None:
        return SafeString("–")
    return format_html('{} <span class="pm">({})</span>', number(value) or "–", number(standard_error))


@register.simple_tag
def ratio(value: float | None, low: float | None, high: float | None) -> SafeString:
    """Print a ratio with its interval."""
    return figure(ratio_figure(value, low, high))


@register.simple_tag
def measured_share(measured: CarelessResponse | Measured | Share, few_rows: bool = False) -> SafeString:
    """Print a measured share."""
    return figure(share_figure(*ends_of(measured), few_rows=few_rows))
