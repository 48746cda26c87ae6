"""Files of a draft to take away, and the page that says what each of them keeps."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.xlsform.export import definition_file, xlsform_file

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@staff_page
@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what each file keeps of the draft."""
    survey = get_survey_for_builder(request.user, slug)
    reading = draft_read(survey)
    not_kept = xlsform_file(reading.definition).not_kept if reading.definition else ()
    context = {"survey": survey, "problems": reading.problems, "not_kept": not_kept}
    return render(request, "authoring/export.html", context)


@staff_page
@require_safe
def export_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the draft as it is."""
    survey = get_survey_for_builder(request.user, slug)
    return _file(definition_file(survey.definition), "application/json", f"{slug}.json")


@staff_page
@require_safe
def export_xlsx(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the draft as an XLSForm; one with problems leads to the page that names them."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).definition
    if definition is None:
        return redirect("authoring:export", slug)
    return _file(xlsform_file(definition).workbook, XLSX, f"{slug}.xlsx")


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
