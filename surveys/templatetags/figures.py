"""Figures on pages: estimates with their intervals, numbers, places and signs of caution.

Figures are tags rather than included templates, because a table has a thousand of them and including takes
several times as long. The formatters of audits are imported when a page first needs them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from privacy.always_valid import always_valid_interval
from privacy.p_values import PValue
from privacy.planning.shortfalls import LIMITS
from privacy.printed import Measured
from privacy.scales.window import WindowChannel
from surveys.errors.error import sentences
from surveys.errors.stored_refusals import refusal_text
from surveys.formats.figures import SHARES, Figure, bounds_text, ends_of, ratio_figure, share_figure
from surveys.formats.histogram import Bar
from surveys.formats.interval_chart import share_bar
from surveys.formats.numbers import MINUS, count_text, number, percent_text, share_text
from surveys.formats.p_values import about_p_values, p_text
from surveys.formats.people_of_100 import range_text, share_with_interval
from surveys.formats.shown_counts import shown_count
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.questionnaire.packed_items import unpack_items
from surveys.questionnaire.plain_findings import plain_finding
from surveys.report.results.answer_shares import share_of
from surveys.report.results.forged_differences import flips_text, forged_difference, lifted_comparison
from surveys.report.sentences.forged import (
    forged_of,
    is_explained_by_forged,
    lifted_text,
    lifting_text,
    metres_text,
    points_text,
    shift_text,
    unit_text,
)
from surveys.report.sentences.number_texts import error_in_unit, ground_text, number_text
from surveys.runs.p_values import groups_p_value, rule_p_value, stored_draw_p_value, three_way_p_value

register = template.Library()

register.filter("p_value", p_text)
register.filter("about_p_values", about_p_values)
register.filter("plain_finding", plain_finding)


@register.filter
def decimals(value: float | str | None, digits: int = 3) -> str:
    """Format a number with fixed decimals; empty for a text, which means that the run lacks the figure."""
    return "" if isinstance(value, str) else number(value, digits)


@register.filter
def percent_number(share: float, decimals: int | None = None) -> str:
    """Format a share in percent without the percent sign.

    Parameters
    ----------
    share : float
        Or a difference of shares, whose number is in points.
    decimals : int, optional
        Otherwise as many as the number needs.

    Examples
    --------
    >>> percent_number(0.276, 0), percent_number(-0.02, 1), percent_number(0.975), percent_number(0.25)
    ('28', '−2.0', '97.5', '25')
    """
    return f"{100 * share:g}" if decimals is None else percent_text(share, decimals)


@register.filter
def percent_one_decimal(share: float | None) -> str:
    """Format a share in percent with the sign and one decimal, or a dash for None.

    >>> percent_one_decimal(0.1234), percent_one_decimal(None)
    ('12.3%', '–')
    """
    return "–" if share is None else f"{percent_text(share)}%"


@register.filter
def bar_share(bar: Bar) -> str:
    """Format the share of a bar in percent, or its bounds if the estimate is impossible.

    >>> bar_share(Bar(name="0", begin="0", share=-0.02, low=-0.05, high=0.034, shape=None))
    'at most 3.4%'
    """
    bounds = bounds_text(bar.share, (bar.low, bar.high), SHARES, percent_one_decimal)
    return bounds or percent_one_decimal(bar.share)


@register.filter
def people(count: float | None) -> str:
    """Format a number of answers; None counts as 0.

    >>> people(6366)
    '6,366'
    """
    return shown_count(round(count or 0))


@register.filter
def itemset_names(items: str | Iterable[int], labels: Labels) -> str:
    """Name an itemset, in stored form or not, as pages do."""
    return labels.short(unpack_items(items) if isinstance(items, str) else items)


@register.simple_tag
def brief_figure(estimate: Figure) -> SafeString:
    """Print an estimate with its interval and its remarks.

    >>> brief_figure(Figure(value=".7", low=".6", high=".8", plus_minus=".1"))
    '<span class="figure-value">.7</span><span class="ends">[.6, .8]</span>'
    """
    return figure(replace(estimate, plus_minus=""))


@register.simple_tag
def figure(estimate: Figure, truth: str = "") -> SafeString:
    """Print an estimate with ±, interval, true value and remarks.

    >>> figure(Figure(value=".7", exact=True))
    '<span class="figure-value">.7</span><span class="ends">exact</span>'
    """
    width = f' <span class="pm">± {escape(estimate.plus_minus)}</span>' if estimate.plus_minus else ""
    parts = [f'<span class="figure-value">{escape(estimate.value) or "–"}{width}</span>']
    if estimate.has_interval:
        ends = f"[{escape(estimate.low)}, {escape(estimate.high)}]"
    else:
        ends = escape(_("exact")) if estimate.exact else ""
    if truth:
        name = escape(_("true value"))
        ends += (
            f' <span class="true-value" title="{name}"><span aria-hidden="true">◇</span>'
            f'<span class="visually-hidden">{name}</span>{escape(truth)}</span>'
        )
    if ends:
        parts.append(f'<span class="ends">{ends}</span>')
    parts += [f' <span class="tag tag--warn">{escape(remark)}</span>' for remark in estimate.remarks]
    # All values were escaped above.
    return mark_safe("".join(parts))  # noqa: S308


@register.simple_tag
def share(
    value: float | None, low: float | None, high: float | None, *, few_rows: bool = False, truth: str = ""
) -> SafeString:
    """Print a share of people with its interval."""
    return figure(share_figure(value, low, high, few_rows=few_rows), truth)


@register.simple_tag
def plain_share(value: float | None, standard_error: float | None) -> SafeString:
    """Print a share with its standard error in brackets, for comparisons but not for decisions.

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
def measured_share(estimate: Measured, few_rows: bool = False) -> SafeString:
    """Print a measured share, and how far forged rows could have moved it."""
    moved = points_text(estimate.shift) if estimate.estimable else ""
    shift = format_html(' <span class="soft">{}</span>', moved) if moved else ""
    return format_html("{}{}", figure(share_figure(*ends_of(estimate), few_rows=few_rows)), shift)


@register.simple_tag
def measured_ratio(estimate: Measured) -> SafeString:
    """Print a measured ratio."""
    return figure(ratio_figure(*ends_of(estimate)))


@register.simple_tag
def measured_coefficient(estimate: Measured) -> SafeString:
    """Print a coefficient with its interval, or only the end that its interval has."""
    value, low, high = ends_of(estimate)
    if low is None or high is None:
        return figure(Figure(value="", remarks=(_("cannot be estimated"),)))
    bounds = bounds_text(value, (low, high), estimate.possible, decimals)
    if estimate.basis == "too few":
        return figure(Figure(value="", remarks=(_("too few to say"),)))
    if bounds:
        return figure(Figure(value=bounds, remarks=(_("too few to say"),)))
    ends = format_html('<span class="ends">[{}, {}]</span>', decimals(low), decimals(high))
    return format_html("{} {}", decimals(estimate.value), ends)


@register.simple_tag
def percent_with_interval(estimate: Measured) -> SafeString:
    """Print a share or a difference of shares in percent with its interval, or only its bounds.

    Forged rows that could have moved it are stated after it.
    """
    value, low, high = ends_of(estimate)
    if low is None or high is None:
        return figure(Figure(value="", remarks=(_("cannot be estimated"),)))
    write = percent_text
    bounds = bounds_text(value, (low, high), estimate.possible, write)
    drawn = Figure(value=bounds or write(estimate.value), low=write(low), high=write(high))
    moved = points_text(estimate.shift)
    shift = format_html(' <span class="soft">{}</span>', moved) if moved else ""
    return format_html("{}{}", figure(drawn), shift)


@register.filter
def percent_three_digits(share: float) -> str:
    """Format a probability in percent with the sign and three digits, as 0% or 100% only if it is exact.

    >>> percent_three_digits(0.376), percent_three_digits(0.02914), percent_three_digits(0.9999)
    ('37.6%', '2.91%', '>99.9%')
    """
    from privacy.risk import audit_texts

    return audit_texts.percent(float(share))


@register.filter("number")
def number_or_unbounded(value: Fraction | float | None) -> str:
    """Format a number; None means unbounded.

    >>> number_or_unbounded(33.04), number_or_unbounded(None)
    ('33', '∞')
    """
    from privacy.risk import audit_texts

    return audit_texts.number(math.inf if value is None else float(value))


@register.filter
def thousands(count: int) -> str:
    """Format a number with commas between thousands.

    >>> thousands(1025)
    '1,025'
    """
    return count_text(count)


@register.filter
def small_share(share: Fraction | float) -> str:
    """Format a share of people, with more decimals if it is small.

    >>> small_share(Fraction(1, 4))
    '.2500'
    """
    return share_text(float(share))


@register.filter
def in_unit(value: float, disguise: WindowChannel) -> str:
    """Format a value in the unit of the answers."""
    return number_text(value, disguise)


@register.simple_tag
def measured_degrees(coordinate: Measured, reach: float) -> SafeString:
    """Format a mean coordinate with its half-width in metres, or its bounds if it is off the map."""
    ends = (coordinate.low, coordinate.high)
    bounds = bounds_text(coordinate.value, ends, coordinate.possible, degrees)
    if bounds:
        return format_html('{} <span class="tag tag--warn">{}</span>', bounds, _("too few to say"))
    return format_html('{} <span class="pm">± {}</span>', degrees(coordinate.value), ground_text(reach))


@register.filter
def degrees(value: float) -> str:
    """Format a longitude or a latitude.

    >>> degrees(-0.5)
    '−0.50000'
    """
    return f"{value:.5f}".replace("-", MINUS)


@register.filter
def ground_size(across: float, up: float) -> str:
    """Format the width and height of an area on the ground.

    >>> ground_size(200, 12_340)
    '200 m × 12.3 km'
    """
    return f"{ground_text(across)} × {ground_text(up)}"


register.filter("support", share_of)


@register.filter
def frequency(share: Measured) -> str:
    """Format a share of people with its interval: "42 of 100 (35 to 50)"."""
    return share_with_interval(share.value, share.low, share.high)


@register.filter
def too_wide(share: Measured) -> bool:
    """Return whether the margin of a share exceeds the one above which plans are refused.

    Examples
    --------
    >>> from privacy.printed import CHECKED
    >>> def within(margin):
    ...     return Measured(value=.5, low=.5 - margin, high=.5 + margin, standard_error=.1, estimable=True,
    ...                     n=100, effective_n=100., level=.95, possible=(0., 1.), method="scores", shift=0.,
    ...                     origin=CHECKED)
    >>> too_wide(within(.25)), too_wide(within(.26))
    (False, True)
    """
    return LIMITS["share"].is_refused((share.high - share.low) / 2)


@register.simple_tag
def answer_bar(item: ItemLabel, row: ItemsetRow) -> SafeString:
    """Draw the share of people who gave an answer, with the true share if it is known."""
    share = share_of(row)
    words = {"question": item.text, "answer": item.answer, "share": frequency(share)}
    sentence = _("%(question)s %(answer)s: %(share)s") % words
    return share_bar(share.value, share.low, share.high, text=sentence, truth=row.truth)


@register.filter
def at_every_look(share: Measured, n: int) -> str:
    """Format the interval of a share that stays valid however often someone looks."""
    return range_text(share.value, *always_valid_interval(share.value, share.standard_error or 0.0, n))


for formatter_of in (
    ground_text,
    refusal_text,
    sentences,
    forged_of,
    is_explained_by_forged,
    shift_text,
    forged_difference,
    error_in_unit,
    flips_text,
    lifted_comparison,
    lifted_text,
    lifting_text,
    metres_text,
    points_text,
    unit_text,
):
    register.filter(formatter_of.__name__, formatter_of)


@register.simple_tag(takes_context=True)
def rule_p(context: template.Context, rule: RuleRow, name: str = "p_adjusted") -> PValue:
    """Return a p-value of a rule of the page's run, with its test."""
    return rule_p_value(rule, name, context["run"])


@register.simple_tag(takes_context=True)
def about_rule_p(context: template.Context, rules: Any, name: str = "p_adjusted") -> str:
    """Return how the p-values of rules were made.

    `rules` is a rule, a list of rules, or a list of tuples that start with a rule or with a text about one;
    `name` is one of `surveys.runs.p_values.RULE_TESTS`.
    """
    listed = [rules] if isinstance(rules, RuleRow) else rules
    firsts = [each[0] if isinstance(each, tuple | list) else each for each in listed]
    rows = [each if isinstance(each, RuleRow) else each.rule for each in firsts]
    return about_p_values(rule_p_value(row, name, context["run"]) for row in rows)


@register.simple_tag(takes_context=True)
def about_groups_p(context: template.Context, lines: Iterable[tuple[ItemsetRow, Any]]) -> str:
    """Return how the p-values of "both groups have the same share" were made."""
    found = (groups_p_value(row, context["run"]) for row, _interval in lines)
    return about_p_values(own for own in found if own.estimable)


@register.simple_tag(takes_context=True)
def about_draw_p(context: template.Context, lines: Iterable[dict[str, Any]]) -> str:
    """Return how the p-values of tests of the draws were made."""
    return about_p_values(stored_draw_p_value(line, context["run"]) for line in lines)


@register.filter
def groups_p(itemset: ItemsetRow, run: Run) -> PValue:
    """Return the p-value of "both groups have the same share" with its test."""
    return groups_p_value(itemset, run)


@register.filter
def draw_p(line: dict[str, Any], run: Run) -> PValue:
    """Return the p-value of a stored test of the draws."""
    return stored_draw_p_value(line, run)


@register.filter
def three_way_p(stored: dict[str, Any], run: Run) -> PValue:
    """Return the p-value of three answers together."""
    return three_way_p_value(stored, run)
