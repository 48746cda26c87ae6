"""The pages of staff: surveys, one survey, one run."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from privacy.errors import PrivacyError
from surveys.access.permissions import (
    get_run_for_report,
    get_staff,
    get_survey_for_report,
    get_survey_for_staff,
    get_surveys_for_reviewer,
    get_surveys_for_staff,
    may_build,
    may_judge,
    may_read_report,
    may_read_reports,
    staff_page,
)
from surveys.desk.next_step import next_step
from surveys.desk.overview import newest_versions, survey_lines, survey_page
from surveys.desk.survey_status import survey_status
from surveys.errors.core_refusals import sentences
from surveys.figures.itemsets import itemset_page
from surveys.figures.predicted import predicted_of
from surveys.figures.review_queue import waiting_rules
from surveys.figures.rules import rule_page
from surveys.figures.run_summary import has_results
from surveys.invite.summary import invitation_status
from surveys.models import SharedPage, Survey
from surveys.questionnaire.labels import about_texts, labels_of
from surveys.report.active_filters import emptying_filters
from surveys.report.forms import ItemsetFilterForm, MineForm, RuleFilterForm
from surveys.report.pictures.support_picture import support_picture
from surveys.report.rule_words import selection_words
from surveys.report.run_page import (
    OpenedRun,
    misfit_page,
    only_if_fitting,
    place_among_runs,
    request_event,
    results_page,
)
from surveys.report.tests_page import advice_without_rules
from surveys.runs.progress import expected_before, progress_of
from surveys.runs.request import run_cancel, run_request


@staff_page
@require_safe
def surveys(request: HttpRequest) -> HttpResponse:
    """List the surveys."""
    lines = survey_lines(list(get_surveys_for_staff(request.user)))
    queue = waiting_rules(get_surveys_for_reviewer(request.user)) if may_judge(request.user) else []
    context = {
        "surveys": lines,
        "waiting": [waiting for waiting in queue if waiting.rules],
        "waiting_rules": sum(len(waiting.rules) for waiting in queue),
        "may_read": may_read_reports(request.user),
        "example": SharedPage.of_example(),
    }
    return render(request, "report/surveys.html", context)


@staff_page
@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a survey: its designs, its answers in numbers, its runs, and the form that asks for a run."""
    selected = get_survey_for_staff(request.user, slug)
    return _survey_page(request, selected, MineForm(newest_versions(selected)))


def _survey_page(
    request: HttpRequest, selected: Survey, form: MineForm, *, status: int = 200
) -> HttpResponse:
    builds = may_build(request.user, selected)
    page = survey_page(selected)
    build = survey_status(selected, now=timezone.now()) if builds else None
    may_read = may_read_report(request.user, selected)
    context = {
        "survey": selected,
        "page": page,
        "form": form,
        "build": build,
        "invitations": invitation_status(selected) if builds else None,
        "may_read": may_read,
        "expected": expected_before(selected),
        "next": next_step(selected, page, build, may_read=may_read, may_judge=may_judge(request.user)),
    }
    return render(request, "report/survey.html", context, status=status)


@staff_page
@require_POST
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a run and lead to it; what cannot be asked for is said beside the form."""
    selected = get_survey_for_report(request.user, slug)
    form = MineForm(newest_versions(selected), request.POST)
    if form.is_valid():
        try:
            run = run_request(
                version=form.chosen_version(),
                thresholds=form.thresholds(),
                by=get_staff(request.user),
                now=timezone.now(),
            )
        except PrivacyError as error:
            form.add_error(None, sentences(error))
        else:
            return redirect("report:run", run.pk)
    return _survey_page(request, selected, form, status=422)


@staff_page
@require_safe
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show a run: its progress, why it ended, or its rules."""
    selected = get_run_for_report(request.user, run_id)
    context: dict[str, object] = {"run": selected}
    if not selected.job.is_over:
        context["progress"] = progress_of(selected, now=timezone.now())
        return render(request, "report/run_waiting.html", context)
    if not has_results(selected):
        return render(request, "report/run_without_result.html", context)
    misfit = misfit_page(request, selected, "rules")
    if misfit is not None:
        return misfit
    labels = labels_of(selected.version, selected.design)
    form = RuleFilterForm.of_run(request.GET, selected, labels)
    query = form.query()
    rules = rule_page(selected, query)
    context |= {
        "form": form,
        "query": query,
        "rules": rules,
        "labels": labels,
        "emptied": () if rules.matching else emptying_filters(selected, query),
        "predicted": predicted_of(selected) if query.predicted else (),
        "selection": selection_words(selected),
        "advice": () if rules.all else advice_without_rules(selected, selected.thresholds),
    }
    return render(request, "report/run_rules.html", context)


@results_page
@only_if_fitting("itemsets")
def itemsets(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the itemsets of a finished run; naive against robust where there are two groups."""
    opened_run, labels = opened
    form = ItemsetFilterForm(request.GET, items=labels.choices(), longest=opened_run.thresholds.max_size)
    query = form.query()
    context = {
        "run": opened_run,
        "form": form,
        "query": query,
        "labels": labels,
        "itemsets": itemset_page(opened_run, query),
        "picture": support_picture(opened_run, labels),
    }
    return render(request, "report/run_itemsets.html", context)


@staff_page
@require_safe
def about(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the basis of a run's figures: parameters, snapshot, design, method."""
    selected = get_run_for_report(request.user, run_id)
    context = {
        "run": selected,
        "labels": labels_of(selected.version, selected.design),
        "has_results": has_results(selected),
        "event": request_event(selected),
        "place": place_among_runs(selected),
        "about": about_texts(selected.version),
    }
    return render(request, "report/run_about.html", context)


@staff_page
@require_safe
def progress(request: HttpRequest, run_id: int) -> JsonResponse:
    """Return the progress of the run for the waiting page."""
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
        messages.info(request, _("The run was over before it could be cancelled."))
    return redirect("report:run", selected.pk)
