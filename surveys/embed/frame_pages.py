"""The pages of frames: they are served only on their own origin, and nothing else is served there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from mimetypes import guess_type
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around, frame_headers
from surveys.embed.frame_promise import check_framed
from surveys.errors.error import SurveyError
from surveys.models import Survey, Version
from surveys.questionnaire.promise_words import stated_promises
from surveys.respondent.client_documents import published_roots
from surveys.respondent.client_program import CLIENT_PAGE

# A proxy checks these addresses, so they work on the frame origin too.
_HEALTH: Final = ("/live", "/ready", "/metrics")
_SCRIPT: Final = "text/javascript; charset=utf-8"


class FramesOnly:
    """Middleware that serves frames only on their own origin, and nothing else there.

    A frame uses the storage of its origin to remember that a respondent has answered. On an origin with
    surveys or staff pages, any other page of this server could read or erase that memory.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        frames = urlsplit(settings.SOTTOVOCE_FRAME_ORIGIN)
        is_frame = request.path_info.startswith("/embed/")
        is_here = bool(frames.netloc) and request.get_host() == frames.netloc
        if is_frame == is_here or request.path_info in _HEALTH:
            return self.get_response(request)
        names = (name for name in settings.ALLOWED_HOSTS if name[0] not in ".*" and name != frames.hostname)
        main = next(names, None)
        if is_frame or main is None or request.method not in ("GET", "HEAD"):
            return HttpResponse(status=404)
        port = "" if frames.port is None else f":{frames.port}"
        return HttpResponseRedirect(f"{request.scheme}://{main}{port}{request.get_full_path()}")


def around_here() -> Around | None:
    """Return which pages may show this server's frames; None if no page may."""
    if not (settings.SOTTOVOCE_FRAME_HOSTS and settings.SOTTOVOCE_FRAME_ORIGIN):
        return None
    return Around(
        hosts=tuple(settings.SOTTOVOCE_FRAME_HOSTS),
        site=settings.SOTTOVOCE_FRAME_SITE,
        shared_device=settings.SOTTOVOCE_FRAME_SHARED_DEVICE,
    )


def can_be_framed(version: Version) -> bool:
    """Return whether a frame can ask the questions of a version."""
    try:
        check_framed(version.to_design(), version.wording)
    except SurveyError:
        return False
    return True


@require_safe
@xframe_options_exempt
@cache_control(max_age=300)
def frame(request: HttpRequest, digest: str, name: str = CLIENT_PAGE) -> HttpResponse:
    """Serve a file of the frame for one version of an open survey."""
    around = around_here()
    files = None if around is None else _files_of(digest, around)
    if around is None or files is None:
        return HttpResponse(status=404)
    content = files.get(f"{name}{CLIENT_PAGE}" if name.endswith("/") else name)
    if content is None:
        return HttpResponse(status=404)
    kind = _SCRIPT if name.endswith(".js") else f"{guess_type(name)[0] or 'text/html'}; charset=utf-8"
    return HttpResponse(content, content_type=kind, headers=frame_headers(around))


def _files_of(digest: str, around: Around) -> dict[str, bytes] | None:
    versions = published_roots(Version.objects.filter(survey__state=Survey.State.OPEN))
    key = next((pk for root, pk in versions if root == digest), None)
    return None if key is None else _files(key, digest, around)


@lru_cache(maxsize=64)
def _files(pk: int, digest: str, around: Around) -> dict[str, bytes] | None:
    # Cached for good: versions never change, and an upgrade restarts the server.
    version = Version.objects.select_related("survey").get(pk=pk)
    if not can_be_framed(version):
        return None
    return frame_files(
        version.to_design(),
        version.wording,
        around,
        digest=digest,
        practice=version.survey.practice,
        by_invitation=version.survey.by_invitation,
        promises=stated_promises(version),
    )
