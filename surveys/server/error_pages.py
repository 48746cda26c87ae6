"""Pages shown when a view fails: not found, not understood, an outage or a fault."""

import re
import sys
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.translation import get_language, get_language_from_path, override
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.defaults import bad_request, page_not_found, server_error

from surveys.questionnaire.languages import has_catalogue, respondent_language
from surveys.server.outages import is_outage

SECONDS_TO_RETURN: Final = 30


_SURVEY: Final = re.compile(r"/(?P<page>[a-z-]+)/s/[^/]*(?:/(?P<further>[-a-z0-9]+))?", re.ASCII)


def error_language(request: HttpRequest) -> str:
    """Return the language of an error page: the survey's if its address names one, else the browser's.

    Respondents read more languages than staff pages have. An address that begins with a language of pages
    keeps it.

    Examples
    --------
    >>> from django.test import RequestFactory
    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     error_language(RequestFactory().get("/en/s/work/ar/more/"))
    ...     error_language(RequestFactory().get("/nothing", HTTP_ACCEPT_LANGUAGE="tlh,de-AT;q=0.8"))
    'ar'
    'de'
    """
    named = _SURVEY.match(request.path_info)
    if named is not None and named["further"]:
        return respondent_language(named["further"])
    if get_language_from_path(request.path_info):
        return get_language() or settings.LANGUAGE_CODE
    for tag, _quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if has_catalogue(tag):
            return respondent_language(tag)
    return get_language() or settings.LANGUAGE_CODE


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
