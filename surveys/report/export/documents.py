"""The page of documents before data collection: the form of a preregistration, and texts to download."""

from __future__ import annotations

import copy
import io
from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, override
from django.views.decorators.http import require_http_methods

from mining.thresholds import Thresholds
from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.formats.file_responses import whole_file
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.report.export.board_documents import OFFICERS, ethics_pack, officers_text, preregistration
from surveys.report.risk_page.risk_view import risk_context
from surveys.report.survey_list.mine_form import MineForm
from surveys.runs.audit import AuditedSurvey, audited_survey

_FIXED: Final = ("support", "confidence", "max_size")
"""Fields of a run that are fixed before data collection."""

_LEAST_PLANNED: Final = 100


class PlanForm(forms.Form):
    """Parameters fixed before data collection."""

    expected = forms.CharField(
        label=gettext_lazy("What you expect"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Your hypotheses, in your own words. The text quotes them as you write them."),
    )
    planned = forms.IntegerField(
        label=gettext_lazy("Answers you plan to collect"), min_value=_LEAST_PLANNED, max_value=10_000_000
    )

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as Django's form takes them
        for name in _FIXED:
            self.fields[name] = copy.deepcopy(MineForm.base_fields[name])

    def thresholds(self) -> Thresholds:
        """Return the entered values."""
        return Thresholds(**{name: self.cleaned_data[name] for name in _FIXED})


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for the preregistration; send it, the ethics pack or a text for officers."""
    survey = get_survey_for_builder(request.user, slug)
    audited = audited_survey(survey)
    if audited is None:
        return _document_page(request, survey, None, PlanForm(initial=_initial_plan(survey)))
    if request.method == "POST" and request.POST.get("kind") == "ethics":
        return _ethics(survey, audited)
    if request.POST.get("kind") in OFFICERS:
        return _officers(survey, audited, request.POST["kind"])
    form = PlanForm(request.POST if request.method == "POST" else None, initial=_initial_plan(survey))
    if not form.is_valid():
        return _document_page(request, survey, audited, form)
    # In English like all files, because its readers elsewhere need not speak the researcher's language.
    with override("en"):
        text = preregistration(
            audited,
            form.thresholds(),
            planned=form.cleaned_data["planned"],
            expected=form.cleaned_data["expected"],
            now=timezone.now(),
        )
    return whole_file(text.encode(), "text/markdown; charset=utf-8", f"sottovoce-{slug}-preregistration.md")


def _initial_plan(survey: Survey) -> dict[str, int]:
    """Return the form's initial values: as many answers as are expected, if that is stated."""
    people = Aim.people_of(survey.aim)
    return {} if people is None else {"planned": max(people, _LEAST_PLANNED)}


def _officers(survey: Survey, subject: AuditedSurvey, name: str) -> HttpResponse:
    text = officers_text(
        subject, name, risk=risk_context(survey), language=get_language() or "en", now=timezone.now()
    )
    return whole_file(text.encode(), "text/markdown; charset=utf-8", f"sottovoce-{survey.slug}-{name}.md")


def _ethics(survey: Survey, subject: AuditedSurvey) -> HttpResponse:
    out = io.BytesIO()
    ethics_pack(subject, out, risk=risk_context(survey), language=get_language() or "en", now=timezone.now())
    return whole_file(out.getvalue(), "application/zip", f"sottovoce-{survey.slug}-ethics.zip")


def _document_page(
    request: HttpRequest, survey: Survey, subject: AuditedSurvey | None, form: PlanForm
) -> HttpResponse:
    context = {"survey": survey, "found": subject, "form": form, "fields": [form[name] for name in _FIXED]}
    return render(request, "export/documents.html", context, status=422 if request.method == "POST" else 200)
