"""The page of documents that are made before answers are: a pre-registration and an ethics pack."""

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
from surveys.estimates.audit import AuditedSurvey, audited_survey
from surveys.export.documents import OFFICERS, ethics_pack, officers_text, preregistration
from surveys.formats.attachments import whole_file
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.report.audit import risk_context
from surveys.report.survey import MineForm

_FIXED: Final = ("support", "confidence", "max_size")
"""Fields of a run that are fixed before the data."""


_LEAST_PLANNED: Final = 100


class PlanForm(forms.Form):
    """Parameters fixed before the data."""

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
        """Return what was filled in."""
        return Thresholds(**{name: self.cleaned_data[name] for name in _FIXED})


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask what is fixed before the data; send the text, or the pack for an ethics board."""
    survey = get_survey_for_builder(request.user, slug)
    audited = audited_survey(survey)
    if audited is None:
        return _page(request, survey, None, PlanForm(initial=_expected(survey)))
    if request.method == "POST" and request.POST.get("kind") == "ethics":
        return _ethics(survey, audited)
    if request.POST.get("kind") in OFFICERS:
        return _officers(survey, audited, request.POST["kind"])
    form = PlanForm(request.POST if request.method == "POST" else None, initial=_expected(survey))
    if not form.is_valid():
        return _page(request, survey, audited, form)
    language = get_language() or "en"
    # In English, as all files are: it is registered where its readers need not be who asked for it.
    with override("en"):
        text = preregistration(
            audited,
            form.thresholds(),
            planned=form.cleaned_data["planned"],
            expected=form.cleaned_data["expected"],
            language=language,
            now=timezone.now(),
        )
    return whole_file(text.encode(), "text/markdown; charset=utf-8", f"sottovoce-{slug}-preregistration.md")


def _expected(survey: Survey) -> dict[str, int]:
    """Return the number of answers that the plan starts with: as many as are expected."""
    return {"planned": max(Aim.people_of(survey.aim), _LEAST_PLANNED)}


def _officers(survey: Survey, audited: AuditedSurvey, name: str) -> HttpResponse:
    text = officers_text(
        audited, name, risk=risk_context(survey), language=get_language() or "en", now=timezone.now()
    )
    return whole_file(text.encode(), "text/markdown; charset=utf-8", f"sottovoce-{survey.slug}-{name}.md")


def _ethics(survey: Survey, audited: AuditedSurvey) -> HttpResponse:
    out = io.BytesIO()
    ethics_pack(audited, out, risk=risk_context(survey), language=get_language() or "en", now=timezone.now())
    return whole_file(out.getvalue(), "application/zip", f"sottovoce-{survey.slug}-ethics.zip")


def _page(
    request: HttpRequest, survey: Survey, audited: AuditedSurvey | None, form: PlanForm
) -> HttpResponse:
    context = {
        "survey": survey,
        "found": audited,
        "form": form,
        "fields": [form[name] for name in _FIXED],
        "late": survey.state in (Survey.State.OPEN, Survey.State.CLOSED),
    }
    return render(request, "export/documents.html", context, status=422 if request.method == "POST" else 200)
