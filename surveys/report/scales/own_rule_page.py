"""The page where parts of numbers and places are joined with each other and with items."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from privacy.estimation.measures import RuleMeasures
from surveys.access.permissions import get_run_for_report, staff_page
from surveys.errors.core_refusals import sentences
from surveys.figures.run_summary import has_results, has_scales
from surveys.figures.scales.combined_estimates import joined_measures
from surveys.formats.attachments import csv_file, json_file
from surveys.models import Run
from surveys.questionnaire.labels import Labels, labels_of
from surveys.questionnaire.languages import text_in
from surveys.report.downloads import finished_run
from surveys.report.scales.own_rule_files import JoinedFile, joined_csv, joined_json
from surveys.report.scales.own_rule_form import LEFT, RIGHT, JoinForm

__all__ = ["join", "join_csv", "join_json", "undisguised_answers"]


@staff_page
@require_safe
def join(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the form, and below it the rule that the address asks for."""
    run = get_run_for_report(request.user, run_id)
    if not has_scales(run):
        raise Http404
    if not has_results(run):
        return redirect("report:run", run.pk)
    form = _form(request, run, labels_of(run.version, run.design))
    context: dict[str, object] = {"run": run, "form": form}
    if form.is_bound and form.is_valid():
        left, right = form.sides[LEFT], form.sides[RIGHT]
        try:
            measures = joined_measures(run, left.side, right.side)
        except PrivacyError as error:
            context["problem"] = sentences(error)
        else:
            context |= {
                "rule": measures,
                "left": left,
                "right": right,
                "as_good_as": undisguised_answers(measures),
                "query": form.address(),
                "permalink": _address(request, run, form),
            }
    return render(request, "report/scales/joined.html", context)


@staff_page
@require_safe
def join_csv(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Send the rule that the address asks for, for a spreadsheet."""
    lines = joined_csv(_asked_rule(request, run_id))
    return csv_file(lines, f"sotto-run-{run_id}-joined.csv")


@staff_page
@require_safe
def join_json(request: HttpRequest, run_id: int) -> HttpResponse:
    """Send the rule that the address asks for, with what its run was."""
    return json_file(joined_json(_asked_rule(request, run_id)), f"sotto-run-{run_id}-joined.json")


def _asked_rule(request: HttpRequest, run_id: int) -> JoinedFile:
    """Return the rule that a file is about; 404 where its page shows none."""
    run, labels = finished_run(request, run_id)
    form = _form(request, run, labels)
    if not has_scales(run) or not form.is_valid():
        raise Http404
    left, right = form.sides[LEFT], form.sides[RIGHT]
    try:
        measures = joined_measures(run, left.side, right.side)
    except PrivacyError as error:
        raise Http404(sentences(error)) from error
    return JoinedFile(
        run=run,
        left=left,
        right=right,
        measures=measures,
        address=_address(request, run, form),
    )


def _form(request: HttpRequest, run: Run, labels: Labels) -> JoinForm:
    return JoinForm(request.GET or None, design=run.design, labels=labels, texts=_texts(run))


def _address(request: HttpRequest, run: Run, form: JoinForm) -> str:
    """Return the address of this rule for readers of the report."""
    return request.build_absolute_uri(f"{reverse('report:join', args=[run.pk])}?{form.address()}")


def undisguised_answers(measures: RuleMeasures) -> int | None:
    """Return how many undisguised answers would give the same standard error of the support.

    k = s (1 - s) / error**2, at most all rows that count; None where s is not in (0, 1), or without error.
    """
    share, error = measures.support.value, measures.support.standard_error
    if not (0 < share < 1 and error):
        return None
    return min(round(share * (1 - share) / error**2), measures.n_used)


def _texts(run: Run) -> dict[int, tuple[str, str]]:
    """Text and unit of each number and place, by the question's number."""
    language = get_language() or "en"
    wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
    return {
        number: (text_in(wording["text"], language), _unit(wording, language))
        for number, (question, wording) in enumerate(
            zip(run.version.to_design().questions, wordings, strict=True)
        )
        if question.is_scale
    }


def _unit(wording: dict[str, Any], language: str) -> str:
    return text_in(wording.get("unit") or {}, language)
