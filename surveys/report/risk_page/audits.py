"""The audits of a draft and of a run: two pages and a JSON file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from privacy.risk import Audit
from privacy.risk.report import ScaleAudit
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.errors.error import SurveyError
from surveys.formats.file_responses import attachment
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim, aim_or_default
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.promise_words import stated_in_words
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.use_words import item_names
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.runs.audit import audit_draft, audit_of_run
from surveys.runs.file_event import file_event
from surveys.runs.look import look_record
from surveys.runs.look_words import file_mark


@staff_page
@require_safe
def draft_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit of a survey's draft."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).designed
    people = Aim.people_of(survey.aim)
    context: dict[str, Any] = {
        "survey": survey,
        "audit": None,
        "expected": count_text(people) if people else "",
    }
    if definition is not None:
        context |= {
            "audit": audit_draft(survey, definition),
            "names": item_names(definition, aim_or_default(survey.aim).labels),
            "promises": stated_in_words(promises_to_publish(definition, survey)),
        }
    return render(request, "audit/draft_audit.html", context)


@results_page
def run_audit(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the audit of a finished run."""
    run = open_run.run
    audit = audit_of_run(run)
    context: dict[str, Any] = {"run": run, "audit": None, "elsewhere": file_event(run.survey)}
    if audit is not None:
        has_areas = any(part.apart for part in audit.lone)
        context |= {
            "audit": audit,
            "names": {label.key: label.short for label in open_run.labels.items},
            "scale_rows": list(_scale_rows(audit)),
            "has_areas": has_areas,
            "unestimated": list(_unestimated(audit)),
        }
    return render(request, "audit/run_audit.html", context)


@results_file
def run_audit_json(_request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Download the audit of a finished run as JSON."""
    run = open_run.run
    audit = audit_of_run(run)
    if audit is None:
        raise SurveyError("no_audit.run")
    record: dict[str, Any] = {"run": run.pk, "survey": run.survey.slug, "look": look_record(run)}
    record["audit"] = audit.to_json()
    return attachment(JsonResponse(record), f"{run.survey.slug}-audit-{run.pk}{file_mark(run)}.json")


def _unestimated(audit: Audit) -> Iterator[str]:
    """Yield the parts whose figures use expected shares, because none were estimated or may be named."""
    blocks = (*audit.blocks, *(audit.light.blocks if audit.light else ()))
    yield from dict.fromkeys(block.key for block in blocks if block.prior == "stated")


def _scale_rows(audit: Audit) -> Iterator[tuple[ScaleAudit, bool]]:
    """Yield each number and place question, also for lightly disguised rows; the flag marks these."""
    light = {part.question: part for part in audit.light.lone} if audit.light else {}
    for part in audit.lone:
        yield part, False
        if (other := light.get(part.question)) and other.rows:
            yield other, True
