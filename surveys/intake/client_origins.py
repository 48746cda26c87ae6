"""Clients that another owner serves: which origins may ask this server, and how it tells their browsers.

The list is SOTTO_CLIENT_ORIGINS. No cookie is read at these addresses, and no answer lets a page ask with
credentials. To all other origins everything is as if there was no list.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.cache import patch_vary_headers

__all__ = ["is_client_origin", "open_to_clients", "preflight", "readable_by_client"]

SECONDS_REMEMBERED: Final = 7_200
"""As long as Chromium remembers the answer to a preflight at most."""

View = Callable[..., HttpResponse]


def is_client_origin(request: HttpRequest) -> bool:
    """Return whether a request is from a page of an origin that may serve the client."""
    return request.headers.get("Origin") in settings.SOTTO_CLIENT_ORIGINS


def readable_by_client(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the page of a listed origin read a response; leave it alone for all others."""
    if settings.SOTTO_CLIENT_ORIGINS:
        # Caches keep one answer for each origin, also of those that are told nothing.
        patch_vary_headers(response, ["Origin"])
    if is_client_origin(request):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = "Retry-After"
    return response


def preflight(request: HttpRequest, method: str) -> HttpResponse | None:
    """Answer a browser that asks whether a page of a listed origin may send a request; None to all else.

    Parameters
    ----------
    method : str
        The one that is taken at this address.
    """
    wanted = request.headers.get("Access-Control-Request-Method")
    if request.method != "OPTIONS" or not is_client_origin(request) or wanted != method:
        return None
    headers = {
        "Access-Control-Allow-Methods": method,
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": str(SECONDS_REMEMBERED),
        "Cache-Control": "no-store",
    }
    return readable_by_client(request, HttpResponse(status=204, headers=headers))


def open_to_clients(view: View) -> View:
    """Let pages of listed origins read what a view answers to GET."""

    @wraps(view)
    def opened(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        answer = preflight(request, "GET")
        if answer is not None:
            return answer
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return readable_by_client(request, view(request, *arguments, **named))

    return opened
