"""What every response passes."""

from collections.abc import Callable

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponseBase

# URL namespaces and names whose pages may send forms to this server. Respondent pages are not among them:
# their answers leave only as a sealed body.
STAFF_NAMESPACES = frozenset(
    {"admin", "accounts", "audit", "report", "authoring", "planner", "invite", "export"}
    | {"elsewhere", "deposits"}
)
STAFF_NAMES = frozenset({"login", "logout", "second_step"})
# Staff pages that show what respondents see, under the policy of respondents.
QUIET_NAMES = frozenset({"authoring:preview"})


class StaffFormsMiddleware:
    """Let staff pages send forms to this server, and change nothing else anywhere.

    `form-action` goes from 'none' to 'self'. The referrer policy goes from "no-referrer" to "same-origin":
    under the first a browser sends `Origin: null` with a form, and Django's CSRF check refuses it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.view_name in QUIET_NAMES:
            return response
        if STAFF_NAMESPACES.intersection(match.namespaces) or match.view_name in STAFF_NAMES:
            response.headers["Referrer-Policy"] = "same-origin"
            return csp_replace({"form-action": [SELF]})(lambda _request: response)(request)
        return response
