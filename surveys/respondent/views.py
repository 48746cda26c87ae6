"""Views for respondents: the client's page and the files of its program.

They set no cookies, and no answers are sent to these addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.questionnaire.languages import known_languages
from surveys.respondent.client_program import WORKER, ClientFile, client


@require_safe
@cache_control(no_store=True)
def page(request: HttpRequest, slug: str, language: str | None = None) -> HttpResponse:
    """Return the client's page, the same at every address; the page itself requests its survey's state.

    Panels and social networks add numbers of people to links, so an address with a query is redirected to the
    one without. On hosts that only serve files, the page removes the query itself.
    """
    if request.META.get("QUERY_STRING"):
        return HttpResponseRedirect(request.path)
    answer = _file(request, client().index)
    # Allow data URLs, because the page contains its icon.
    csp_replace({"img-src": ["data:"]})(lambda _request: answer)(request)
    return answer


@require_safe
@cache_control(no_store=True)
def guessed(_request: HttpRequest, language: str, slug: str) -> HttpResponse:
    """Redirect an address that begins with the language of a survey, as people guess it from other ones."""
    if language not in {each.tag for each in known_languages()}:
        raise Http404
    return HttpResponseRedirect(reverse("respond:page_in", args=[slug, language]))


@require_safe
@cache_control(no_store=True)
def pasted(request: HttpRequest, text: str) -> HttpResponse:
    """Redirect an address to the survey that it names, without the text behind it.

    Links are pasted with a bracket, a full stop or a quotation mark behind them, or with more text.
    """
    meant = _MEANT.match(text)
    if meant is None:
        raise Http404
    name = "page_in" if meant["language"] else "page"
    return HttpResponseRedirect(reverse(f"respond:{name}", args=[part for part in meant.groups() if part]))


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the list of the client's files with their digests."""
    return _file(request, client().manifest)


@require_safe
def program(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """Return one file of the client's program.

    The address contains the digest of the whole program, so the file may be cached forever. Every origin may
    load it, because the preview of a draft runs in a frame without an origin.
    """
    whole = client()
    file = whole.file(name)
    if file is None or digest != whole.digest:
        return HttpResponse(status=404)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
    }
    if name == WORKER:
        # A worker has the policy of its own script. This worker reads and writes a file, and loads nothing.
        headers["Content-Security-Policy"] = "default-src 'none'"
    return _file(request, file, headers=headers)


class ProgramFirst:
    """Middleware that returns the program before sessions, languages and headers of pages are processed.

    Headers about frames, referrers and openers have no effect on scripts and styles, and each would add a
    thirtieth to a small file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        folder, _, name = request.path_info.removeprefix("/program/").partition("/")
        if not request.path_info.startswith("/program/"):
            return self.get_response(request)
        # Refuse unknown host names; for other requests, a later middleware does this.
        request.get_host()
        return program(request, folder, name)


def _file(request: HttpRequest, file: ClientFile, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a file of the client, compressed if the browser accepts that."""
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(
        file.gzip_content if is_packed else file.content, content_type=file.content_type, headers=headers
    )
    if is_packed:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


_MEANT: Final = re.compile(
    r"(?P<slug>[-a-zA-Z0-9_]+)(?:/(?P<language>[-a-zA-Z0-9_]+))?(?:/*$|/*[^-a-zA-Z0-9_/])", re.ASCII
)
"""A survey and its language in an address, up to the first character that neither contains."""

urlpatterns = [
    path("s/<slug:slug>/", page, name="page"),
    # For languages that the survey has but Sottovoce's own texts do not.
    path("s/<slug:slug>/<slug:language>/", page, name="page_in"),
    path("s/<path:text>", pasted, name="pasted"),
]
