"""The frame of a version on this server: static files that accept nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from mimetypes import guess_type
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from privacy.survey.design import Design
from surveys.embed.frame import INDEX, Around, check_framed, frame_digest, frame_files, frame_headers
from surveys.errors.error import SurveyError
from surveys.models import Survey, Version
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.respondent.client_documents import published_roots

# Other addresses answered on that origin, which a proxy checks.
_HEALTH: Final = ("/live", "/ready")
_SCRIPT: Final = "text/javascript; charset=utf-8"


class FramesOnly:
    """Middleware that serves frames only from their own origin, and nothing else from it.

    A frame remembers that a respondent has answered in the storage of its origin. On an origin where surveys
    are answered or staff log in, any other page of this server could read that memory or erase it.
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
    """Return the pages that may show frames of this server; None if there are none."""
    if not (settings.SOTTOVOCE_FRAME_HOSTS and settings.SOTTOVOCE_FRAME_ORIGIN):
        return None
    return Around(
        hosts=tuple(settings.SOTTOVOCE_FRAME_HOSTS),
        site=settings.SOTTOVOCE_FRAME_SITE,
        shared_device=settings.SOTTOVOCE_FRAME_SHARED_DEVICE,
    )


def can_be_framed(design: Design) -> bool:
    """Return whether a frame can ask the questions of a design."""
    try:
        check_framed(design)
    except SurveyError:
        return False
    return True


@require_safe
@xframe_options_exempt
@cache_control(max_age=300)
def frame(request: HttpRequest, digest: str, name: str = INDEX) -> HttpResponse:
    """Serve a file of the frame of one version of an open survey, or of the example."""
    around = around_here()
    files = None if around is None else _files_of(digest, around)
    if around is None or files is None:
        return HttpResponse(status=404)
    content = files.get(f"{name}{INDEX}" if name.endswith("/") else name)
    if content is None:
        return HttpResponse(status=404)
    kind = _SCRIPT if name.endswith(".js") else f"{guess_type(name)[0] or 'text/html'}; charset=utf-8"
    return HttpResponse(content, content_type=kind, headers=frame_headers(around))


def _files_of(digest: str, around: Around) -> dict[str, bytes] | None:
    if digest == frame_digest(example()):
        return _example_files(around)
    versions = published_roots(Version.objects.filter(survey__state=Survey.State.OPEN))
    key = next((pk for root, pk in versions if root == digest), None)
    return None if key is None else _files(key, digest, around)


@lru_cache(maxsize=1)
def example() -> Definition:
    """Return one protected part of a shipped survey, for practice: an example frame."""
    file = resources.files("surveys").joinpath("definitions", "workplace.json")
    document = json.loads(file.read_text(encoding="utf-8"))
    part = next(block for block in document["blocks"] if block["protected"])
    return definition_parse({**document, "practice": True, "blocks": [part]})


@lru_cache(maxsize=1)
def _example_files(around: Around) -> dict[str, bytes]:
    # Nothing is remembered on the device, so it can be demonstrated repeatedly.
    definition = example()
    nobodys = replace(around, site="", shared_device=True)
    return frame_files(
        definition.design, definition.wording, nobodys, digest=frame_digest(definition), practice=True
    )


@lru_cache(maxsize=64)
def _files(pk: int, digest: str, around: Around) -> dict[str, bytes] | None:
    # A version never changes, and an upgrade restarts the server.
    version = Version.objects.select_related("survey").get(pk=pk)
    design = version.to_design()
    if not can_be_framed(design):
        return None
    return frame_files(design, version.wording, around, digest=digest, practice=version.survey.practice)
