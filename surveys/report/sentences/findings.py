"""Sentences that state a finding in the same words on every page.

For example: "Of 100 people with A, 59 have B (42 to 75)".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.estimation.denial import DENIED_IN_SENTENCES, ratio_bounds
from privacy.printed import Measured
from surveys.formats.joints import filled, list_text
from surveys.formats.numbers import number, percent_text
from surveys.formats.people_of_100 import people_of_100, share_bounds
from surveys.models import Run
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.sentences.verdict import interim_words
from surveys.runs.interim_or_final import standing_of


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


def any_phrase(labels: Sequence[ItemLabel]) -> Phrase:
    """Return the phrase of at least one of several items."""
    answers = {"answers": list_text(item_phrase(label).words for label in labels)}
    words = _("at least one of %(answers)s") % answers
    if all(label.name for label in labels):
        return phrase_of(words, is_named=True)
    return Phrase(
        words=words,
        bar=_("these people"),
        people=_("who answered at least one of %(answers)s") % answers,
        having=_("answered at least one of %(answers)s") % answers,
    )


def pair_sentence(by: Phrase, outcome: Phrase, having: Measured, others: Measured | None) -> str:
    """State the share that has an outcome among people with an answer, and among all others."""
    words = {"by": by.people, "outcome": outcome.having}
    if not having.estimable:
        return _("There are too few answers to say how many people %(by)s %(outcome)s.") % words
    words["value"], words["range"] = _count_and_range(having)
    if others is None or not others.estimable:
        return filled(
            _(
                "Of 100 people %(by)s, %(value)s %(outcome)s%(range)s; there are too few answers from others "
                "to compare."
            ),
            words,
        )
    words["value_others"], words["range_others"] = _count_and_range(others)
    return filled(
        _(
            "Of 100 people %(by)s, %(value)s %(outcome)s%(range)s; of 100 others, "
            "%(value_others)s%(range_others)s."
        ),
        words,
    )


def share_sentence(outcome: Phrase, share: Measured) -> str:
    """State how many of 100 people have an answer."""
    value, interval = _count_and_range(share)
    words = {"value": value, "outcome": outcome.having, "range": interval}
    return filled(_("Of 100 people, %(value)s %(outcome)s%(range)s."), words)


def _count_and_range(share: Measured) -> tuple[str, str]:
    """Return a share of 100 people and its interval in brackets; only bounds if the share is not printed."""
    if bounds := share_bounds(share.value, share.low, share.high):
        return bounds, _(" (too few to say more)")
    texts = people_of_100(share.value, share.low, share.high)
    return texts["value"], _(" (%(low)s to %(high)s)") % texts


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


def lift_denial_sentence(lift: Measured) -> str:
    """State the range of the ratio if some people denied one side; empty if it is not reliable."""
    if not lift.estimable or lift.shown_because_estimable:
        return ""
    low, high = ratio_bounds(lift, DENIED_IN_SENTENCES)
    return _(
        "If up to %(denied)s of 100 people concerned denied one side of this rule, the ratio is %(low)s to "
        "%(high)s."
    ) % {"denied": percent_text(DENIED_IN_SENTENCES, 0), "low": number(low, 2), "high": number(high, 2)}


def level_text(*, is_lower: bool = False) -> str:
    """State the level of the intervals in brackets.

    Parameters
    ----------
    is_lower : bool
        Whether a figure is shown only because it could be estimated, so that its interval holds less often.
    """
    if not is_lower:
        return _("The numbers in brackets are 95% confidence intervals.")
    return _(
        "The numbers in brackets are intervals that aim at 95%. Few people have this answer. Such figures "
        "are shown only if they could be estimated well, so the intervals contain the true value less often."
    )


def links_words(run: Run) -> list[str]:
    """Return what holds for all links that a run lists."""
    return [
        _("Even among so many pairs, chance alone would rarely show links this strong."),
        _("None shows cause and effect."),
        *([] if standing_of(run).is_final else [interim_words()]),
    ]
