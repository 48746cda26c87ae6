"""The page that exports a run's disguised rows."""

from __future__ import annotations

import copy
import io
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from mining.thresholds import Thresholds
from surveys.accounts.permissions import (
    check_may_take_rows,
    get_staff,
    get_survey_for_builder,
    get_survey_for_report,
    may_take_rows,
    require_to_export,
    staff_page,
)
from surveys.errors.error import sentences
from surveys.formats.figures import number
from surveys.formats.files import whole_file
from surveys.models import Run, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.languages import language_of
from surveys.report.audit import risk_context
from surveys.report.board_documents import OFFICERS, ethics_pack, officers_text, preregistration
from surveys.report.data_package import TYPES, send_run
from surveys.report.opened_run import OpenedRun, run_file
from surveys.report.survey import MineForm
from surveys.runs.audit import AuditedSurvey, audited_survey
from surveys.runs.run_summary import misfit_of, shown_of

if TYPE_CHECKING:
    from surveys.report.codebook import FileKind


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
        """Return the entered values."""
        return Thresholds(**{name: self.cleaned_data[name] for name in _FIXED})


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def documents(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the preregistration; send the text, or the pack for an ethics board."""
    survey = get_survey_for_builder(request.user, slug)
    audited = audited_survey(survey)
    if audited is None:
        return _document_page(request, survey, None, PlanForm(initial=_expected(survey)))
    if request.method == "POST" and request.POST.get("kind") == "ethics":
        return _ethics(survey, audited)
    if request.POST.get("kind") in OFFICERS:
        return _officers(survey, audited, request.POST["kind"])
    form = PlanForm(request.POST if request.method == "POST" else None, initial=_expected(survey))
    if not form.is_valid():
        return _document_page(request, survey, audited, form)
    # In English, as all files are: it is registered where its readers need not be who asked for it.
    with override("en"):
        text = preregistration(
            audited,
            form.thresholds(),
            planned=form.cleaned_data["planned"],
            expected=form.cleaned_data["expected"],
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


def _document_page(
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


CODEBOOK: Final = "xml"
"""The one without rows."""


class ExportForm(forms.Form):
    """Choose a run and a recipient; each file has its own button."""

    run = forms.TypedChoiceField(label=gettext_lazy("Run to export"), coerce=int)
    language = forms.ChoiceField(label=gettext_lazy("Language of the labels"), required=False)
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in TYPES], required=False)

    def __init__(self, *args: object, runs: list[Run], **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as Django's form takes them
        self.fields["run"].choices = [(run.pk, _named(run)) for run in runs]  # type: ignore[attr-defined]
        tags = dict.fromkeys(tag for run in runs for tag in run.version.languages)
        self.several_languages = len(tags) > 1
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            (tag, language_of(tag).name) for tag in tags
        ]


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def export_data(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Describe the contents of the file; send it."""
    survey = get_survey_for_report(request.user, slug)
    require_to_export(get_staff(request.user))
    runs = _exportable(survey)
    form = ExportForm(
        request.POST if request.method == "POST" else None, runs=runs, initial=_options(request)
    )
    if form.is_valid():
        run = next(run for run in runs if run.pk == form.cleaned_data["run"])
        kind = form.cleaned_data["kind"] or "zip"
        if kind != CODEBOOK:
            check_may_take_rows(request.user, survey)
        misfit = misfit_of(run)
        if kind == "zip" and misfit is not None:
            form.add_error("run", sentences(misfit))
            return _page(request, survey, runs, form)
        address = reverse("export:rows", args=[run.pk, kind])
        return redirect(f"{address}?{urlencode({'language': form.cleaned_data['language']})}")
    return _page(request, survey, runs, form)


@run_file
def rows(request: HttpRequest, opened: OpenedRun, kind: str) -> FileResponse:
    """Send the disguised rows of a run with everything that belongs to them, or alone for SPSS or Stata.

    The parameter ``language`` names the language of labels. The log records who had the file.
    """
    run, staff = opened.run, get_staff(request.user)
    known: FileKind | None = next((each for each in TYPES if each == kind), None)
    if known is None:
        raise Http404
    if known != CODEBOOK:
        check_may_take_rows(request.user, run.survey)
    require_to_export(staff)
    asked, languages = request.GET.get("language", ""), run.version.languages
    language = asked if asked in languages else languages[0]
    return send_run(run, known, language=language, by=staff, now=timezone.now())


def _page(request: HttpRequest, survey: Survey, runs: list[Run], form: ExportForm) -> HttpResponse:
    context = {
        "survey": survey,
        "form": form,
        "takes_rows": may_take_rows(request.user, survey),
        "has_runs": bool(runs),
        "sends_undisguised": any(run.version.to_design().sends_undisguised for run in runs),
        "disguised_here": any(run.version.holds_undisguised for run in runs),
        "unfinished": survey.runs.exists() and not runs,
    }
    return render(request, "export/data.html", context, status=422 if request.method == "POST" else 200)


def _exportable(survey: Survey) -> list[Run]:
    runs = survey.runs.select_related("survey", "version", "job").filter(job__state="finished")
    return [run for run in runs if shown_of(run).results]


def _options(request: HttpRequest) -> dict[str, str]:
    return {"run": run} if (run := request.GET.get("run", "")).isdecimal() else {}


def _named(run: Run) -> str:
    return _("run %(run)s of %(day)s, support from %(support)s") % {
        "run": run.pk,
        "day": run.job.created_at.date().isoformat(),
        "support": number(run.parameters["support"]),
    }


urlpatterns = [
    path("surveys/<slug:slug>/export-data/", export_data, name="data"),
    path("runs/<int:run_id>/rows.<str:kind>", rows, name="rows"),
    path("surveys/<slug:slug>/documents/", documents, name="documents"),
]
