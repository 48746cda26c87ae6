"""What every response passes."""

from collections.abc import Callable

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponseBase

# URL namespaces and names whose pages may send forms to this server. Respondent pages are not among them:
# their answers leave only as a sealed body.
STAFF_NAMESPACES = frozenset({"admin", "report"})
STAFF_NAMES = frozenset({"login", "logout"})


class StaffFormsMiddleware:
    """Relax `form-action` from 'none' to 'self' on staff pages, and nothing else anywhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if match and (STAFF_NAMESPACES.intersection(match.namespaces) or match.view_name in STAFF_NAMES):
            return csp_replace({"form-action": [SELF]})(lambda _request: response)(request)
        return response
