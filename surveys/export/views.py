"""The page that exports a run's disguised rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import (
    check_may_take_rows,
    get_staff,
    get_survey_for_report,
    may_take_rows,
    require_to_export,
    staff_page,
)
from surveys.estimates.run_summary import shown_of
from surveys.export import document_views
from surveys.export.sending import TYPES, send_run
from surveys.formats.figures import number
from surveys.models import Run, Survey
from surveys.questionnaire.languages import language_of
from surveys.report.opened_run import OpenedRun, run_file

if TYPE_CHECKING:
    # What writes files is a third of a web process.
    from surveys.export.file_notes import FileKind

CODEBOOK: Final = "xml"
"""The one without rows."""


class ExportForm(forms.Form):
    """Which run's rows, and for whom: each file has a button of its own."""

    run = forms.TypedChoiceField(label=gettext_lazy("Rows and figures of"), coerce=int)
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
    path("surveys/<slug:slug>/documents/", document_views.documents, name="documents"),
]
