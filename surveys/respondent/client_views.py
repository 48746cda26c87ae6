"""The addresses of a client: how a survey stands, and documents by their digest. They set no cookie."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import cache_control

from surveys.intake.limits import open_to_clients
from surveys.models import Survey
from surveys.respondent.client_documents import canonical, document_named
from surveys.respondent.client_state import MISSING, client_state

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
