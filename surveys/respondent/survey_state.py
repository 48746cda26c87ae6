"""The state of a survey, and its documents by digest."""

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
from surveys.intake.client_origins import open_to_clients
from surveys.models import Survey
from surveys.questionnaire.languages import language_of
from surveys.questionnaire.local_time import local_text
from surveys.respondent.client_documents import (
    build_documents,
    canonical,
    documents_of,
    find_document,
    has_own_voice,
    languages_of,
    words_before_opening,
)

MISSING = "missing"


def client_state(survey: Survey | None, *, language: str, now: datetime) -> dict[str, Any]:
    """Return the state of a survey, ready for JSON.

    Parameters
    ----------
    survey : Survey or None
    language : str
        Tag of the requested language; a survey that does not have it uses its first language.
    now : datetime

    Returns
    -------
    dict
        ``state`` is "missing" (also for a draft), "planned", "open" or "closed". For a planned survey, the
        dict has the opening time but not the subject, because addresses can be guessed; if the survey has its
        own sentences or the other form of address, it has those of this page. For an open survey, it has the
        newest definition and its texts, as the exact bytes that were hashed; for a closed one only if these
        say how to speak.
    """
    if survey is None or survey.state == Survey.State.DRAFT:
        return {"state": MISSING}
    response: dict[str, Any] = {"survey": survey.slug, "state": survey.state, "time_zone": survey.time_zone}
    newest = survey.versions.select_related("survey").order_by("-number")[0]
    if survey.state == Survey.State.PLANNED:
        words = words_before_opening(newest.wording, language)
        return {
            **response,
            "opens": _at(survey, survey.opens_at),
            **({"words": canonical(words).decode()} if words else {}),
        }
    roots = roots_of(survey)
    response |= {
        "title": survey.title,
        "by_invitation": survey.by_invitation,
        "root": roots[0],
        "versions": roots,
        "languages": list(_languages(newest.wording)),
        "delete_on": survey.delete_on and survey.delete_on.isoformat(),
        "backup_days": settings.SOTTOVOCE_BACKUP_DAYS,
    }
    if survey.state == Survey.State.CLOSED:
        response["takes_late"] = not survey.closed_to_bodies(now)
        if not has_own_voice(newest.wording):
            return response
    documents = documents_of(newest)
    return {
        **response,
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
    promises: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the state for a preview, which does not send its answers.

    The page stores its data on the device under a name that no survey can have.
    """
    slug = f"preview:{survey}"
    documents = build_documents(
        design, wording, survey=slug, practice=practice, by_invitation=False, promises=promises
    )
    language = language if language in documents.words else next(iter(documents.words))
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
    """Return the distinct roots of a survey's versions, newest first."""
    versions = survey.versions.select_related("survey").defer("design", "wording").order_by("-number")
    return list(dict.fromkeys(documents_of(version).root for version in versions))


def _languages(wording: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for tag in languages_of(wording):
        language = language_of(tag)
        yield {"tag": tag, "name": language.name, "direction": language.direction}


def _at(survey: Survey, when: datetime | None) -> str | None:
    return None if when is None else local_text(when, survey.time_zone)


_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TYPE: Final = "application/json; charset=utf-8"
_CACHE_FOREVER: Final = "public, max-age=31536000, immutable"


@open_to_clients
@cache_control(no_store=True)
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of a survey, with definition and texts in one language if it can be answered."""
    language = request.GET.get("language", "")
    survey = Survey.objects.filter(slug=slug).first()
    body = client_state(survey, language=language, now=timezone.now())
    return HttpResponse(canonical(body), content_type=_TYPE, status=404 if body["state"] == MISSING else 200)


@open_to_clients
def document(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the definition or the texts with a digest: the hashed bytes, which may be cached forever."""
    content = find_document(digest) if _DIGEST.fullmatch(digest) else None
    if content is None:
        # Do not cache this, because the survey may open later.
        return HttpResponse(status=404, headers={"Cache-Control": "no-store"})
    return HttpResponse(content, content_type=_TYPE, headers={"Cache-Control": _CACHE_FOREVER})


CLIENT_ADDRESSES: Final = [
    path("surveys/<slug:slug>", state, name="state"),
    path("definitions/<str:digest>", document, name="definition"),
    path("words/<str:digest>", document, name="words"),
]
