"""Risk in words: one page to print for an ethics board, of a draft or of a survey that is answered."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from privacy.risk.promise import percent
from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.figures.audit.audited_survey import AuditedSurvey, audited_survey
from surveys.models import PublishOverride, Survey
from surveys.questionnaire.aim import Aim, promise_to
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.labels import about_names, about_texts, asked_parts
from surveys.report.audit.board import assumptions, bought, compared_figures, remaining, worst_case
from surveys.report.audit.own_belief import posteriors
from surveys.report.audit.risk import points_of
from surveys.report.sharing import share_asked


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def risk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page to who builds the survey, and make an address by which others read it."""
    survey = get_survey_for_builder(request.user, slug)
    shown, status = share_asked(request, survey)
    context = risk_context(survey) | shown
    if context["risk"] is not None:
        context["belief"], context["beliefs"] = posteriors(context["risk"], request.GET)
        status = 422 if context["belief"].errors else status
    return render(request, "audit/risk.html", context, status=status)


def risk_context(survey: Survey) -> dict[str, Any]:
    """Return the context of the page, for staff and for shared addresses."""
    audited = audited_survey(survey)
    context: dict[str, Any] = {"survey": survey, "risk": None}
    if audited is None:
        return context
    return context | {
        "risk": audited,
        "about": _about(audited),
        "worst": worst_case(audited),
        "remaining": list(remaining(audited)),
        "bought": bought(audited),
        "compared": compared_figures(audited),
        "assumptions": list(assumptions(audited)),
        "asked": asked_parts(audited.version, audited.design),
        "points": points_of(audited),
        **_recommended(audited),
        "override": None
        if audited.is_draft
        else PublishOverride.objects.filter(version=audited.version).first(),
    }


def _about(audited: AuditedSurvey) -> list[tuple[str, str]]:
    order = ("researcher", "purpose", "ethics", "contact", "retention", "undisguised")
    texts = about_texts(audited.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def _recommended(audited: AuditedSurvey) -> dict[str, Any]:
    """Return the limits of the protection that was chosen, and whether the survey exceeds them."""
    aim = Aim.from_json(audited.version.aim) or Aim(people=Aim.people_of(None))
    limits, made = aim.protection, promise_to(audited.design, direct=False)
    beyond = made is not None and (made.everything > limits.everything or made.answer > limits.answer)
    return {
        "recommended": {"answer": percent(limits.answer), "everything": percent(limits.everything)},
        "exceeds": beyond or exceeds_recommended(audited.design, audited.waves, aim),
    }
