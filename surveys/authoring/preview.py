"""The respondents' client with a draft in it, for looking at it while it is written.

A draft is looked at long before it is complete: a text that is missing in one language is shown in another
one, and a text that is missing everywhere as an ellipsis. What decides how answers are disguised has to be
right, or there is nothing to show.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.authoring.problem_places import placed
from surveys.errors.error import SurveyError
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, INVITED
from surveys.questionnaire.definition import ABOUT, FORMAT, Reading, definition_read
from surveys.questionnaire.draft_reading import filled_text, with_texts
from surveys.questionnaire.languages import tags_of
from surveys.respondent.client_program import client, client_page
from surveys.respondent.client_state import draft_state


def preview_reading(document: dict[str, Any]) -> Reading:
    """Return the definition of a draft with every missing text filled in, or what is in the way of it."""
    return definition_read(_legible(document))


def preview_of(reading: Reading, *, survey: str, language: str) -> dict[str, Any]:
    """Return what a client is told of a draft that could be read, in one of its languages."""
    definition = reading.definition
    if definition is None:
        raise SurveyError("no_page")
    return draft_state(
        definition.design,
        definition.wording,
        survey=survey,
        practice=definition.practice,
        language=language if language in definition.languages else definition.languages[0],
        delete_on=definition.schedule.delete_on,
    )


def preview_of_version(version: Version, *, language: str) -> dict[str, Any]:
    """Return what a client is told of a published version that is looked at, in one of its languages."""
    survey = version.survey
    return draft_state(
        version.to_design(),
        version.wording,
        survey=survey.slug,
        practice=survey.practice,
        language=language if language in version.languages else version.languages[0],
        delete_on=survey.delete_on,
    )


def draft_preview(request: HttpRequest, survey: Survey, *, language: str) -> HttpResponse:
    """Show a draft in a language as respondents would see it, or what is in the way of that."""
    reading = preview_reading(survey.definition)
    if reading.definition is None:
        problems = placed(reading.problems, survey.definition)
        return render(request, "authoring/unready.html", {"problems": problems}, status=422)
    return preview_response(preview_of(reading, survey=survey.slug, language=language))


def preview_response(state: dict[str, Any]) -> HttpResponse:
    """Return the client's page with a draft in it, which can be answered and sends nothing."""
    return HttpResponse(client_page(client().digest, state))


def _legible(document: dict[str, Any]) -> dict[str, Any]:
    filled = with_texts(document)
    about = document.get("about")
    about = about if isinstance(about, dict) else {}
    # The schedule, the address and the format are no business of the preview.
    return {
        "sotto": FORMAT,
        "slug": "preview",
        "languages": list(filled["title"]),
        "title": filled["title"],
        "practice": document.get("practice") is True,
        "about": {name: filled_text(about.get(name), tags_of(document) or ["en"]) for name in ABOUT},
        "group": document.get("group"),
        "blocks": filled["blocks"],
        **{name: document[name] for name in ("rotations", INVITED) if name in document},
        **{name: filled[name] for name in (EXPLANATIONS,) if name in filled},
    }
