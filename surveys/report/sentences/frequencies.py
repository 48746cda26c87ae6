"""Sentences that state a finding or a rule in the same words on every page, and their bars.

For example: "Of 100 people with A, 59 have B (42 to 75)".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.channels import effective_epsilon
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Side
from privacy.estimation.estimates import Measured
from privacy.scales.em import GAIN, Fit
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from surveys.formats.figures import MINUS, count_text, number, percent_text
from surveys.formats.svg import share_bar
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import ItemLabel, Labels, unpack_items
from surveys.report.rules.rule_rows import PLANNED_LEVEL, levels_of, planned_sides
from surveys.runs.comparisons import compare_sides
from surveys.runs.numbers import NO_ERROR


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """Words for an answer, or for several together.

    Attributes
    ----------
    words : str
        For lists: the short name, or else the question with its answer.
    bar : str
        For a bar below the sentence: the short name, or else "these people".
    people : str
        For a group of people, as in "people with A".
    having : str
        For a share of people, as in "59 have A".
    """

    words: str
    bar: str
    people: str
    having: str


def phrase_of(words: str, *, is_named: bool) -> Phrase:
    """Return the phrase of one answer, given its short name or its question."""
    if is_named:
        return Phrase(
            words=words,
            bar=words,
            people=_("with %(words)s") % {"words": words},
            having=_("have %(words)s") % {"words": words},
        )
    return Phrase(
        words=words,
        bar=_("these people"),
        people=_("who answered %(words)s") % {"words": words},
        having=_("answered %(words)s") % {"words": words},
    )


def item_phrase(label: ItemLabel) -> Phrase:
    """Return the phrase of an item: its short name, or else its question with the answer."""
    if label.name:
        return phrase_of(_("“%(name)s”") % {"name": label.name}, is_named=True)
    words = _("“%(question)s” %(answer)s") % {"question": label.text, "answer": label.answer}
    return phrase_of(words, is_named=False)


def itemset_phrase(items: Iterable[int], labels: Labels) -> Phrase:
    """Return the phrase of all items of an itemset together."""
    own_labels = [labels.items[item] for item in items]
    phrases = [item_phrase(label) for label in own_labels]
    parts = ([one.words for one in phrases], [one.people for one in phrases], [one.having for one in phrases])
    words, people, having = (_(" and ").join(texts) for texts in parts)
    bar = words if all(label.name for label in own_labels) else _("these people")
    return Phrase(words=words, bar=bar, people=people, having=having)


def per_hundred(value: float, low: float, high: float) -> dict[str, str]:
    """Format shares as frequencies, with one decimal if whole numbers would hide the interval.

    >>> per_hundred(0.132, 0.116, 0.148)
    {'value': '13', 'low': '12', 'high': '15'}
    >>> per_hundred(0.0523, 0.0498, 0.0551)
    {'value': '5.2', 'low': '5.0', 'high': '5.5'}
    """
    digits = 0 if high - low >= 0.02 else 1
    parts = {"value": value, "low": low, "high": high}
    return {name: percent_text(share, digits) for name, share in parts.items()}


def share_with_interval(value: float, low: float, high: float) -> str:
    """Format a share of 100 people with its interval; a known share has none.

    >>> share_with_interval(0.42, 0.35, 0.5), share_with_interval(0.42, 0.42, 0.42)
    ('42 of 100 (35 to 50)', '42.0 of 100')
    """
    if low == high:
        return _("%(share)s of 100") % {"share": f"{100 * value:.1f}"}
    return _("%(value)s of 100 (%(low)s to %(high)s)") % per_hundred(value, low, high)


def range_text(value: float, low: float, high: float) -> str:
    """Format the interval of a share.

    >>> range_text(0.42, 0.35, 0.5)
    '35 to 50'
    """
    return _("%(low)s to %(high)s") % per_hundred(value, low, high)


def pair_sentence(by: Phrase, outcome: Phrase, having: Measured, others: Measured | None) -> str:
    """State the share that has an outcome among people with an answer, and among all others."""
    words = {"by": by.people, "outcome": outcome.having}
    if not having.estimable:
        return _("There are too few answers to say how many people %(by)s %(outcome)s.") % words
    words["value"], words["range"] = _count_and_range(having)
    if others is None or not others.estimable:
        return (
            _(
                "Of 100 people %(by)s, %(value)s %(outcome)s%(range)s; there are too few answers from others "
                "to compare."
            )
            % words
        )
    words["value_others"], words["range_others"] = _count_and_range(others)
    return (
        _(
            "Of 100 people %(by)s, %(value)s %(outcome)s%(range)s; of 100 others, "
            "%(value_others)s%(range_others)s."
        )
        % words
    )


def share_sentence(outcome: Phrase, share: Measured) -> str:
    """State how many of 100 people have an answer."""
    value, interval = _count_and_range(share)
    return _("Of 100 people, %(value)s %(outcome)s%(range)s.") % {
        "value": value,
        "outcome": outcome.having,
        "range": interval,
    }


def _count_and_range(share: Measured) -> tuple[str, str]:
    """Return a share of 100 people and its interval in brackets; only the range if it excludes the share."""
    texts = per_hundred(share.value, share.low, share.high)
    if share.low <= share.value <= share.high:
        return texts["value"], _(" (%(low)s to %(high)s)") % texts
    return _("%(low)s to %(high)s") % texts, ""


def lift_sentence(lift: Measured) -> str:
    """State the ratio of the share among people with an answer to the share among everyone."""
    if not lift.estimable:
        return _("There are too few answers to compare this with everyone who was asked.")
    words = {"value": number(lift.value, 2), "low": number(lift.low, 2), "high": number(lift.high, 2)}
    if lift.low <= lift.value <= lift.high:
        return (
            _("That is %(value)s times the share among everyone who was asked (%(low)s to %(high)s).") % words
        )
    return _("That is %(low)s to %(high)s times the share among everyone who was asked.") % words


def mechanism_text(name: str) -> str:
    """Return the name of a mechanism in the language of the page."""
    names = {
        "square_wave": _("square wave"),
        "hybrid": _("hybrid"),
        "keep": _("keep the bin or draw any"),
        "as_answered": _("stored as answered"),
        "sm": _("square around the place"),
        "usm": _("square inside the sensitive places"),
        "grid": _("keep the tile or draw any"),
        "ugrid": _("keep the tile or draw any, inside the sensitive places"),
        "levels": _("several levels of sensitive places"),
    }
    return names.get(name, name)


def gamma_text(disguise: WindowChannel | PlanarWindowChannel) -> str:
    """Format the amplification, or that of each level if there are several."""
    return " / ".join(number(float(bound), 2) for bound in _bounds(disguise)) or "∞"


def epsilon_text(disguise: WindowChannel | PlanarWindowChannel) -> str:
    """Format ε, or that of each level if there are several."""
    return " / ".join(number(effective_epsilon(bound), 3) for bound in _bounds(disguise)) or "∞"


def _bounds(disguise: WindowChannel | PlanarWindowChannel) -> list[Fraction]:
    """Return the amplification of each level; an empty list if there is no bound."""
    if isinstance(disguise, PlanarWindowChannel):
        return [level.amplification for level in disguise.levels]
    return [] if disguise.amplification is None else [disguise.amplification]


def ended_text(fit: Fit) -> str:
    """State the number of steps of a reconstruction and why it ended."""
    words = {"steps": count_text(fit.steps), "gain": number(GAIN, 7)}
    if fit.reason == "gain":
        return _("%(steps)s steps; the last gained less than %(gain)s in log-likelihood per answer") % words
    return (
        _(
            "stopped after %(steps)s steps; the last still gained at least %(gain)s in log-likelihood"
            " per answer"
        )
        % words
    )


def error_in_unit(error: float, disguise: WindowChannel) -> str:
    """Format a standard error in the unit of the answers; for dates, in months or days."""
    text = f"{error:,.{disguise.range.decimals + 1}f}"
    if disguise.range.calendar is None:
        return text
    return (_("%(number)s months") if disguise.range.calendar == "month" else _("%(number)s days")) % {
        "number": text
    }


def number_text(value: float, channel: WindowChannel) -> str:
    """Format a value as people type it, with one more digit than the answers; for dates, the date.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> number_text(0.52, channel), number_text(-1234.5, channel)
    ('0.5', '−1,234.5')
    """
    digits = channel.range.decimals + 1
    text = f"{abs(value):,.{digits}f}"
    return (
        channel.range.value_text(value)
        or (MINUS if value < 0 and float(text.replace(",", "")) else "") + text
    )


def known_error(standard_error: float | None) -> float | None:
    """Return a standard error; None if all answers are the same."""
    return standard_error if standard_error is not None and standard_error > NO_ERROR else None


def ground_text(metres: float) -> str:
    """Format a length on the ground.

    >>> ground_text(0.42), ground_text(84.2), ground_text(12_340)
    ('.4 m', '84 m', '12.3 km')
    """
    if metres < 10:
        return _("%(length)s m") % {"length": number(metres, 1)}
    return (
        _("%(length)s m") % {"length": f"{metres:.0f}"}
        if metres < 10_000
        else _("%(length)s km") % {"length": f"{metres / 1000:.1f}"}
    )


Bar: TypeAlias = tuple[str, str, SafeString | None]
"""A group of people, its figure, and its picture; None if there are too few answers."""


def pair_bars(by: Phrase, having: Measured, others: Measured | None) -> list[Bar]:
    """Return a bar for people with an answer and one for all others, with their shares of the outcome."""
    parts = [(by.bar, having), *([(_("all others"), others)] if others is not None else [])]
    return [bar_of(name, share, _share_or_range(share)) for name, share in parts]


def _share_or_range(share: Measured) -> str:
    if share.estimable:
        return share_with_interval(share.value, share.low, share.high)
    return _("too few to say: %(low)s to %(high)s") % per_hundred(share.value, share.low, share.high)


def bar_of(name: str, estimate: Measured, text: str) -> Bar:
    """Return a group with its figure and its bar; without the bar if there are too few answers."""
    if not estimate.estimable:
        return name, text, None
    caption = _("%(name)s: %(figure)s") % {"name": name, "figure": text}
    return name, text, share_bar(estimate.value, estimate.low, estimate.high, text=caption)


@dataclass(frozen=True, kw_only=True)
class RuleText:
    """A rule in words.

    Attributes
    ----------
    rule : RuleRow
    by, outcome : Phrase
        Its left and its right side.
    having, others : Measured or None
        Share with the right side among people with the left side, and among all others; None if the rows do
        not allow an estimate.
    lift : Measured
    """

    rule: RuleRow
    by: Phrase
    outcome: Phrase
    having: Measured
    others: Measured | None
    lift: Measured

    @property
    def sentence(self) -> str:
        """The finding, in the same words on every page."""
        return pair_sentence(self.by, self.outcome, self.having, self.others)

    @property
    def lift_sentence(self) -> str:
        """The ratio to the share among everyone, as a sentence."""
        return lift_sentence(self.lift)

    @property
    def bars(self) -> list[Bar]:
        """A bar for people with the left side, and one for all others."""
        return pair_bars(self.by, self.having, self.others)


def rule_text(rule: RuleRow, labels: Labels, others: Measured | None) -> RuleText:
    """Return a rule of a run in words.

    Parameters
    ----------
    rule : RuleRow
        Must have the intervals that `surveys.report.rules.rule_rows.rules_by_key` adds.
    labels : Labels
    others : Measured or None
        Share with the right side among people without the left side.
    """
    return RuleText(
        rule=rule,
        by=itemset_phrase(unpack_items(rule.antecedent), labels),
        outcome=itemset_phrase(unpack_items(rule.consequent), labels),
        having=_measurement(rule, "confidence"),
        others=others,
        lift=_measurement(rule, "lift"),
    )


def others_of(run: Run, rule: RuleRow) -> Measured | None:
    """Return the share with a rule's right side among people without its left side; None if refused."""
    before, after = (Side(items=unpack_items(side)) for side in (rule.antecedent, rule.consequent))
    try:
        return compare_sides(run, before, after, level=levels_of(run, rule)[0]).others
    except PrivacyError:
        return None


def selection_words(run: Run, rule: RuleRow | None = None) -> str:
    """Explain the intervals of rules and their correction, or those of one rule."""
    template = _(
        "The numbers in brackets are %(level)s%% confidence intervals: wider than 95%%, because Sottovoce "
        "chose from %(family)s possible associations."
    )
    return _selection_sentence(template, levels_of(run, rule)[0], run.summary["inference"]["family"]["lift"])


def rule_selection_words(run: Run, rule: RuleRow | None = None) -> str:
    """Explain the intervals of rules, or of one rule, where the support has an interval too."""
    words, (level, support_level) = selection_words(run, rule), levels_of(run, rule)
    if level != support_level:
        template = _("Those of the support are %(level)s%% intervals.")
        words += " " + template % {"level": _level_text(support_level)}
    return words if rule or not planned_sides(run) else words + " " + _("The planned pair has 95% intervals.")


def itemset_selection_words(run: Run) -> str:
    """Explain the intervals of itemsets; only those of several answers are corrected for selection."""
    template = _(
        "The numbers in brackets are 95%% confidence intervals for single answers. For several answers "
        "together they are %(level)s%% intervals: wider, because Sottovoce chose from %(family)s possible "
        "itemsets."
    )
    tests = run.summary["inference"]
    words = _selection_sentence(template, tests["itemset_level"], tests["itemset_family"])
    return words + " " + _("The planned pair has 95% intervals.") if planned_sides(run) else words


def _selection_sentence(text: str, level: float, family: int) -> str:
    if level <= PLANNED_LEVEL:
        return _("The numbers in brackets are 95% confidence intervals.")
    return text % {"level": _level_text(level), "family": format(family, ",")}


def _level_text(level: float) -> str:
    digits = max(1, 1 - math.floor(math.log10(100 * (1 - level))))
    return f"{100 * level:.{digits}f}"


def _measurement(rule: RuleRow, name: str) -> Measured:
    value, (low, high) = getattr(rule, name), rule.intervals[name]
    if value is None or low is None or high is None:
        return Measured(value=float("nan"), low=0.0, high=1.0, standard_error=None, estimable=False)
    return Measured(
        value=value, low=low, high=high, standard_error=getattr(rule, f"{name}_se"), estimable=True
    )
