"""Endpoints of the client: the state of a survey, and documents by their digest. They set no cookie."""

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
    """Return the state of a survey, ready for JSON.

    Parameters
    ----------
    survey : Survey or None
    language : str
        Tag of the requested language; a survey without it uses its first language.
    now : datetime

    Returns
    -------
    dict
        ``state`` is "missing" (also for a draft), "planned", "open" or "closed". A planned survey has
        its opening time, but not its subject, because addresses can be guessed. An open survey has the
        newest definition and its texts, as the exact bytes that were hashed.
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
    """Return the state for a preview, which sends its answers nowhere.

    The page stores its data on the device under a name that no survey can have.
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
    """Return the state of a survey, with definition and texts in one language if it can be answered."""
    language = request.GET.get("language", "")
    survey = Survey.objects.filter(slug=slug).first()
    said = client_state(survey, language=language, now=timezone.now())
    return HttpResponse(canonical(said), content_type=_TYPE, status=404 if said["state"] == MISSING else 200)


@open_to_clients
def document(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the definition or the texts of a digest: the hashed bytes, to be cached forever."""
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
