"""The page that exports the rows of a run, and the files that it sends."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import (
    check_may_take_rows,
    get_staff,
    get_survey_for_report,
    may_take_rows,
    require_to_export,
    staff_page,
)
from surveys.formats.numbers import number
from surveys.models import Run, Survey
from surveys.questionnaire.languages import language_of
from surveys.report.export.data_package import TYPES, send_run
from surveys.report.export.labelled_files import FileKind
from surveys.report.opened_run import OpenedRun, results_file
from surveys.runs.look import Look, looks_of
from surveys.runs.shown_of_run import shown_of

CODEBOOK: Final = "xml"
"""The only kind of file without rows."""


class ExportForm(forms.Form):
    """Choose a run and a recipient; each file has its own button."""

    run = forms.TypedChoiceField(label=gettext_lazy("Run to export"), coerce=int)
    language = forms.ChoiceField(label=gettext_lazy("Language of the labels"), required=False)
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in TYPES], required=False)

    def __init__(self, *args: object, runs: list[Run], **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as Django's form takes them
        looks = looks_of(runs)
        self.fields["run"].choices = [(run.pk, _run_title(run, looks[run.pk])) for run in runs]  # type: ignore[attr-defined]
        tags = dict.fromkeys(tag for run in runs for tag in run.version.languages)
        self.several_languages = len(tags) > 1
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            (tag, language_of(tag).name) for tag in tags
        ]


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def export_data(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the form to export a run, or redirect to the chosen file."""
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


@results_file
def rows(request: HttpRequest, open_run: OpenedRun, kind: str) -> FileResponse:
    """Send the disguised rows of a run: a ZIP file with all documentation, or one file for SPSS or Stata.

    The parameter ``language`` selects the language of labels. The log records who downloaded the file.
    """
    run, staff = open_run.run, get_staff(request.user)
    file_kind: FileKind | None = next((each for each in TYPES if each == kind), None)
    if file_kind is None:
        raise Http404
    if file_kind != CODEBOOK:
        check_may_take_rows(request.user, run.survey)
    require_to_export(staff)
    tag, languages = request.GET.get("language", ""), run.version.languages
    language = tag if tag in languages else languages[0]
    return send_run(run, file_kind, language=language, by=staff, now=timezone.now())


def _page(request: HttpRequest, survey: Survey, runs: list[Run], form: ExportForm) -> HttpResponse:
    context = {
        "survey": survey,
        "form": form,
        "takes_rows": may_take_rows(request.user, survey),
        "has_runs": bool(runs),
        "protects": any(run.version.to_design().protects for run in runs),
        "sends_undisguised": any(run.version.to_design().sends_undisguised for run in runs),
        "disguised_here": any(run.version.holds_undisguised for run in runs),
        "unfinished": survey.runs.exists() and not runs,
        "unreadable": [run for run in survey.runs.select_related("survey") if run.unreadable],
    }
    return render(request, "export/data.html", context, status=422 if request.method == "POST" else 200)


def _exportable(survey: Survey) -> list[Run]:
    runs = survey.runs.select_related("survey", "version", "job").filter(job__state="finished")
    return [run for run in runs if not run.unreadable and shown_of(run).results]


def _options(request: HttpRequest) -> dict[str, str]:
    language = {"language": get_language() or ""}
    return language | ({"run": run} if (run := request.GET.get("run", "")).isdecimal() else {})


def _run_title(run: Run, look: Look) -> str:
    title = _("run %(run)s of %(day)s, support from %(support)s") % {
        "run": run.pk,
        "day": run.job.created_at.date().isoformat(),
        "support": number(run.parameters["support"]),
    }
    return f"{title}, {look.tag}" if look.tag else title
