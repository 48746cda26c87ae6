"""Origins of other hosts whose pages may read answers of this server."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.cache import patch_vary_headers

View = Callable[..., HttpResponse]

SECONDS_REMEMBERED: Final = 7_200
"""The longest time that Chromium caches the response to a preflight."""


def is_client_origin(request: HttpRequest) -> bool:
    """Return whether a request comes from a page on an origin that may serve the client."""
    return request.headers.get("Origin") in settings.SOTTOVOCE_CLIENT_ORIGINS


def readable_by_client(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let pages on a listed origin read a response; return responses for other origins without permission."""
    if settings.SOTTOVOCE_CLIENT_ORIGINS:
        # Caches must store one response per origin, even for origins without permission.
        patch_vary_headers(response, ["Origin"])
    if is_client_origin(request):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = "Retry-After"
    return response


def preflight(request: HttpRequest, method: str) -> HttpResponse | None:
    """Answer a preflight from a page on a listed origin; return None for any other request.

    Parameters
    ----------
    method : str
        The method accepted at this address.
    """
    verb = request.headers.get("Access-Control-Request-Method")
    if request.method != "OPTIONS" or not is_client_origin(request) or verb != method:
        return None
    headers = {
        "Access-Control-Allow-Methods": method,
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": str(SECONDS_REMEMBERED),
        "Cache-Control": "no-store",
    }
    return readable_by_client(request, HttpResponse(status=204, headers=headers))


def open_to_clients(view: View) -> View:
    """Let pages on listed origins read a view's responses to GET."""

    @wraps(view)
    def serve(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponse:
        answer = preflight(request, "GET")
        if answer is not None:
            return answer
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return readable_by_client(request, view(request, *arguments, **keywords))

    return serve
