"""The page that shows how a survey tool uses a frame: an example, scripts to copy, addresses.

``embed/use.html`` [embed:use]
    ``example``: the address of a frame to try on the origin of frames, or nothing; ``origin`` of this page;
    ``shows``: whether this server shows frames; ``surveys``: title and frame's address of each open survey
    of the reader that a frame can ask; ``scripts``: `Adapter` by `Adapter`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_builder, get_surveys_for_builder, staff_page
from surveys.embed import adapters
from surveys.embed.frame import frame_digest
from surveys.embed.views import around_here, can_be_framed, example
from surveys.models import Survey
from surveys.respondent.addresses import languages_of
from surveys.respondent.client_documents import documents_of


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """A script for survey tools.

    Attributes
    ----------
    files : tuple of str
        Its own files, and those that it also needs.
    tools : str
    was_run : bool
        Whether it was run inside the tools themselves, not only on a page that imitates their documented API.
    """

    files: tuple[str, ...]
    tools: str
    was_run: bool


ADAPTERS: Final = (
    Adapter(files=("form.js",), tools="HTML, oTree", was_run=True),
    Adapter(files=("surveyjs.js",), tools="SurveyJS", was_run=True),
    Adapter(files=("jspsych.js",), tools="jsPsych", was_run=True),
    Adapter(files=("form.js",), tools="LimeSurvey, Formbricks", was_run=False),
    Adapter(files=("qualtrics.js",), tools="Qualtrics", was_run=False),
    Adapter(files=("Redcap.php", "form.js"), tools="REDCap", was_run=False),
)


@staff_page
@require_safe
def use(request: HttpRequest) -> HttpResponse:
    """Show a frame in a page that imitates a survey tool, and what the reader's tool needs."""
    get_builder(request.user)
    around, origin = around_here(), request.build_absolute_uri("/").rstrip("/")
    # Only a listed page can show the example.
    frames = settings.SOTTOVOCE_FRAME_ORIGIN if around is not None and origin in around.hosts else ""
    context = {
        "example": frames and f"{_frame(frame_digest(example()))}{_language()}",
        "origin": origin,
        "shows": around is not None,
        "surveys": [
            (survey.title_text, _frame(documents_of(version).root))
            for survey in get_surveys_for_builder(request.user).filter(state=Survey.State.OPEN)
            for version in survey.versions.order_by("-number")[:1]
            if can_be_framed(version.to_design())
        ],
        "scripts": ADAPTERS,
    }
    response = render(request, "embed/use.html", context)
    if frames:
        csp_update({"frame-src": [frames, SELF]})(lambda _request: response)(request)
    return response


@staff_page
@require_safe
def script(request: HttpRequest, adapter: str) -> HttpResponse:
    """Return a script as a download."""
    get_builder(request.user)
    if not any(adapter in known.files for known in ADAPTERS):
        raise Http404
    kind = "text/javascript" if adapter.endswith(".js") else "text/plain"
    return HttpResponse(
        adapters.text_of(adapter),
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{adapter}"'},
    )


def _frame(digest: str) -> str:
    return f"{settings.SOTTOVOCE_FRAME_ORIGIN}{reverse('frame', args=[digest])}"


def _language() -> str:
    """Return the folder of the example in the reader's language, empty for the first of its languages."""
    first, *others = languages_of(example().wording)
    tag = get_language() or first
    return f"{tag}/" if tag in others else ""
