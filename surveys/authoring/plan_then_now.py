"""On the plan page: ask one thing for two times under one coin, and what that does to the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.planning.changes import Change
from surveys.authoring.plan_trades import instead, worse_keys
from surveys.authoring.pressed_changes import change_value
from surveys.formats.joints import join_sentences, series_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.plan_changes import times_changes
from surveys.questionnaire.then_now import may_be_two_times
from surveys.questionnaire.use_words import change_sentences, item_names, points, quote_names
from surveys.questionnaire.waves import WaveLine


@dataclass(frozen=True, kw_only=True)
class TimesOffer:
    """Two questions that may ask one thing for two times.

    Attributes
    ----------
    then, now : str
        Their whole texts, which a person compares.
    gives : str
        The width of the change, and what it costs.
    value : str
        Value of the button.
    """

    then: str
    now: str
    gives: str
    value: str


def times_offers(
    definition: Definition, aim: Aim, now: Plan | None, *, waves: Sequence[WaveLine] = ()
) -> Iterator[TimesOffer]:
    """Yield pairs of questions of a draft that could be asked under one coin.

    Parameters
    ----------
    definition, aim, waves
        As for `surveys.questionnaire.draft_plan.plan`.
    now : Plan or None
        The plan of this draft.
    """
    if now is None:
        return
    names = item_names(definition, aim.labels)
    texts = {
        question["key"]: text_in(question.get("text") or {}) or question["key"]
        for entry in definition.document["blocks"]
        for question in entry["questions"]
    }
    for times, before, change in times_changes(definition, aim, waves=waves):
        if points(change.plan.use.change or 0.0) == points(before):
            continue
        yield TimesOffer(
            then=texts[times[0]],
            now=texts[times[1]],
            gives=join_sentences(_sentences(now, before, change, names)),
            value=change_value(change),
        )


def starred_change_sentences(plan: Plan) -> list[str]:
    """Say how exactly a change would be known, if both starred answers may ask one thing for two times.

    Parameters
    ----------
    plan : Plan
    """
    if plan.use.change is None:
        return []
    design, parts = plan.definition.design, plan.definition.wording["blocks"]
    texts = [question["text"] for part in parts for question in part["questions"]]
    one, other = (texts[design.item(key).question] for key in plan.aim.wanted_items(design))
    return change_sentences(plan.use) if may_be_two_times(one, other) else []


def _sentences(now: Plan, before: float, change: Change[Plan], names: Mapping[str, str]) -> Iterator[str]:
    use = change.plan.use
    yield _(
        "The net change of the same people is then known within ±%(after)s instead of ±%(before)s points. "
        "This assumes that both answers are unrelated; if most people stay the same, it is narrower."
    ) % {"after": points(use.change or 0.0), "before": points(before)}
    if change.forms:
        yield _("The question for now is asked directly after that for the earlier time.")
    if change.times:
        others = [names[key] for key in now.aim.wanted if key not in change.times]
        if others:
            yield _("Both are starred instead of %(names)s.") % {"names": quote_names(others)}
        else:
            yield _("Both are starred.")
    if worse := [instead(use, now.use, key, names) for key in worse_keys(now.use, use)]:
        yield _("In return, other figures are less exact: %(figures)s.") % {"figures": series_text(worse)}
