"""Risk in words: one page to print for an ethics board, of a draft or of a survey that is answered."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.analysis.audit.audited_survey import AuditedSurvey, audited_survey
from surveys.models import PublishOverride, Survey
from surveys.questionnaire.certainty import certainty_at
from surveys.questionnaire.checks import exceeds_recommended, site_ceilings
from surveys.questionnaire.languages import text_in
from surveys.report.audit.own_belief import belief_lines
from surveys.report.audit.risk import (
    expert_figures,
    part_lines,
    points_of,
    rests_on,
)
from surveys.report.sharing import share_asked


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def risk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page to who builds the survey, and make an address by which others read it."""
    survey = get_survey_for_builder(request.user, slug)
    shown, status = share_asked(request, survey)
    context = risk_context(survey) | shown
    if context["risk"] is not None:
        context["belief"], context["beliefs"] = belief_lines(context["risk"], request.GET)
        status = 422 if context["belief"].errors else status
    return render(request, "audit/risk.html", context, status=status)


def risk_context(survey: Survey) -> dict[str, Any]:
    """Return the context of the page, for staff and for shared addresses."""
    found = audited_survey(survey)
    context: dict[str, Any] = {"survey": survey, "risk": None}
    if found is None:
        return context
    return context | {
        "risk": found,
        "about": _about(found),
        "points": points_of(found),
        "parts": part_lines(found),
        "has_light": found.design.has_two_strengths,
        "rests_on": rests_on(),
        "experts": expert_figures(found),
        "exceeds": exceeds_recommended(found.design, found.waves),
        "recommended": certainty_at(site_ceilings().survey.warn),
        "override": None if found.is_draft else PublishOverride.objects.filter(version=found.version).first(),
    }


def _about(found: AuditedSurvey) -> list[tuple[str, str]]:
    names = {
        "researcher": _("Researcher"),
        "purpose": _("Purpose"),
        "ethics": _("Ethics reference"),
        "contact": _("Contact"),
        "retention": _("How long answers are kept"),
        "undisguised": _("Why some answers are sent undisguised"),
    }
    about, language = found.version.wording["about"], get_language() or "en"
    return [(name, text) for key, name in names.items() if (text := text_in(about.get(key), language))]
