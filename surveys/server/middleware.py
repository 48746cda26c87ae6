"""Middleware for every request: forms of staff pages, line breaks, documents that cannot be read."""

import re
from collections.abc import Callable
from typing import Any, Final

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template import loader

from surveys.errors.error import SurveyError, sentences
from surveys.extension import extensions
from surveys.models.stored_json import UNREADABLE

# URL namespaces and names of pages that may send forms to this server. Respondents' pages are not included,
# because their answers leave only as a sealed body. Enabled applications add their own.
STAFF_NAMESPACES = frozenset(
    {"admin", "accounts", "audit", "report", "authoring", "invite", "export", "embed"}
)
STAFF_NAMES = frozenset({"login", "logout", "second_step"})
# Staff pages that show what respondents see, under the policy of respondents' pages.
QUIET_NAMES = frozenset({"authoring:preview"})

_FORM_TYPES: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_LINE_BREAK: Final = re.compile(r"\r\n?")


class LineBreaks:
    """Write each line break of a form as one character, as the page that the form comes from does.

    Browsers send two (CRLF) but count one for ``maxlength``. Counting what they send would refuse texts that
    fit on the page. Browsers count other characters at least once each, so no such text is refused.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, _fields: Any) -> None:
        """Change the form's texts before the view reads them; files do not change."""
        if request.method != "POST" or request.content_type not in _FORM_TYPES:
            return
        # Views without a token read the body themselves.
        if getattr(view, "csrf_exempt", False):
            return
        if any("\r" in str(text) for _name, texts in request.POST.lists() for text in texts):
            changed = request.POST.copy()
            for name, texts in request.POST.lists():
                changed.setlist(name, [_LINE_BREAK.sub("\n", str(text)) for text in texts])
            changed._mutable = False
            request.POST = changed  # type: ignore[assignment]  # the stubs know no setter


class StaffFormsMiddleware:
    """Let staff pages send forms to this server; other responses do not change.

    `form-action` changes from 'none' to 'self', and the referrer policy from "no-referrer" to "same-origin".
    Under "no-referrer", browsers send `Origin: null` with a form, which Django's CSRF check refuses.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.namespaces = STAFF_NAMESPACES.union(*(app.pages for app in extensions()))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.view_name in QUIET_NAMES:
            return response
        if self.namespaces.intersection(match.namespaces) or match.view_name in STAFF_NAMES:
            response.headers["Referrer-Policy"] = "same-origin"
            return csp_replace({"form-action": [SELF]})(lambda _request: response)(request)
        return response


class UnreadableDocuments:
    """Say on a staff page that a stored document has an unknown format, instead of failing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return a page with the refusal, if a view used such a document."""
        if not isinstance(error, SurveyError) or error.code != UNREADABLE:
            return None
        page = loader.get_template("unreadable.html").render({"error": sentences(error)}, request)
        return HttpResponse(page, status=error.status, headers={"Cache-Control": "no-store"})
