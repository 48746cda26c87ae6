"""A run without a result: its page, and the answer to a run that asks whether to list very many itemsets."""

from __future__ import annotations

from dataclasses import replace

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from privacy.errors import PrivacyError
from surveys.accounts.permissions import get_run_for_report, get_staff, staff_page
from surveys.errors.error import sentences
from surveys.models import Run
from surveys.runs.interim_or_final import standings_of
from surveys.runs.itemset_question import itemset_question
from surveys.runs.run_requests import run_request

ALL, FEWER = "all", "fewer"


class AnswerForm(forms.Form):
    """The answer: list all itemsets, or raise the support to the one that the question names."""

    answer = forms.ChoiceField(choices=((ALL, ALL), (FEWER, FEWER)))


def page_without_result(
    request: HttpRequest, run: Run, form: AnswerForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Show why a run has no result or, if it asks, its question."""
    context = {"run": run, "form": form, "question": itemset_question(run.job)}
    return render(request, "report/rules/run_without_result.html", context, status=status)


@staff_page
@require_POST
def answer(request: HttpRequest, run_id: int) -> HttpResponse:
    """Request the run that answers a question, with the same settings otherwise."""
    asked = get_run_for_report(request.user, run_id)
    question = itemset_question(asked.job)
    if question is None:
        return redirect("report:run", asked.pk)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return page_without_result(request, asked, form, status=422)
    lists_all, thresholds = form.cleaned_data["answer"] == ALL, asked.thresholds
    if not lists_all and question.support is not None:
        thresholds = replace(thresholds, support=question.support)
    chapter = standings_of([asked])[asked.pk].chapter
    try:
        run = run_request(
            version=asked.version,
            thresholds=thresholds,
            by=get_staff(request.user),
            now=timezone.now(),
            chapter=None if chapter is None else chapter.number,
            lists_all=lists_all,
            repeats=False,
        )
    except PrivacyError as error:
        form.add_error(None, sentences(error))
        return page_without_result(request, asked, form, status=422)
    return redirect("report:run", run.pk)
