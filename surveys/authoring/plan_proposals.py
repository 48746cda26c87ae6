"""On the plan page: proposed changes as lines with a button, each for the entries it was computed for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.changes import Change
from privacy.planning.each_form import EACH_FORM
from privacy.planning.forms import FormChange
from privacy.planning.use import Use
from surveys.authoring.plan_one_answer import Offer
from surveys.authoring.plan_open_filter import FilterOffer
from surveys.authoring.plan_rows import Known
from surveys.authoring.plan_then_now import TimesOffer
from surveys.authoring.plan_trades import instead, worse_keys
from surveys.authoring.pressed_changes import change_value, do_not_compare, proposal_value
from surveys.formats.joints import join_sentences, list_text, series_text
from surveys.formats.numbers import count_text
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan
from surveys.questionnaire.form_words import MANY, form_words
from surveys.questionnaire.promise_words import sure_at
from surveys.questionnaire.unique_words import unique_figure
from surveys.questionnaire.use_words import item_names, points, risk_sentences, short_sentences

_DIGITS: Final = 16
"""Hex digits of the entries for which a proposal was computed."""


@dataclass(frozen=True, kw_only=True)
class ChangeLine:
    """One suggested change as a button: its name, its benefit, and the value to send."""

    name: str
    gives: str
    value: str


Proposed = TypeVar("Proposed", ChangeLine, TimesOffer, FilterOffer, Known)


def proposed_for(entries: str, lines: Iterable[Proposed]) -> list[Proposed]:
    """Return proposals whose buttons, if they have one, name the entries for which their figures are shown.

    Parameters
    ----------
    entries : str
        `entries_digest` of the page.
    lines : iterable
        Each with the value of its button; empty without one.
    """
    return [
        replace(line, value=proposal_value(line.value, entries)) if line.value else line for line in lines
    ]


def offers_for(entries: str, offered: Iterable[Offer]) -> list[Offer]:
    """Return parts that could be sent as one answer, whose buttons name the entries of their figures.

    Parameters
    ----------
    entries : str
        `entries_digest` of the page.
    offered : iterable of Offer
    """
    return [
        replace(offer, buttons=tuple((proposal_value(value, entries), name) for value, name in offer.buttons))
        for offer in offered
    ]


def entries_digest(survey: Survey, aim: Aim, protected: Sequence[str], forms: Sequence[FormChange]) -> str:
    """Return a digest of what the proposals of a page depend on.

    Parameters
    ----------
    survey : Survey
        Its draft counts by its revision.
    aim : Aim
        The entries. Short names and expectations change no figure, so they do not count.
    protected : sequence of str
        Keys of the questions whose box *Protect* is ticked.
    forms : sequence of FormChange
        Pressed on this page and not saved yet.
    """
    figures = replace(aim, names={}, expected={}).to_json()
    entries = [survey.pk, survey.revision, figures, [*protected], [form.code for form in forms]]
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()[:_DIGITS]


def change_lines(
    found: tuple[Change[Plan], ...], draft: Definition, aim: Aim, now: Plan | None
) -> Iterator[ChangeLine]:
    """Yield each change in words, with what it gives.

    Parameters
    ----------
    found : tuple of Change
    draft : Definition
        The draft that they change.
    aim : Aim
    now : Plan or None
        The plan of this draft. What it says is not repeated.
    """
    said = short_sentences(now.use, item_names(now.definition, aim.labels)) if now else []
    names_before = item_names(now.definition, aim.labels) if now else {}
    for change in found:
        use = change.plan.use
        is_same = now is not None and bool(aim.wanted) and use.starred_order == now.use.starred_order
        names = item_names(change.plan.definition, aim.labels)
        to_store = list_text(f"“{names[key]}”" for key in change.keys)
        steps = [
            *form_words(draft.document, draft.design, aim, change.forms),
            *([_("Store %(questions)s as answered") % {"questions": to_store}] if to_store else []),
            *([expect_answers(change.people)] if change.people else []),
            *([_("Choose the lighter protection")] if change.strength else []),
            *([_("Lay out the questions anew")] if change.is_anew else []),
            *([do_not_compare(names[change.plan.aim.wanted[-1]])] if change.star else []),
        ]
        precision, *others = short_sentences(use, names)
        unique = unique_figure(change.plan.definition.design, change.plan.aim.people)
        union = _at_least_one(change, now, names_before)
        before = unique_figure(now.definition.design, now.aim.people) if now else ""
        yield ChangeLine(
            name=" + ".join(steps),
            gives=join_sentences(
                [
                    precision,
                    # The page says above what it assumes.
                    *(sentence for sentence in others if sentence not in said),
                    *_left_out(change, draft, aim),
                    # The heading says that publishing is possible, and such a risk does not stop it.
                    *risk_sentences(use, names),
                    *union,
                    *([_("This changes nothing for the starred answers.")] if is_same else []),
                    *(
                        _most_improved(use, now.use, names)
                        if now is not None
                        and now.use.is_useful
                        and (change.is_anew or _hides_gain(use, now.use, aim))
                        else []
                    ),
                    *(_less_exact(use, now.use, names) if now is not None else []),
                    *([unique] if unique != before else []),
                    *(_weaker_promise(change.plan, now) if now is not None else []),
                ]
            ),
            value=change_value(change),
        )


def _left_out(change: Change[Plan], draft: Definition, aim: Aim) -> list[str]:
    """Say how much of a survey a change leaves out, and how to keep what it is about."""
    keys = {form.key for form in change.forms if form.kind == "leave_out"}
    if not keys:
        return []
    left = len(keys)
    before = sum(
        len(block.questions) for block in draft.design.blocks if block.protected and not block.is_anchor
    )
    lost = ngettext(
        "Of your %(all)s protected questions, %(left)s is no longer asked.",
        "Of your %(all)s protected questions, %(left)s are no longer asked.",
        left,
    ) % {"all": count_text(before), "left": count_text(left)}
    names = item_names(draft, aim.labels)
    # Any of them can be the one that the study is about; the button names few.
    quoted = [f"“{names[question.key]}”" for question in draft.design.questions if question.key in keys]
    which = [_("Left out: %(questions)s.") % {"questions": list_text(quoted)}] if left > MANY else []
    if aim.wanted:
        return [lost, *which]
    star = _("Nothing is starred. Star what your study is about, and no proposal leaves it out.")
    return [lost, *which, star]


def _at_least_one(change: Change[Plan], now: Plan | None, names: Mapping[str, str]) -> list[str]:
    """Say how exact *at least one* of the forms of a union is, after a change and before it."""
    union = next((form.key for form in change.forms if form.kind == EACH_FORM), "")
    if change.at_least_one is None or now is None or union not in now.use.widths:
        return []
    return [
        _(
            "The share of “%(name)s” (at least one of these forms) can still be estimated, to ±%(after)s "
            "instead of ±%(before)s points."
        )
        % {
            "name": names[union],
            "after": points(change.at_least_one),
            "before": points(now.use.widths[union]),
        },
        *([_("“%(name)s” loses its star.") % {"name": names[union]}] if union in now.aim.wanted else []),
    ]


def expect_answers(people: int) -> str:
    """Say that a change expects so many people."""
    return _("Expect %(people)s answers") % {"people": count_text(people)}


def _less_exact(use: Use, before: Use, names: Mapping[str, str]) -> list[str]:
    """Say which answers and numbers that are starred now a change makes less exact; mostly none."""
    if worse := [instead(use, before, key, names) for key in worse_keys(before, use)]:
        return [_("In return, other figures are less exact: %(figures)s.") % {"figures": series_text(worse)}]
    return []


def _weaker_promise(plan: Plan, now: Plan) -> list[str]:
    """Say how sure someone could become from everything sent, or from one answer, if a change raises it."""
    if plan.promise is None or now.promise is None:
        return []
    after, before = plan.promise, now.promise
    for odds, odds_now, sentence in (
        (
            after.everything,
            before.everything,
            _(
                "Someone who suspects a respondent could become %(after)s sure from everything that the "
                "device sends (now %(before)s)."
            ),
        ),
        (
            after.answer,
            before.answer,
            _(
                "Someone who suspects a respondent could become %(after)s sure from one answer "
                "(now %(before)s)."
            ),
        ),
    ):
        sure = {"after": sure_at(odds), "before": sure_at(odds_now)}
        # Percents are rounded up, so different odds can read the same.
        if odds > odds_now and sure["after"] != sure["before"]:
            return [sentence % sure]
    return []


def _hides_gain(use: Use, before: Use, aim: Aim) -> bool:
    """Return whether the range of widths begins no lower after a change, although the widest is narrower."""
    lowest, was = (min(each.widths.values(), default=0) for each in (use, before))
    return not aim.wanted and lowest >= was


def _most_improved(use: Use, before: Use, names: Mapping[str, str]) -> list[str]:
    """Name the answer whose interval a change narrows most, before and after it; mostly one sentence."""
    both = [key for key in use.widths if key in before.widths]
    key = max(both, key=lambda each: before.widths[each] - use.widths[each], default="")
    figure = instead(use, before, key, names) if key and use.widths[key] < before.widths[key] else ""
    return [_("Most improved: %(figure)s.") % {"figure": figure}] if figure else []
