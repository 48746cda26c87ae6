"""Pages of the site for requests that are refused before a view sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.template import loader
from django.utils.translation import get_language_from_path, override

PAGES: Final = {408: "busy.html", 413: "413.html", 503: "busy.html"}
"""The page for a status."""

POLICY: Final = b"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""The content security policy of these pages, which contain no scripts and no forms."""


def refusal_page(status: int, environ: Mapping[str, Any], most: object = "") -> str:
    """Return the page of a refused request, with a link to the page that sent it; empty for programs.

    Parameters
    ----------
    status : int
    environ : mapping
        The request, as in WSGI.
    most : int, optional
        Largest number of bytes, if the request has more.
    """
    if status not in PAGES or "text/html" not in environ.get("HTTP_ACCEPT", ""):
        return ""
    sender = urlsplit(environ.get("HTTP_REFERER", ""))
    is_own = sender.netloc == environ.get("HTTP_HOST") and sender.path
    context = {
        "address": sender.path if is_own else environ["PATH_INFO"],
        "most": f"{most:,}" if isinstance(most, int) else "",
    }
    with override(get_language_from_path(environ["PATH_INFO"]) or settings.LANGUAGE_CODE):
        return loader.get_template(PAGES[status]).render(context)
