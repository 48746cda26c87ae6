"""The audit of a draft before any answer; that of a run, as a page and as a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from privacy.risk import Audit
from privacy.risk.report import ScaleAudit
from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.embed.taking_in import was_collected_elsewhere
from surveys.errors.error import SurveyError
from surveys.figures.audit.selectors import audit_draft, audit_of_run
from surveys.formats.attachments import attachment
from surveys.questionnaire.aim import Aim, promises_in_words
from surveys.questionnaire.draft_reading import draft_read
from surveys.report.audit import risk_page
from surveys.report.run_page import OpenedRun, results_file, results_page


@staff_page
@require_safe
def draft_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit of a survey's draft."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    context: dict[str, Any] = {"survey": survey, "audit": None, "expected": f"{Aim.people_of(survey.aim):,}"}
    if definition is not None:
        context |= {
            "audit": audit_draft(survey, definition),
            "promises": promises_in_words(definition.design),
        }
    return render(request, "audit/draft_audit.html", context)


@results_page
def run_audit(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the audit of a finished run."""
    run = opened.run
    audit = audit_of_run(run)
    context: dict[str, Any] = {"run": run, "audit": None, "elsewhere": was_collected_elsewhere(run.survey)}
    if audit is not None:
        context |= {"audit": audit, "scale_rows": list(_scale_rows(audit))}
    return render(request, "audit/run_audit.html", context)


@results_file
def run_audit_json(_request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Hand out the same figures as JSON."""
    run = opened.run
    audit = audit_of_run(run)
    if audit is None:
        raise SurveyError("no_audit.run")
    record = {"run": run.pk, "survey": run.survey.slug}
    record["audit"] = audit.to_json()
    return attachment(JsonResponse(record), f"{run.survey.slug}-audit-{run.pk}.json")


def _scale_rows(audit: Audit) -> Iterator[tuple[ScaleAudit, bool]]:
    """Yield each number and place, and whether it is of the lightly disguised, where there are any."""
    light = {part.question: part for part in audit.light.lone} if audit.light else {}
    for part in audit.lone:
        yield part, False
        if (other := light.get(part.question)) and other.rows:
            yield other, True


urlpatterns = [
    path("surveys/<slug:slug>/audit/", draft_audit, name="draft"),
    path("surveys/<slug:slug>/risk/", risk_page.risk, name="risk"),
    path("runs/<int:run_id>/audit/", run_audit, name="run"),
    path("runs/<int:run_id>/audit.json", run_audit_json, name="run_json"),
]
