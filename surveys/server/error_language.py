"""The language of an error page."""

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, get_language_from_path
from django.utils.translation.trans_real import parse_accept_lang_header

from surveys.questionnaire.languages import has_catalogue, respondent_language

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
