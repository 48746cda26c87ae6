"""Wording of shares and rules in frequencies, "of 100 people", with the words of the questionnaire."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from surveys.formats.figures import MINUS, number
from surveys.models import RuleRow
from surveys.questionnaire.labels import ItemLabel, Labels, unpack_items


def item_words(label: ItemLabel) -> str:
    """Return what an item asks, and its answer."""
    return _("“%(question)s” %(answer)s") % {"question": label.text, "answer": label.answer}


def itemset_words(items: Iterable[int], labels: Labels) -> str:
    """Return an itemset in the words of the questionnaire."""
    return _(" and ").join(item_words(labels.items[item]) for item in items)


def per_hundred(value: float, low: float, high: float) -> dict[str, str]:
    """Write shares as frequencies; with one decimal where whole numbers would hide the interval.

    >>> per_hundred(0.132, 0.116, 0.148)
    {'value': '13', 'low': '12', 'high': '15'}
    >>> per_hundred(0.0523, 0.0498, 0.0551)
    {'value': '5.2', 'low': '5.0', 'high': '5.5'}
    """
    digits = 0 if high - low >= 0.02 else 1
    parts = {"value": value, "low": low, "high": high}
    return {
        name: (MINUS if share < 0 and round(100 * share, digits) else "") + f"{abs(100 * share):.{digits}f}"
        for name, share in parts.items()
    }


def share_said(value: float, low: float, high: float) -> str:
    """Write a share with its interval; a share that is known has none.

    >>> share_said(0.42, 0.35, 0.5), share_said(0.42, 0.42, 0.42)
    ('42 % (35–50 %)', '42.0 %')
    """
    if low == high:
        return f"{100 * value:.1f} %"
    return _("%(value)s %% (%(low)s–%(high)s %%)") % per_hundred(value, low, high)


def range_said(value: float, low: float, high: float) -> str:
    """Write the range in which a share lies.

    >>> range_said(0.42, 0.35, 0.5)
    '35–50 %'
    """
    return _("%(low)s–%(high)s %%") % per_hundred(value, low, high)


def sentences_of(row: RuleRow, labels: Labels) -> list[str]:
    """Return a rule's figures as sentences in frequencies; figures that are not estimable are named."""
    sentences = [confidence_sentence(row, labels)]
    if row.lift is None or row.lift_low is None or row.lift_high is None:
        sentences.append(_("Whether that is more than among all cannot be told with so few answers."))
    else:
        sentence = (
            _("That is %(value)s times the share among all who were asked (%(low)s to %(high)s).")
            if row.lift_low <= row.lift <= row.lift_high
            else _(
                "That is %(low)s to %(high)s times the share among all who were asked; "
                "the estimate, %(value)s, lies outside."
            )
        )
        ends = {"value": row.lift, "low": row.lift_low, "high": row.lift_high}
        sentences.append(sentence % {name: number(value, 2) for name, value in ends.items()})
    if row.support is not None and row.support_low is not None and row.support_high is not None:
        sentences.append(
            _("About %(value)s of 100 people gave both answers (%(low)s to %(high)s).")
            % per_hundred(row.support, row.support_low, row.support_high)
        )
    if any(value is not None and not 0 <= value <= 1 for value in (row.support, row.confidence)):
        sentences.append(
            _("A share outside 0 to 100 is an estimate that chance carried beyond; it is not cut.")
        )
    return sentences


def confidence_sentence(row: RuleRow, labels: Labels) -> str:
    """Say how many of 100 people with the antecedent have the consequent too."""
    words = {
        "before": itemset_words(unpack_items(row.antecedent), labels),
        "after": itemset_words(unpack_items(row.consequent), labels),
    }
    if row.confidence is None or row.confidence_low is None or row.confidence_high is None:
        return (
            _("How many who answered %(before)s also answered %(after)s cannot be told with so few answers.")
            % words
        )
    sentence = (
        _(
            "Of 100 people who answered %(before)s, about %(value)s also answered %(after)s "
            "(%(low)s to %(high)s)."
        )
        if row.confidence_low <= row.confidence <= row.confidence_high
        else _(
            "Of 100 people who answered %(before)s, %(low)s to %(high)s also answered %(after)s; "
            "the estimate, %(value)s, lies outside."
        )
    )
    return sentence % {**words, **per_hundred(row.confidence, row.confidence_low, row.confidence_high)}
