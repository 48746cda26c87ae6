"""Exports of a survey: documents before data collection (preregistration, ethics pack), then a run's rows."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import IO, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from mining.family import rule_family
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
from surveys.authoring.changes import schedule_of
from surveys.formats.figures import number
from surveys.formats.files import whole_file
from surveys.formats.markdown import markdown_file
from surveys.models import PublishOverride, Run, Survey
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, Aim
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS, choices_of_arms
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.labels import about_names, about_texts, asked_parts
from surveys.questionnaire.languages import language_of, text_in
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.use_words import points
from surveys.report.export.codebook import FileKind, laws_of
from surveys.report.export.data_package import TYPES, send_run
from surveys.report.opened_run import OpenedRun, results_file
from surveys.report.risk_page.audit import plan_sentences, planned_use, risk_context
from surveys.report.survey_list.mine_form import MineForm
from surveys.runs.audit import AuditedSurvey, audited_survey
from surveys.runs.look import Look, looks_of
from surveys.runs.run_summary import shown_of


def preregistration(
    subject: AuditedSurvey, thresholds: Thresholds, *, planned: int, expected: str, now: datetime
) -> str:
    """Return the preregistration as Markdown, to register elsewhere.

    Parameters
    ----------
    subject : AuditedSurvey
        A draft or a published survey.
    thresholds : Thresholds
        Thresholds planned for the run.
    planned : int
        Number of answers to collect.
    expected : str
        The hypotheses, in the researcher's words.
    now : datetime

    Notes
    -----
    The number of tests follows from the questionnaire, the longest itemset and the allowed sides alone, so it
    is known before the first answer.
    """
    families = {
        name: rule_family(subject.design, thresholds.sides, thresholds.max_size, ordered=is_ordered)
        for name, is_ordered in (("lift", False), ("confidence", True))
    }
    use = planned_use(subject, n=planned)
    return markdown_file(
        "export/preregistration.md",
        _common(subject, now, "en")
        | {
            "thresholds": thresholds,
            "families": families,
            "planned": planned,
            "expected": expected,
            "plan": plan_sentences(subject, n=planned),
            "half_widths": [(key, points(width)) for key, width in use.widths.items()] if use else [],
            "experiment": _experiment(subject),
        },
    )


def _experiment(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the random assignment of people, the texts that depend on it, and the expected results."""
    wording, aim = subject.version.wording, Aim.from_json(subject.version.aim)
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    arm_texts = wording.get(EXPLANATIONS) or {"texts": {}}
    with override("en"):
        numbers = {question.key for question in subject.design.questions if question.has_mean}
        expected = [
            (key, str((EXPECTATIONS_OF_NUMBERS if key in numbers else EXPECTATIONS)[each]))
            for key, each in (aim.expected if aim else {}).items()
        ]
    return {
        "groups": list(choices_of_arms(subject.design).items()),
        "explanations": [(option, text_in(text, "en")) for option, text in arm_texts["texts"].items()],
        "wordings": [
            (question["key"], option, text_in(text, "en"))
            for question in questions
            for option, text in (question.get(WORDINGS) or {"texts": {}})["texts"].items()
        ],
        "expected": expected,
    }


OFFICERS: Final = ("processing-record", "impact-assessment", "accessibility")
"""Texts for data protection officers: record of processing, impact assessment, accessibility statement."""


def officers_text(
    subject: AuditedSurvey, name: str, *, risk: Mapping[str, Any], language: str, now: datetime
) -> str:
    """Return one of `OFFICERS` as Markdown, filled in from the survey; for arguments see `ethics_pack`."""
    template = f"export/{name.replace('-', '_')}.md"
    return markdown_file(template, {**risk, **_common(subject, now, language)})


def ethics_pack(
    subject: AuditedSurvey, out: IO[bytes], *, risk: Mapping[str, Any], language: str, now: datetime
) -> None:
    """Write the ZIP file for an ethics board.

    Parameters
    ----------
    subject : AuditedSurvey
    out : binary file
    risk : dict
        Context of the page "Privacy risk".
    language : str
        Language of Sottovoce's own texts in the pack. The questionnaire is included in all its languages.
    now : datetime
    """
    common = _common(subject, now, language) | {"named_about": _named_about(subject, language)}
    page = render_to_string("export/risk.html", {**risk, "shared": True, "language": language})
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.md", markdown_file("export/ethics.md", common))
        archive.writestr("risk.html", page)
        for name in OFFICERS:
            archive.writestr(
                f"{name}.md", officers_text(subject, name, risk=risk, language=language, now=now)
            )
        for tag in common["languages"]:
            archive.writestr(f"questionnaire-{tag}.md", _questionnaire(subject, tag))
        archive.writestr("checks.md", markdown_file("export/checks.md", common | _findings(subject)))
        archive.writestr("design.json", json.dumps(subject.design.to_json(), indent=2))


def _named_about(subject: AuditedSurvey, language: str) -> list[tuple[str, str]]:
    """Return the survey's own texts, each with the label that an ethics board reads."""
    names = about_names()
    texts = about_texts(subject.version, language)
    return [(names.get(key, key), text) for key, text in texts.items()]


def _common(subject: AuditedSurvey, now: datetime, language: str) -> dict[str, Any]:
    wording, survey = subject.version.wording, subject.survey
    languages = tuple(wording["title"])
    parts = asked_parts(subject.version, subject.design, language)
    return {
        "survey": survey,
        "title": text_in(wording["title"], language),
        "found": subject,
        "design": subject.design,
        "about": about_texts(subject.version, language),
        "laws": list(laws_of(subject.design, {part["block"].key: part["title"] for part in parts})),
        "opened": [part for part in parts if not part["block"].protected],
        "parts": parts,
        "languages": languages,
        "schedule": _schedule(subject),
        "now": now,
    }


def _schedule(subject: AuditedSurvey) -> Schedule:
    """Return when a survey opens, closes and is deleted: a draft's own times, else the times in force."""
    if subject.is_draft and (definition := draft_read(subject.survey).definition) is not None:
        return definition.schedule
    return schedule_of(subject.survey)


def _questionnaire(subject: AuditedSurvey, language: str) -> str:
    wording = subject.version.wording
    title = text_in(wording["title"], language)
    return markdown_file(
        "export/questionnaire.md",
        {
            "title": title,
            "language": language,
            "about": about_texts(subject.version, language),
            "parts": asked_parts(subject.version, subject.design, language),
            "found": subject,
        },
    )


def _findings(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the findings on exactly this design and wording, and the reasons for overriding them."""
    definition = draft_read(subject.survey).definition
    same = definition is not None and (definition.design.design_id, definition.wording_id) == (
        subject.version.design_id,
        subject.version.wording_id,
    )
    overridden = None if subject.is_draft else PublishOverride.objects.filter(version=subject.version).first()
    return {
        "same": same,
        "findings": list(check_draft(subject.survey, definition)) if same and definition else [],
        "override": overridden,
        "refused": list(_lines(overridden)),
    }


def _lines(overridden: PublishOverride | None) -> Iterator[str]:
    for finding in overridden.findings if overridden is not None else ():
        yield f"{finding['message']}; {finding['remedy']}"


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


urlpatterns = [
    path("surveys/<slug:slug>/export-data/", export_data, name="data"),
    path("runs/<int:run_id>/rows.<str:kind>", rows, name="rows"),
    path("surveys/<slug:slug>/documents/", documents, name="documents"),
]
