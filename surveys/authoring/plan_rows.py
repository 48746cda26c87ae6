"""Rows of the plan page: what a plan will know about each question, and what the question costs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.planning.changes import NOTICEABLE
from privacy.planning.forms import FormChange
from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import Use
from privacy.survey.question import Question
from surveys.formats.figures import count_text
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.form_changes import possible_forms
from surveys.questionnaire.form_words import form_words
from surveys.questionnaire.use_words import half_width_text, item_names, points, quote_names, widths_text
from surveys.questionnaire.waves import WaveLine


@dataclass(frozen=True, kw_only=True)
class Bar:
    """An interval on a scale of 0 to 100: where it begins, how long it is, and its text."""

    x: str
    width: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What a plan knows about one question.

    Attributes
    ----------
    key : str
    bars : tuple of Bar
        The expected interval of its share or mean; of a choice, of the starred or the least exact answer.
    words : str
        For questions without an interval.
    cost : str
        What leaving it out would gain for the starred figures; empty if little.
    is_worst : bool
        Whether no question costs more.
    remedy, value : str
        A cheaper form of the question that costs most, in words and as the value of a button.
    """

    key: str
    bars: tuple[Bar, ...] = ()
    words: str = ""
    cost: str = ""
    is_worst: bool = False
    remedy: str = ""
    value: str = ""


def known_rows(plan: Plan, draft: Definition, priced: Mapping[str, Use]) -> Iterator[Known]:
    """Yield a row for each question of a plan.

    Parameters
    ----------
    plan : Plan
    draft : Definition
        The draft that was planned.
    priced : mapping of str to Use
        What would be known without each question, by key (`surveys.questionnaire.plan_changes.costs`).
    """
    names = item_names(plan.definition, plan.aim.labels)
    gains = {key: _gain(plan.use, without) for key, without in priced.items()}
    worst = max(gains, key=gains.__getitem__, default="")
    forms: dict[str, FormChange] = {}
    for form in possible_forms(draft.document, draft.design, plan.aim):
        forms.setdefault(form.key, form)
    for block in plan.definition.design.blocks:
        for question in block.questions:
            key, cost = question.key, ""
            if gains.get(key, 0.0) > NOTICEABLE:
                cost = _cost_text(plan.use, priced[key], names)
            is_worst = bool(cost) and gains[key] >= gains[worst] - NOTICEABLE
            remedy = forms.get(key) if is_worst and key == worst else None
            yield Known(
                key=key,
                bars=tuple(_bars(plan, question)),
                words="" if block.protected else _("As answered"),
                cost=cost,
                is_worst=is_worst,
                remedy=form_words(draft.document, draft.design, plan.aim, [remedy])[0] if remedy else "",
                value=f"form:{remedy.code}" if remedy else "",
            )


def idle_guess_sentences(values: Mapping[str, Any], plan: Plan) -> list[str]:
    """Say which guesses a plan does not use.

    Parameters
    ----------
    values : mapping
        Valid entries of the plan page by the name of their field.
    plan : Plan
    """
    names = item_names(plan.definition, plan.aim.labels)
    idle = [
        names[question.key]
        for question in plan.definition.design.questions
        if question.options and values.get(f"guess_{question.key}") and not values.get(f"star_{question.key}")
    ]
    sentence = _(
        "Not used: your guess about %(questions)s. A guess about a choice is about its starred answer."
    )
    return [sentence % {"questions": quote_names(idle)}] if idle else []


def lighter_is_no_better(now: Plan, draft: Definition, waves: Sequence[WaveLine]) -> bool:
    """Return whether the next lighter protection would leave every figure as it is.

    Parameters
    ----------
    now : Plan
    draft : Definition
        The draft that was planned.
    waves : sequence of WaveLine
        As for `surveys.questionnaire.draft_plan.plan`.
    """
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(now.aim.strength)
    other = plan(draft, replace(now.aim, strength=lighter), waves=waves) if lighter else None
    return other is not None and (other.use.widths, other.use.power) == (now.use.widths, now.use.power)


def _bars(plan: Plan, question: Question) -> Iterator[Bar]:
    use = plan.use
    if question.key in use.numbers:
        width = use.numbers[question.key]
        text = _("mean ±%(width)s") % {"width": half_width_text(width * use.ranges[question.key])}
        yield _bar(0.5, width, text)
    items = [key for key in question.item_keys if key in use.half_widths]
    if not items or question.has_mean:
        return
    shares = dict(zip(question.item_keys, plan.aim.shares_of(question), strict=True))
    starred = [key for key in items if key in plan.aim.wanted]
    key = (starred or sorted(items, key=lambda each: -use.half_widths[each]))[0]
    yield _bar(shares[key], use.half_widths[key], widths_text(use, [key]))


def _bar(middle: float, half_width: float, text: str) -> Bar:
    low, high = (min(max(100 * end, 0.0), 100.0) for end in (middle - half_width, middle + half_width))
    return Bar(x=f"{low:.1f}", width=f"{max(high - low, 1.0):.1f}", text=text)


def _gain(now: Use, without: Use) -> float:
    """Return how much more exact the starred figures, or all figures, are without a question."""
    if now.power is not None and without.power is not None:
        if now.difference is not None and without.difference is not None:
            return now.difference - without.difference
        return without.power - now.power
    return _widest(now) - _widest(without)


def _widest(use: Use) -> float:
    """Return the widest half-width as pages print it: at most 1, so that none is gained from 1.4 to 1.2."""
    keys = [key for key in use.aim.wanted if key in use.widths]
    return min(max((use.widths[key] for key in keys or use.half_widths), default=0.0), 1.0)


def _cost_text(now: Use, without: Use, names: Mapping[str, str]) -> str:
    if now.power is not None:
        if without.difference is None:
            return _("Without it, the link is found more often.")
        after = {"after": count_text(math.ceil(100 * without.difference - 1e-6))}
        if now.difference is None:
            return _("Without it, a link of %(after)s points is found.") % after
        before = {"before": count_text(math.ceil(100 * now.difference - 1e-6))}
        return _("Without it, the link is found at %(after)s instead of %(before)s points.") % (
            after | before
        )
    stars = [key for key in now.aim.wanted if key in now.half_widths]
    ends = {"after": points(_widest(without)), "before": points(_widest(now))}
    if len(stars) == 1:
        return _("Without it, “%(name)s” is ±%(after)s instead of ±%(before)s points.") % {
            "name": names[stars[0]],
            **ends,
        }
    return _("Without it, the least exact share is ±%(after)s instead of ±%(before)s points.") % ends
