"""Middleware for every response: forms of staff pages, documents that cannot be read."""

from collections.abc import Callable

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
