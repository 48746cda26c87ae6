"""Authentication of programs: a token in place of a log-in, and refusals as problem documents.

A request shows a token in its header ``Authorization``; cookies are not looked at, so a stranger's page
cannot have a browser ask. From there on its owner stands before the doors of `surveys.access.permissions`, as
on the pages. Answers are kept by no cache, and no request leaves a trace but the day of its token, and
a question put to a deposit.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt

from privacy.errors import PrivacyError
from surveys.access.api_tokens import token_opened
from surveys.access.permissions import get_staff
from surveys.access.second_factor import SecondFactorMissing, require_as_administrator
from surveys.errors.error import SurveyError
from surveys.intake.limits import Limit, Limiter
from surveys.models import ApiToken

P = ParamSpec("P")
Document = dict[str, Any] | HttpResponseBase
"""What a view answers: members for JSON, or a file."""
Answerer = Callable[Concatenate[HttpRequest, P], Document]

PROBLEM: Final = "application/problem+json"
DOCUMENT: Final = "/api/v1/openapi.json"
LANGUAGE: Final = "language"
_SCHEME: Final = "bearer "
_LOOKS_LIKE_A_TOKEN: Final = frozenset({"token", "access_token", "api_key", "apikey", "bearer"})


@lru_cache(maxsize=1)
def process_limiter() -> Limiter:
    """Return the limiter of requests, by token, that the threads of this web process share."""
    limit = Limit(per_second=settings.API_PER_SECOND, burst=settings.API_BURST, cap=sys.maxsize)
    return Limiter(limit=limit, count_receipts=lambda _token, _most: 0)


def answers(view: Answerer[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Answer a GET that brings a token with the document that a view makes, or with a problem."""

    @csrf_exempt
    @wraps(view)
    def answered(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        with translation.override("en"):
            try:
                _only_reads(request)
                _come_in(request)
                with translation.override(language_asked(request)):
                    document = view(request, *args, **kwargs)
            except SecondFactorMissing:
                return problem(SurveyError("second_factor.api"))
            except PermissionDenied:
                return problem(SurveyError("role"))
            except Http404:
                return problem(_nothing_here())
            except PrivacyError as error:
                return problem(error)
        if isinstance(document, HttpResponseBase):
            return _unkept(document)
        return _unkept(JsonResponse(document, json_dumps_params={"ensure_ascii": False, "allow_nan": False}))

    return answered


def everybody_may_read(document: Callable[[], dict[str, Any]]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer a GET with a public document."""

    @csrf_exempt
    @wraps(document)
    def answered(request: HttpRequest) -> HttpResponseBase:
        try:
            _only_reads(request)
        except SurveyError as error:
            return problem(error)
        return JsonResponse(document())

    return answered


@csrf_exempt
def nothing(request: HttpRequest) -> HttpResponseBase:
    """Return "not found", alike for a missing object and one the owner may not see."""
    return problem(_nothing_here())


def problem(error: PrivacyError) -> HttpResponseBase:
    """Return a refusal as a problem document (RFC 9457), with code, value and remedy beside its members."""
    status = error.status if isinstance(error, SurveyError) else 422
    document = {
        "type": f"urn:sotto:problem:{error.code}",
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
        response.headers["WWW-Authenticate"] = 'Bearer realm="Sotto"'
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["Allow"] = "GET, HEAD"
    if isinstance(error, SurveyError) and error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return _unkept(response)


def parameters(request: HttpRequest, known: Mapping[str, object] | frozenset[str]) -> dict[str, str]:
    """Return what stands behind the question mark, each once; the language is no parameter of a view.

    Raises
    ------
    SurveyError
        ``parameter``: one is unknown, or stands there twice.
    """
    given = {}
    for name, values in request.GET.lists():
        if name == LANGUAGE:
            continue
        if name not in known:
            raise SurveyError(
                "parameter.unknown", name[:80], name=name[:80], known=", ".join(sorted({*known, LANGUAGE}))
            )
        if len(values) > 1:
            raise SurveyError("parameter.twice", name, name=name)
        given[name] = values[0]
    return given


def language_asked(request: HttpRequest) -> str:
    """Return the language of titles and texts: that of the parameter, or English.

    Raises
    ------
    SurveyError
        ``parameter``
    """
    language = request.GET.get(LANGUAGE, "en")
    known = [tag for tag, _name in settings.LANGUAGES]
    if language not in known:
        remedy = f"Choose one of {', '.join(known)}."
        raise SurveyError("parameter.value", language[:80], name=LANGUAGE, said=remedy)
    return language


def _nothing_here() -> SurveyError:
    return SurveyError("nothing.here", document=DOCUMENT)


def _only_reads(request: HttpRequest) -> None:
    if request.method not in ("GET", "HEAD"):
        raise SurveyError("method.api", request.method)


def _come_in(request: HttpRequest) -> None:
    """Let the owner of the token be who asks."""
    if any(name.lower() in _LOOKS_LIKE_A_TOKEN for name in request.GET):
        raise SurveyError("token.address")
    header = request.headers.get("Authorization", "")
    if not header[: len(_SCHEME)].lower() == _SCHEME:
        raise SurveyError("token.none")
    token = token_opened(header[len(_SCHEME) :].strip(), today=timezone.now().date())
    if token is None:
        raise SurveyError("token.unknown")
    _not_too_often(token)
    request.user = token.user
    require_as_administrator(get_staff(request.user))


def _not_too_often(token: ApiToken) -> None:
    try:
        process_limiter().admit(token.pk, at=time.monotonic())
    except SurveyError as error:
        raise SurveyError("too_often.api", retry_after=error.retry_after) from None


def _unkept(response: HttpResponseBase) -> HttpResponseBase:
    response.headers["Cache-Control"] = "no-store"
    return response
