"""The pages of a run: its progress, its rules or why there are none, its basis; and cancelling it."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.accounts.permissions import get_run_for_report, get_staff, staff_page
from surveys.models import AuditEvent, Run
from surveys.questionnaire.about_texts import about_texts
from surveys.questionnaire.labels import labels_of
from surveys.report.place_among_runs import place_among_runs
from surveys.report.rules.itemset_answer import page_without_result
from surveys.report.rules.no_rules import advice_without_rules
from surveys.report.rules.rule_filters import RuleFilterForm
from surveys.report.rules.rule_table import rule_page
from surveys.report.rules.selection_words import rule_selection_words
from surveys.runs.progress import progress_of
from surveys.runs.run_requests import run_cancel
from surveys.runs.shown_of_run import has_results
from surveys.runs.three_way import three_way_of


@staff_page
@require_safe
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show a run: its progress, why it has no result, or its rules."""
    selected = get_run_for_report(request.user, run_id)
    context: dict[str, object] = {"run": selected}
    if not selected.job.is_over:
        context["progress"] = progress_of(selected, now=timezone.now())
        return render(request, "report/rules/run_waiting.html", context)
    if not has_results(selected):
        return page_without_result(request, selected)
    labels = labels_of(selected.version, selected.design)
    form = RuleFilterForm.of_run(request.GET, selected, labels)
    query = form.query()
    rules = rule_page(selected, query)
    context |= {
        "form": form,
        "query": query,
        "rules": rules,
        "labels": labels,
        "three_way": three_way_of(selected) if query.predicted else None,
        "selection": rule_selection_words(selected),
        "advice": () if rules.all else advice_without_rules(selected, selected.thresholds),
    }
    return render(request, "report/rules/run_rules.html", context)


@staff_page
@require_safe
def about(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the basis of a run's figures: parameters, snapshot, design, method."""
    selected = get_run_for_report(request.user, run_id)
    context = {
        "run": selected,
        "labels": labels_of(selected.version, selected.design),
        "has_results": has_results(selected),
        "event": _request_event(selected),
        "place": place_among_runs(selected),
        "about": about_texts(selected.version),
    }
    return render(request, "report/rules/run_about.html", context)


@staff_page
@require_safe
def progress(request: HttpRequest, run_id: int) -> JsonResponse:
    """Return the progress of a run as JSON, for the waiting page."""
    selected = get_run_for_report(request.user, run_id)
    if selected.job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False} | asdict(progress_of(selected, now=timezone.now())))


@staff_page
@require_POST
def cancel(request: HttpRequest, run_id: int) -> HttpResponse:
    """Cancel a run that is not over."""
    selected = get_run_for_report(request.user, run_id)
    if not run_cancel(run=selected, by=get_staff(request.user), now=timezone.now()):
        messages.info(request, _("The run finished before it could be cancelled."))
    return redirect("report:run", selected.pk)


def _request_event(run: Run) -> AuditEvent | None:
    """Return the audit log's entry about the request for a run, if there is one."""
    requests = AuditEvent.objects.filter(action="run_request", target=f"{run.survey.slug} run {run.pk}")
    return requests.order_by("pk").first()
