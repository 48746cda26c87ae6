"""Pages shown when a view fails: not found, not understood, an outage or a fault."""

import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.translation import override
from django.views.defaults import bad_request, page_not_found, server_error

from surveys.server.error_language import error_language
from surveys.server.outages import is_outage

SECONDS_TO_RETURN: Final = 30


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404 in the language of the reader."""
    with override(error_language(request)):
        return page_not_found(request, exception)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400 in the language of the reader."""
    with override(error_language(request)):
        return bad_request(request, exception)


def outage_or_fault(request: HttpRequest) -> HttpResponse:
    """Return 503 with a retry time if the database is unreachable, else 500."""
    with override(error_language(request)):
        if not is_outage(sys.exc_info()[1]):
            return server_error(request)
        headers = {"Retry-After": str(SECONDS_TO_RETURN), "Cache-Control": "no-store"}
        return HttpResponse(loader.get_template("503.html").render(), status=503, headers=headers)
