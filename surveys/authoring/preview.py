"""Preview a draft in the respondents' client.

People preview a draft long before it is complete. A text missing in one language is shown in another, and a
text missing in all languages as an ellipsis. Only the parts that decide how answers are disguised must be
valid.

The preview: ``…/build/preview/?language=zh-hans`` (the survey's first language by default). It shows the
draft as last saved, so reload the frame after a save. Answers can be tried but never leave the page.

``authoring/unready.html`` [preview]
    ``problems``: why the draft cannot be previewed yet (list of ``PlacedProblem(path, place, text)``). It
    appears in the preview's frame in place of the respondent's page.
"""

from __future__ import annotations

from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.accounts.shared_pages import SharedContext, shared_page
from surveys.authoring.problem_places import locate_problems
from surveys.models import SharedPage, Survey
from surveys.questionnaire.arms import EXPLANATIONS, INVITED
from surveys.questionnaire.definition import ABOUT, DEFINITION_FORMAT, Definition, Reading, definition_read
from surveys.questionnaire.filled_texts import filled_text, with_texts
from surveys.questionnaire.languages import tags_of
from surveys.questionnaire.promise_words import stated_promises
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.stated_waves import OF_SERIES
from surveys.questionnaire.stems import STEMS
from surveys.respondent.client_program import client, client_page
from surveys.respondent.survey_state import draft_state


def preview_reading(document: dict[str, Any]) -> Reading:
    """Return the definition of a draft after filling in missing texts, or the problems that prevent it."""
    return definition_read(_legible(document))


def preview_of(definition: Definition, *, survey: Survey, language: str) -> dict[str, Any]:
    """Return the state that clients receive for a draft, in one of its languages."""
    return draft_state(
        definition.design,
        definition.wording,
        survey=survey.slug,
        practice=definition.practice,
        language=language,
        delete_on=definition.schedule.delete_on,
        promises=promises_to_publish(definition, survey),
    )


def draft_preview(request: HttpRequest, survey: Survey, *, language: str) -> HttpResponse:
    """Show a draft in one language as respondents would see it, or the problems that prevent it."""
    reading = preview_reading(survey.definition)
    if reading.definition is None:
        problems = locate_problems(reading.problems, survey.definition)
        return render(request, "authoring/unready.html", {"problems": problems}, status=422)
    return preview_response(preview_of(reading.definition, survey=survey, language=language))


def preview_response(state: dict[str, Any]) -> HttpResponse:
    """Return the client's page with a draft that can be answered but sends nothing."""
    return HttpResponse(client_page(client().digest, state))


def _legible(document: dict[str, Any]) -> dict[str, Any]:
    full_draft = with_texts(document)
    about = document.get("about")
    about = about if isinstance(about, dict) else {}
    # The preview ignores the schedule, the address and the format.
    return {
        "sotto": DEFINITION_FORMAT,
        "slug": "preview",
        "languages": list(full_draft["title"]),
        "title": full_draft["title"],
        "practice": document.get("practice") is True,
        "about": {name: filled_text(about.get(name), tags_of(document) or ["en"]) for name in ABOUT},
        "group": document.get("group"),
        "blocks": full_draft["blocks"],
        **{name: document[name] for name in ("rotations", INVITED, *OF_SERIES) if name in document},
        **{name: full_draft[name] for name in (EXPLANATIONS, STEMS) if name in full_draft},
    }


@shared_page(SharedPage.Kind.RISK)
def shared_preview(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show a survey to its ethics board as respondents see it, on a page that can send nothing.

    It shows the same version as the board's report: the newest one, or the draft of an unpublished survey.
    """
    survey = page.link.survey
    language = get_language() or settings.LANGUAGE_CODE
    version = survey.versions.order_by("-number").first()
    if version is not None:
        state = draft_state(
            version.to_design(),
            version.wording,
            survey=survey.slug,
            practice=survey.practice,
            language=language,
            delete_on=survey.delete_on,
            promises=stated_promises(version),
        )
        response = preview_response(state)
    else:
        response = draft_preview(request, survey, language=language)
    csp_replace({"connect-src": [NONE], "img-src": [SELF, "data:"]})(lambda _request: response)(request)
    return response


def _allow_frame(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a frame on this server show a page, with the icon inside it. The page can send nothing."""
    policy = {"connect-src": [NONE], "frame-ancestors": [SELF], "img-src": [SELF, "data:"]}
    csp_replace(policy)(lambda _request: response)(request)
    return response


@staff_page
@require_safe
@xframe_options_sameorigin
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the draft as respondents would see it, on a page that can send nothing."""
    survey = get_survey_for_builder(request.user, slug)
    language = request.GET.get("language") or get_language() or ""
    return _allow_frame(request, draft_preview(request, survey, language=language))


def allow_preview_frame(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a page show the preview in a frame."""
    csp_update({"frame-src": [SELF]})(lambda _request: response)(request)
    return response
