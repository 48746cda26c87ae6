"""Files of a draft to download, and their page."""

from __future__ import annotations

import json
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys.access.permissions import get_survey_for_builder, signed, staff_page
from surveys.authoring.drafts import draft_save
from surveys.authoring.translations import translations_file, translations_read
from surveys.errors.error import SurveyError, in_sentences
from surveys.formats.attachments import whole_file
from surveys.imports.workbook import MOST_BYTES
from surveys.models import Survey
from surveys.questionnaire.document import DefinitionError, Problem
from surveys.questionnaire.draft_reading import draft_read

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class TranslationForm(forms.Form):
    """A file of texts that was filled in, and of which draft it is to change the texts."""

    file = forms.FileField()
    revision = forms.IntegerField(min_value=0)


@staff_page
@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """List the files of a draft."""
    return _page(request, get_survey_for_builder(request.user, slug))


def _page(request: HttpRequest, survey: Survey, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"survey": survey, "problems": draft_read(survey).problems, **more}
    return render(request, "authoring/export.html", context, status=status)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the texts of the draft side by side, or take them from a file that was filled in."""
    survey = get_survey_for_builder(request.user, slug)
    if request.method != "POST":
        return whole_file(translations_file(survey.definition), XLSX, f"{slug}-texts.xlsx")
    form = TranslationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, survey, status=422, wrong=[_("Choose the file that was filled in.")])
    values = form.cleaned_data
    try:
        document, count = translations_read(values["file"].read(MOST_BYTES + 1), survey.definition)
        draft_save(survey, document, revision=values["revision"], **signed(request))
    except DefinitionError as error:
        return _page(request, survey, status=422, wrong=list(map(_said, error.problems)))
    except SurveyError as conflict:
        return _page(request, survey, status=409, error=conflict)
    message = ngettext(
        "%(count)s text was taken from the file.", "%(count)s texts were taken from the file.", count
    )
    messages.success(request, message % {"count": count})
    return redirect("authoring:builder", slug)


@staff_page
@require_safe
def export_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the draft as it is."""
    survey = get_survey_for_builder(request.user, slug)
    return whole_file(_file(survey.definition), "application/json", f"{slug}.json")


@staff_page
@require_safe
def export_design(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the design of the draft as the library reads it; without one, lead to the export page."""
    definition = draft_read(get_survey_for_builder(request.user, slug)).designed
    if definition is None:
        return redirect("authoring:export", slug)
    return whole_file(_file(definition.design.to_json()), "application/json", f"{slug}-design.json")


def _file(document: object) -> bytes:
    """Return a document as a JSON file: exactly the document, to be imported again."""
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"


def _said(problem: Problem) -> str:
    """Write a problem of a file: its position, what is wrong, and the remedy."""
    message = f"{problem.path}: {problem.message}" if problem.path else problem.message
    return in_sentences(message, problem.remedy)
