"""Prices of a series: what its waves cost the figures if they share the limits, or ask other people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.promise_words import sure_at
from surveys.questionnaire.series import published_waves, total_of_waves
from surveys.questionnaire.stated_waves import OF_SERIES, ROOT, ROTATE, WHOLE, in_layout
from surveys.questionnaire.use_words import figure_text, item_names, widths_text
from surveys.questionnaire.waves import WaveLine


def with_narrower_waves(definition: Definition, aim: Aim, survey: Survey) -> Definition:
    """Return a draft with the protection of each wave that gives narrower figures, if it states none.

    Parts can take turns only if each person has a code or a number, and only from the first wave on.
    """
    has_numbers = survey.by_invitation or PANEL in definition.wording
    is_settled = "each_wave" in definition.document or definition.waves is None or definition.practice
    if is_settled or not has_numbers or published_waves(definition.series):
        return definition
    found = [
        planned
        for layout in (ROOT, ROTATE)
        if (other := definition_without_texts(in_layout(definition.document, layout)))
        and (planned := plan(other, aim))
    ]
    narrowest = min(found, key=lambda each: max(each.use.widths.values(), default=0.0), default=None)
    return definition if narrowest is None else narrowest.definition


def wave_prices(now: Plan, survey: Survey, waves: Sequence[WaveLine]) -> Iterator[str]:
    """Price both protections of a wave, and other people: widest margin, and certainty from all waves.

    The certainty is what respondents would read, also if other waves have another protection.
    """
    definition, count = now.definition, now.definition.waves
    if count is None or definition.practice:
        return
    yield _("This is one of %(count)s surveys of the same people.") % {"count": count}
    texts = {
        ROOT: _("If all of them share the limits: %(width)s, and %(sure)s from everything together."),
        WHOLE: _("If each has the limits for itself: %(width)s, but %(sure)s from everything together."),
    }
    if survey.by_invitation or PANEL in definition.wording:
        texts[ROTATE] = _(
            "If the protected parts take turns, so that each person is asked each of them once: %(width)s, "
            "and %(sure)s from everything together."
        )
    for layout, text in texts.items():
        other = definition_without_texts(in_layout(definition.document, layout))
        priced: Plan | None = now
        if layout != definition.each_wave:
            priced = plan(other, now.aim, waves=waves) if other else None
        if priced and (total := total_of_waves(priced.definition, survey)):
            said = text % {"width": _widest_text(priced), "sure": sure_at(total)}
            is_planned = layout == definition.each_wave
            yield said + (" " + _("This plan does so.") if is_planned else "")
        elif layout == ROOT:
            yield _("If all of them share the limits, there is no room for these questions.")
    alone = {name: value for name, value in definition.document.items() if name not in OF_SERIES}
    parted, people = definition_without_texts(alone), max(now.aim.people // count, 1)
    apart = plan(parted, replace(now.aim, people=people)) if parted else None
    if apart and apart.promise:
        text = _("If you invite other people to each instead, without a series: %(width)s, and %(sure)s.")
        yield text % {"width": _widest_text(apart), "sure": sure_at(apart.promise.everything)}


def _widest_text(made: Plan) -> str:
    """Write the widest margin of a plan; if it is that of a mean, say of which."""
    use, names = made.use, item_names(made.definition, made.aim.labels)
    key = max(use.widths, key=use.widths.__getitem__)
    return figure_text(use, key, names) if key in use.numbers else widths_text(use, [key], names)
