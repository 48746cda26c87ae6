"""Risk in words: one page to print for an ethics board, of a draft or of a survey that is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from privacy.survey.design import Block
from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.figures.audit.audited_survey import AuditedSurvey, audited_survey
from surveys.models import PublishOverride, Survey
from surveys.questionnaire.certainty import certainty_at
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.labels import about_names, about_texts, asked_parts, part_titles
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
        "parts": list(_parts(audited)),
        "exceeds": exceeds_recommended(audited.design, audited.waves),
        "recommended": certainty_at(site_ceilings().survey.warn),
        "override": None
        if audited.is_draft
        else PublishOverride.objects.filter(version=audited.version).first(),
    }


def _about(audited: AuditedSurvey) -> list[tuple[str, str]]:
    order = ("researcher", "purpose", "ethics", "contact", "retention", "undisguised")
    texts = about_texts(audited.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def _parts(audited: AuditedSurvey) -> Iterator[tuple[str, Block, Block | None, Block | None]]:
    """Yield each part's title, its block, and the block of strong and of light strength."""
    titles = part_titles(audited.version)
    for block in audited.design.blocks:
        yield titles[block.key], block, block.in_group(direct=False), block.in_group(direct=True)
