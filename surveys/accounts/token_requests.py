"""Files for staff and for programs with a token: authenticate the program, limit its rate, answer in JSON."""

from __future__ import annotations

import sys
from functools import lru_cache, wraps
from http import HTTPStatus
from time import monotonic
from typing import Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.accounts.permissions import (
    Arguments,
    SecondFactorMissing,
    View,
    get_staff,
    require_as_administrator,
    staff_page,
)
from surveys.accounts.tokens import use_token
from surveys.errors.error import SurveyError, sentences
from surveys.intake.limits import Limit, Limiter
from surveys.models import ApiToken

PROBLEM: Final = "application/problem+json"
_SCHEME: Final = "bearer "
_LOOKS_LIKE_A_TOKEN: Final = frozenset({"token", "access_token", "api_key", "apikey", "bearer"})


@lru_cache(maxsize=1)
def process_limiter() -> Limiter:
    """Return the rate limiter for tokens, which the threads of this web process share."""
    limit = Limit(per_second=settings.API_PER_SECOND, burst=settings.API_BURST, cap=sys.maxsize)
    return Limiter(limit=limit, count_receipts=lambda _token, _most: 0)


def staff_file(view: View[Arguments]) -> View[Arguments]:
    """Send a file to logged-in staff, and to programs with a token.

    If the view refuses, browsers get a page with the reason, and programs a problem document.
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
            context = {"problem": sentences(error)}
            return render(request, "accounts/refused_file.html", context, status=problem(error).status_code)

    @wraps(view)
    def send(request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
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

    send.accepts_token = True  # type: ignore[attr-defined]  # for the list of files in tests
    return send


def problem(error: PrivacyError) -> HttpResponseBase:
    """Return an error as a problem document that also has its code, value and remedy."""
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


def _authenticate(request: HttpRequest, text: str) -> None:
    """Make the token's owner the user of the request."""
    token = use_token(text, today=timezone.now().date())
    if token is None:
        raise SurveyError("token.unknown")
    _limit_rate(token)
    request.user = token.user
    require_as_administrator(get_staff(request.user))


def _limit_rate(token: ApiToken) -> None:
    try:
        process_limiter().admit(token.pk, at=monotonic())
    except SurveyError as error:
        raise SurveyError("too_often.api", retry_after=error.retry_after) from None
