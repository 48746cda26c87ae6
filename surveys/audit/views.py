"""The audit of a draft before anybody answers; that of a run, as a page and as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from privacy.audit import Audit
from privacy.errors import PrivacyError
from surveys.audit.lone_rows import lone_rows_lines, lone_rows_of_run, with_lone_rows
from surveys.audit.page import audit_page
from surveys.audit.selectors import EXPECTED, audit_draft, audit_of_run, audit_record, record_of
from surveys.audit.storing import earlier_audit, rows_of
from surveys.build.draft_reading import draft_read
from surveys.models import Run
from surveys.permissions import get_run_for_report, get_survey_for_builder, staff_page
from surveys.report.outcome import RunPage, run_page, shown_of


@staff_page
@require_safe
def draft_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what rows of a survey's draft would tell about those who send them."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).definition
    audit = None if definition is None else audit_page(audit_draft(survey, definition))
    context = {"survey": survey, "audit": audit, "expected": f"{EXPECTED:,}"}
    return render(request, "audit/draft_audit.html", context)


@staff_page
@require_safe
def run_audit(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show what the rows of a finished run tell about those who sent them."""
    run = get_run_for_report(request.user, run_id)
    page = _finished(run)
    if page is None:
        return redirect("report:run", run.pk)
    audit = audit_of_run(run) or _made_now(run)
    context: dict[str, Any] = {"run": page, "audit": None}
    if audit is not None:
        found = lone_rows_of_run(run, page)
        context |= {"audit": audit_page(with_lone_rows(audit, found)), "lone_rows": lone_rows_lines(found)}
    return render(request, "audit/run_audit.html", context)


@staff_page
@require_safe
def run_audit_json(request: HttpRequest, run_id: int) -> HttpResponse:
    """Hand out the same figures as JSON."""
    run = get_run_for_report(request.user, run_id)
    page = _finished(run)
    audit = None if page is None else audit_of_run(run) or _made_now(run)
    if page is None or audit is None:
        return redirect("report:run", run.pk)
    audit = with_lone_rows(audit, lone_rows_of_run(run, page))
    record = {"run": run.pk, "survey": run.survey.slug, "audit": record_of(audit, shown_of(run))}
    return JsonResponse(
        record,
        headers={"Content-Disposition": f'attachment; filename="{run.survey.slug}-audit-{run.pk}.json"'},
    )


def _made_now(run: Run) -> Audit | None:
    """Return the audit of a run that has none stored: it is still being made, or was lost with its worker."""
    if "audit" in run.summary:
        return None
    try:
        run.summary["audit"] = earlier_audit(run) or audit_record(run.version, rows_of(run))
    except PrivacyError:
        return None
    return audit_of_run(run)


def _finished(run: Run) -> RunPage | None:
    page = run_page(run, run.version.to_design())
    return page if page.has_results else None
