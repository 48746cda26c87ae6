"""The respondents' client with a draft in it, for looking at it while it is written.

A draft is looked at long before it is complete: a text that is missing in one language is shown in another
one, and a text that is missing everywhere as an ellipsis. What decides how answers are disguised has to be
right, or there is nothing to show.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.authoring.problem_places import placed
from surveys.errors.error import SurveyError
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, INVITED, ODDS, WORDINGS, is_arm
from surveys.questionnaire.definition import ABOUT, FORMAT, Reading, definition_read
from surveys.respondent.client_program import client, client_page
from surveys.respondent.client_state import draft_state

_MISSING: Final = "…"


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
    title = document.get("title")
    stated = document.get("languages")
    if not isinstance(stated, list) or not stated:
        stated = list(title) if isinstance(title, dict) and title else ["en"]
    languages = [tag for tag in stated if isinstance(tag, str)]
    about = document.get("about")
    about = about if isinstance(about, dict) else {}
    # The schedule, the address and the format are no business of the preview.
    return {
        "sotto": FORMAT,
        "slug": "preview",
        "languages": stated,
        "title": _text(title, languages),
        "practice": document.get("practice") is True,
        "about": {name: _text(about.get(name), languages) for name in ABOUT},
        "group": document.get("group"),
        "blocks": _filled(document.get("blocks"), languages, "title"),
        **{name: document[name] for name in ("rotations", INVITED) if name in document},
        **_explanations(document.get(EXPLANATIONS), languages),
    }


def _filled(stated: Any, languages: list[str], needed: str = "") -> Any:
    """Return a part of a document with its texts filled in, the `needed` one of each entry of a list too."""
    if isinstance(stated, list):
        return [_filled(entry, languages, needed) for entry in stated]
    if not isinstance(stated, dict) or is_arm(stated):
        return stated
    filled = {needed: None, **stated} if needed else dict(stated)
    for name, value in filled.items():
        if name in ("title", "text") or (name == "help" and value):
            filled[name] = _text(value, languages)
        elif name in ("questions", "options") and isinstance(value, list):
            filled[name] = _filled(value, languages, "text")
        elif name == WORDINGS and isinstance(value, dict) and isinstance(value.get("texts"), dict):
            texts = {option: _text(text, languages) for option, text in value["texts"].items()}
            filled[name] = {**value, "texts": texts}
    return {name: value for name, value in filled.items() if name not in ("help", WORDINGS) or value}


def _explanations(stated: Any, languages: list[str]) -> dict[str, Any]:
    """Return the texts that the arms of an experiment read; one still to be written says the odds alone."""
    if not isinstance(stated, dict) or not isinstance(stated.get("texts"), dict):
        return {}
    texts = {option: _text(text, languages) for option, text in stated["texts"].items()}
    for text in texts.values():
        text |= {tag: f"{said} {ODDS}" for tag, said in text.items() if said.count(ODDS) != 1}
    return {EXPLANATIONS: {**stated, "texts": texts}}


def _text(texts: object, languages: list[str]) -> dict[str, str]:
    known = texts if isinstance(texts, dict) else {}
    written = {tag: text for tag, text in known.items() if isinstance(text, str) and text.strip()}
    instead = next((written[tag] for tag in languages if tag in written), _MISSING)
    return {tag: written.get(tag, instead) for tag in languages}
