"""Files of a draft: its definition and its design."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.formats.file_responses import whole_file
from surveys.questionnaire.draft import draft_read


@staff_page
@require_safe
def export_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the draft as JSON."""
    survey = get_survey_for_builder(request.user, slug)
    return whole_file(_file(survey.definition), "application/json", f"{slug}.json")


@staff_page
@require_safe
def export_design(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the design of the draft as the library reads it; redirect to the export page if there is none."""
    definition = draft_read(get_survey_for_builder(request.user, slug)).designed
    if definition is None:
        return redirect("authoring:export", slug)
    return whole_file(_file(definition.design.to_json()), "application/json", f"{slug}-design.json")


def _file(document: object) -> bytes:
    """Return a document as a JSON file that can be imported again unchanged."""
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"
