"""Files of the staff pages: for a browser after a log-in, for a program with a token.

A program sends its token in the header ``Authorization: Bearer``. Then the token's owner has the permissions
of `surveys.accounts.permissions`, as on the pages. Programs read refusals as problem documents (RFC 9457). No
answer is cached, and a request leaves no trace except the day on which its token was last used.
"""

from __future__ import annotations

import sys
import time
from functools import lru_cache, wraps
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe
from django.views.generic import FormView

from privacy.errors import PrivacyError
from surveys.accounts.permissions import (
    Arguments,
    SecondFactorMissing,
    View,
    get_staff,
    require_as_administrator,
    staff_page,
)
from surveys.accounts.tokens import token_opened
from surveys.errors.error import SurveyError, sentences
from surveys.intake.limits import Limit, Limiter
from surveys.models import ApiToken

PROBLEM: Final = "application/problem+json"
_SCHEME: Final = "bearer "
_LOOKS_LIKE_A_TOKEN: Final = frozenset({"token", "access_token", "api_key", "apikey", "bearer"})


@lru_cache(maxsize=1)
def process_limiter() -> Limiter:
    """Return the limiter of requests by token, which the threads of this web process share."""
    limit = Limit(per_second=settings.API_PER_SECOND, burst=settings.API_BURST, cap=sys.maxsize)
    return Limiter(limit=limit, count_receipts=lambda _token, _most: 0)


def staff_file(view: View[Arguments]) -> View[Arguments]:
    """Send a file to staff who are logged in, and to programs that bring a token.

    A refusal of the view is "not found" for a browser, and a problem document for a program.
    """

    @staff_page
    @require_safe
    @wraps(view)
    def to_browser(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except PrivacyError as error:
            raise Http404(sentences(error)) from error

    @wraps(view)
    def sent(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        if any(name.lower() in _LOOKS_LIKE_A_TOKEN for name in request.GET):
            return problem(SurveyError("token.address"))
        header = request.headers.get("Authorization", "")
        if header[: len(_SCHEME)].lower() != _SCHEME:
            return to_browser(request, *args, **kwargs)
        try:
            if request.method not in ("GET", "HEAD"):
                raise SurveyError("method.api", request.method)
            _authenticate(request, header[len(_SCHEME) :].strip())
            response = view(request, *args, **kwargs)
        except SecondFactorMissing:
            return problem(SurveyError("second_factor.api"))
        except PermissionDenied:
            return problem(SurveyError("role"))
        except Http404:
            return problem(SurveyError("nothing.here"))
        except PrivacyError as error:
            return problem(error)
        response.headers["Cache-Control"] = "no-store"
        return response

    sent.accepts_token = True  # type: ignore[attr-defined]  # for the list of files in tests
    return sent


def problem(error: PrivacyError) -> HttpResponseBase:
    """Return a refusal as a problem document, with code, value and remedy among its members."""
    status = error.status if isinstance(error, SurveyError) else 422
    document = {
        "type": f"urn:sottovoce:problem:{error.code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": error.message,
        "code": error.code,
        "value": error.value if isinstance(error.value, str | int | float | None) else str(error.value),
        "remedy": error.remedy,
    }
    response = JsonResponse(
        document, status=status, content_type=PROBLEM, json_dumps_params={"ensure_ascii": False}
    )
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="Sottovoce"'
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["Allow"] = "GET, HEAD"
    if isinstance(error, SurveyError) and error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    response.headers["Cache-Control"] = "no-store"
    return response


def _authenticate(request: HttpRequest, shown: str) -> None:
    """Make the owner of the token the user of the request."""
    token = token_opened(shown, today=timezone.now().date())
    if token is None:
        raise SurveyError("token.unknown")
    _limit_rate(token)
    request.user = token.user
    require_as_administrator(get_staff(request.user))


def _limit_rate(token: ApiToken) -> None:
    try:
        process_limiter().admit(token.pk, at=time.monotonic())
    except SurveyError as error:
        raise SurveyError("too_often.api", retry_after=error.retry_after) from None


@method_decorator(sensitive_post_parameters(), name="dispatch")
class FormPage(FormView):
    """Shows a form, or passes the submission to a service; subclasses name template, form and service."""

    http_method_names = ["get", "head", "post"]

    def prepare(self) -> HttpResponse | None:
        """Check permissions and load what the page needs; return a response to show instead of the page, if
        any."""
        raise NotImplementedError

    def service(self, form: Any) -> HttpResponse:
        """Process the submission, and redirect."""
        raise NotImplementedError

    def first_problem(self) -> str:
        """Return a problem that exists before anything is submitted."""
        return ""

    @property
    def staff(self) -> User:
        """Return the user who makes the request."""
        return get_staff(self.request.user)

    @property
    def sent(self) -> tuple[Any, ...]:
        """Return the submitted data as arguments for a form; empty if the page is only shown."""
        return (self.request.POST, self.request.FILES) if self.request.method == "POST" else ()

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request, unless `prepare` returns another response."""
        if request.method.lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        return self.prepare() or super().dispatch(request, *args, **kwargs)

    def get(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        """Show the form."""
        return self.page(self.get_form(), problem=self.first_problem())

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Pass the submission to the service."""
        try:
            return self.service(form)
        except PrivacyError as error:
            return self.refused(form, error)

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        """Show the form with its errors."""
        return self.page(form, status=422)

    def refused(self, form: forms.BaseForm | None, error: PrivacyError) -> HttpResponse:
        """Show the form with the error."""
        return self.page(form, problem=sentences(error), status=422)

    def page(
        self, form: forms.BaseForm | None, *, problem: str = "", status: int = 200, **more: Any
    ) -> HttpResponse:
        """Show the page."""
        context = self.get_context_data(form=form, problem=problem, **more)
        return self.render_to_response(context, status=status)
