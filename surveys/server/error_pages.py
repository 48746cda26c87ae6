"""Pages shown when a view fails: not found, not understood, not permitted, an outage or a fault."""

import sys
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template import loader
from django.utils.translation import override
from django.views.defaults import bad_request, page_not_found, permission_denied, server_error

from surveys.accounts.permissions import SecondFactorMissing
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


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Explain what to do if the second factor is missing; handle other refusals as usual."""
    if isinstance(exception, SecondFactorMissing):
        return render(request, "accounts/second_factor_missing.html", status=403)
    return permission_denied(request, exception)
