"""Show a draft in the respondents' client, here and on a phone.

A draft is looked at long before it is complete: a text that is missing in one language is shown in another
one, and a text that is missing everywhere as an ellipsis. What decides how answers are disguised has to be
right, or there is nothing to show.
"""

from __future__ import annotations

from typing import Any

from csp.constants import NONE
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from surveys.accounts.permissions import get_survey_for_builder, signed, staff_page
from surveys.accounts.tokens import Shown, page_share, shared_page
from surveys.authoring.draft_state import placed
from surveys.errors.error import SurveyError
from surveys.formats.svg import qr_code
from surveys.models import SharedPage, Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, INVITED
from surveys.questionnaire.definition import ABOUT, FORMAT, Reading, definition_read
from surveys.questionnaire.draft_reading import filled_text, with_texts
from surveys.questionnaire.languages import tags_of
from surveys.respondent.client_program import client, client_page
from surveys.respondent.client_views import draft_state


def preview_reading(document: dict[str, Any]) -> Reading:
    """Return the definition of a draft with every missing text filled in, or the problems that prevent it."""
    return definition_read(_legible(document))


def preview_of(reading: Reading, *, survey: str, language: str) -> dict[str, Any]:
    """Return a readable draft as sent to clients, in one of its languages."""
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
    """Return the previewed published version as sent to clients, in one of its languages."""
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
    """Show a draft in a language as respondents would see it, or the problems that prevent it."""
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
    # The preview ignores the schedule, the address and the format.
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


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def phone(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an address by which a phone shows the draft: it is there in this one answer."""
    survey = get_survey_for_builder(request.user, slug)
    context: dict[str, Any] = {"survey": survey}
    if request.method == "POST":
        shared, token = page_share(survey, SharedPage.Kind.PREVIEW, days=1, **signed(request))
        address = request.build_absolute_uri(reverse("shared:preview", args=[token]))
        context |= {"made": {"address": address, "until": shared.until}, "picture": qr_code(address)}
    made = SharedPage.objects.filter(survey=survey, kind=SharedPage.Kind.PREVIEW, ended_at=None)
    context["working"] = made.filter(until__gt=timezone.now())
    return render(request, "authoring/phone.html", context)


@shared_page(SharedPage.Kind.PREVIEW, SharedPage.Kind.RISK)
def shared_preview(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the draft as respondents would see it, on a page that can send nothing.

    An ethics board sees the version that it reads about: the newest version of a published survey.
    """
    survey = shown.shared.survey
    language = get_language() or settings.LANGUAGE_CODE
    version = survey.versions.order_by("-number").first()
    if version is not None and shown.shared.kind == SharedPage.Kind.RISK:
        response = preview_response(preview_of_version(version, language=language))
    else:
        response = draft_preview(request, survey, language=language)
    csp_replace({"connect-src": [NONE]})(lambda _request: response)(request)
    return response
