"""The addresses of a client: how a survey stands, and documents by their digest. They set no cookie."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import cache_control

from privacy.survey.design import Design
from surveys.intake.limits import open_to_clients
from surveys.models import Survey
from surveys.questionnaire.languages import language_of
from surveys.questionnaire.schedule import local_text
from surveys.respondent.client_documents import (
    canonical,
    document_named,
    documents_made,
    documents_of,
    languages_of,
)

MISSING = "missing"


def client_state(survey: Survey | None, *, language: str, now: datetime) -> dict[str, Any]:
    """Return how a survey stands, ready for JSON.

    Parameters
    ----------
    survey : Survey or None
    language : str
        Tag of the language that its words are wanted in; its first one where it has no words in that.
    now : datetime

    Returns
    -------
    dict
        ``state`` is "missing" (also of a draft), "planned", "open" or "closed". Of a planned survey
        it says when it opens, and not what it is about: addresses can be guessed. Of an open one it has the
        newest definition and its words, as the very texts that their digests are of.
    """
    if survey is None or survey.state == Survey.State.DRAFT:
        return {"state": MISSING}
    said: dict[str, Any] = {"survey": survey.slug, "state": survey.state, "time_zone": survey.time_zone}
    if survey.state == Survey.State.PLANNED:
        return {**said, "opens": _at(survey, survey.opens_at)}
    newest = survey.versions.select_related("survey").order_by("-number")[0]
    roots = roots_of(survey)
    said |= {
        "title": survey.title,
        "by_invitation": survey.by_invitation,
        "root": roots[0],
        "versions": roots,
        "languages": list(_languages(newest.wording)),
        "delete_on": survey.delete_on and survey.delete_on.isoformat(),
        "backup_days": settings.SOTTOVOCE_BACKUP_DAYS,
    }
    if survey.state == Survey.State.CLOSED:
        return {**said, "takes_late": not survey.closed_to_bodies(now)}
    documents = documents_of(newest)
    return {
        **said,
        "definition": documents.definition.decode(),
        "words": documents.words_in(language).decode(),
    }


def draft_state(
    design: Design,
    wording: Mapping[str, Any],
    *,
    survey: str,
    language: str,
    practice: bool,
    delete_on: date | None,
) -> dict[str, Any]:
    """Return what a client is told of a survey that is looked at, and sends its answers nowhere.

    What the page keeps on the device it keeps under a name that no survey can have.
    """
    slug = f"preview:{survey}"
    documents = documents_made(design, wording, survey=slug, practice=practice, by_invitation=False)
    return {
        "survey": slug,
        "state": "open",
        "preview": True,
        "language": language,
        "root": documents.root,
        "languages": list(_languages(wording)),
        "delete_on": delete_on and delete_on.isoformat(),
        "backup_days": settings.SOTTOVOCE_BACKUP_DAYS,
        "definition": documents.definition.decode(),
        "words": documents.words_in(language).decode(),
    }


def roots_of(survey: Survey) -> list[str]:
    """Return the roots of a survey's versions, each once, the newest first."""
    versions = survey.versions.select_related("survey").defer("design", "wording").order_by("-number")
    return list(dict.fromkeys(documents_of(version).root for version in versions))


def _languages(wording: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for tag in languages_of(wording):
        known = language_of(tag)
        yield {
            "tag": tag,
            "name": known.name,
            "direction": known.direction,
        }


def _at(survey: Survey, when: datetime | None) -> str | None:
    return None if when is None else local_text(when, survey.time_zone)


_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TYPE: Final = "application/json; charset=utf-8"
_FOR_EVER: Final = "public, max-age=31536000, immutable"


@open_to_clients
@cache_control(no_store=True)
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Say how a survey stands, with its definition and its words in one language where it can be answered."""
    language = request.GET.get("language", "")
    survey = Survey.objects.filter(slug=slug).first()
    said = client_state(survey, language=language, now=timezone.now())
    return HttpResponse(canonical(said), content_type=_TYPE, status=404 if said["state"] == MISSING else 200)


@open_to_clients
def document(request: HttpRequest, digest: str) -> HttpResponse:
    """Give the definition or the words of a digest: the very bytes that it is of, to be kept for ever."""
    content = document_named(digest) if _DIGEST.fullmatch(digest) else None
    if content is None:
        # The survey may open later.
        return HttpResponse(status=404, headers={"Cache-Control": "no-store"})
    return HttpResponse(content, content_type=_TYPE, headers={"Cache-Control": _FOR_EVER})


urlpatterns = [
    path("surveys/<slug:slug>", state, name="state"),
    path("definitions/<str:digest>", document, name="definition"),
    path("words/<str:digest>", document, name="words"),
]
