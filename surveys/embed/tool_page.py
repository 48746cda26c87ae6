"""The page that explains how to show frames in another survey tool, and its scripts as downloads."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_builder, get_surveys_for_builder, staff_page
from surveys.embed.adapter_scripts import ADAPTERS, adapter_text
from surveys.embed.frame_pages import around_here, can_be_framed
from surveys.models import Survey
from surveys.questionnaire.turns import TURN
from surveys.respondent.client_documents import documents_of


@staff_page
@require_safe
def use(request: HttpRequest) -> HttpResponse:
    """Show what a researcher's survey tool needs in order to show frames."""
    get_builder(request.user)
    context = {
        "shows": around_here() is not None,
        "surveys": [
            (survey.title_text, _frame(documents_of(version).root), TURN in version.wording)
            for survey in get_surveys_for_builder(request.user).filter(state=Survey.State.OPEN)
            for version in survey.versions.order_by("-number")[:1]
            if can_be_framed(version)
        ],
        "scripts": ADAPTERS,
        "program": settings.PROGRAM,
    }
    return render(request, "embed/use.html", context)


@staff_page
@require_safe
def script(request: HttpRequest, adapter: str) -> HttpResponse:
    """Send an adapter script as a download."""
    get_builder(request.user)
    if not any(adapter in entry.files for entry in ADAPTERS):
        raise Http404
    kind = "text/javascript" if adapter.endswith(".js") else "text/plain"
    return HttpResponse(
        adapter_text(adapter),
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{adapter}"'},
    )


def _frame(digest: str) -> str:
    return f"{settings.SOTTOVOCE_FRAME_ORIGIN}{reverse('frame', args=[digest])}"
