"""Tokens of programs, which use them to fetch files, and tokens in the addresses of shared pages.

An API token gives access to whatever its owner may see at the time of each request: roles, a stopped account
and a required second factor are checked each time. An account's tokens end with its sessions: when its
password or second factor changes, and when it is stopped. If the institution handles log-ins, Sottovoce does
not learn when it blocks a user. So such tokens end a fixed number of days after the last log-in.

A program sends its token in the header ``Authorization: Bearer``, and then has its owner's permissions
(`surveys.accounts.permissions`). Refusals are problem documents (RFC 9457). Responses are not cached, and a
request leaves no trace except the day on which its token was last used.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache, wraps
from http import HTTPStatus
from time import monotonic
from typing import Concatenate, Final, NamedTuple, ParamSpec

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
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
from surveys.errors.error import SurveyError, sentences
from surveys.intake.limits import Limit, Limiter
from surveys.models import ApiToken, Run, SharedPage, Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import EXAMPLE
from surveys.policy import MOST_DAYS_UNVOUCHED

TOKEN_BYTES: Final = 16
"""128 bits: an attacker who tries 10^9 addresses a second finds one in 10^22 years."""

P = ParamSpec("P")


class SharedContext(NamedTuple):
    """A shared page, with the context that its templates need."""

    link: SharedPage
    context: dict[str, object]


Page = Callable[Concatenate[HttpRequest, SharedContext, P], HttpResponse]
SharedView = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def shared_page(*kinds: SharedPage.Kind) -> Callable[[Page[P]], SharedView[P]]:
    """Pass a view the shared page of its token, of one of these kinds; forbid caching and indexing."""

    def guard(view: Page[P]) -> SharedView[P]:
        @require_safe
        @wraps(view)
        def open_page(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            page = SharedPage.of_example() if secret == EXAMPLE else shared_by(secret, now=timezone.now())
            try:
                if page is None or page.kind not in kinds:
                    raise Http404
                shown_page = SharedContext(page, {"shared": secret, "until": page.until})
                response = view(request, shown_page, *args, **kwargs)
            except Http404:
                response = render(request, "report/shared_nothing.html", status=404)
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return open_page

    return guard


@transaction.atomic
def page_share(
    survey: Survey, kind: SharedPage.Kind, *, run: Run | None = None, days: int, by: str, now: datetime
) -> tuple[SharedPage, str]:
    """Create an address that shows a page.

    Parameters
    ----------
    survey : Survey
    kind : SharedPage.Kind
    run : Run, optional
        The run whose results are shown.
    days : int
    by : str
        User name for the audit log.
    now : datetime

    Returns
    -------
    shared : SharedPage
    token : str
        Part of the address; it cannot be read again.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    page = SharedPage.objects.create(
        kind=kind,
        survey=survey,
        run=run,
        digest=token_digest(token),
        made_by=by,
        made_at=now,
        until=now + timedelta(days=days),
    )
    _record_page(page, "share", by=by)
    return page, token


@transaction.atomic
def page_unshare(page: SharedPage, *, by: str, now: datetime) -> None:
    """Revoke an address; does nothing if it is already revoked."""
    if SharedPage.objects.filter(pk=page.pk, ended_at=None).update(ended_at=now):
        _record_page(page, "unshare", by=by)


def shared_by(token: str, *, now: datetime) -> SharedPage | None:
    """Return the page that a token shows at `now`; None if it is unknown, revoked or expired."""
    page = SharedPage.objects.select_related("survey", "run__survey", "run__version", "run__job")
    return page.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()


def token_digest(token: str) -> str:
    """Return the digest that is stored for a token; as a token has 128 random bits, it reveals nothing.

    Examples
    --------
    >>> token_digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _record_page(page: SharedPage, what: str, *, by: str) -> None:
    detail = {"address": page.pk, "until": page.until.date().isoformat()}
    if page.run_id is not None:
        detail["run"] = page.run_id
    audit_event_record(actor=by, action=f"{page.kind}_{what}", target=page.survey.slug, detail=detail)


PREFIX: Final = "sotto_"
"""Prefix by which secret scanners recognise a token."""

MOST_TOKENS: Final = 20
"""Most tokens of one account: enough for a token per program, and few enough to review."""

ACTOR: Final = "schedule"
"""Actor in the audit log if tokens end because the institution has not logged in their owner for long."""

# Accounts that the institution logs in: bound to a provider's subject, or without a password.
_VOUCHED_FOR: Final = Q(provider_account__isnull=False) | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)


@transaction.atomic
def token_make(user: User, *, name: str, days: int, today: date) -> tuple[ApiToken, str]:
    """Create a token.

    Parameters
    ----------
    user : User
    name : str
        The owner's name for the token.
    days : int
        Number of days for which it works, not counting today.
    today : date
        Date in UTC.

    Returns
    -------
    made : ApiToken
    token : str
        The token itself; it cannot be read again.

    Raises
    ------
    SurveyError
        ``full.tokens``
    """
    # Serialise requests; otherwise two parallel ones could exceed the limit.
    User.objects.select_for_update().get(pk=user.pk)
    if tokens_of(user).count() >= MOST_TOKENS:
        raise SurveyError("full.tokens", MOST_TOKENS, most=MOST_TOKENS)
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    new_token = ApiToken.objects.create(
        user=user, name=name, digest=token_digest(token), made_on=today, until=today + timedelta(days=days)
    )
    _record(new_token, "api_token_make", by=user.get_username())
    return new_token, token


@transaction.atomic
def token_end(token: ApiToken, *, by: str) -> None:
    """Delete a token; afterwards only the audit log mentions it."""
    if ApiToken.objects.filter(pk=token.pk).delete()[0]:
        _record(token, "api_token_end", by=by)


def tokens_end(user: User) -> int:
    """End all tokens of an account; return how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]


def tokens_step() -> None:
    """Sweeper step: end the tokens of accounts that their institution has not logged in for long."""
    for token in ApiToken.objects.filter(user__in=_stale_users(timezone.now().date())).select_related("user"):
        token_end(token, by=ACTOR)


def days_unvouched(user: User) -> int | None:
    """Return how many days after a log-in an account's tokens work; None for no such limit."""
    return MOST_DAYS_UNVOUCHED if User.objects.filter(_VOUCHED_FOR, pk=user.pk).exists() else None


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of an account, including expired ones."""
    return ApiToken.objects.filter(user=user)


def use_token(token: str, *, today: date) -> ApiToken | None:
    """Return the token of a request, and record that it was used today.

    Returns None if the token is unknown or expired, if its owner is stopped or not staff, or if the
    institution has not logged its owner in for long.
    """
    api_token = (
        ApiToken.objects.select_related("user")
        .filter(digest=token_digest(token), until__gte=today, user__is_active=True, user__is_staff=True)
        .exclude(user__in=_stale_users(today))
        .first()
    )
    if api_token is not None and api_token.used_on != today:
        # Reading must work even if the disk is full.
        with suppress(OperationalError):
            outdated = ApiToken.objects.filter(Q(used_on=None) | Q(used_on__lt=today), pk=api_token.pk)
            outdated.update(used_on=today)
    return api_token


def _stale_users(today: date) -> QuerySet[User]:
    """Return the accounts that their institution manages but has not logged in for long."""
    first = datetime.combine(today - timedelta(days=MOST_DAYS_UNVOUCHED), time.min, tzinfo=UTC)
    return User.objects.filter(_VOUCHED_FOR, last_login__lt=first)


def _record(token: ApiToken, action: str, *, by: str) -> None:
    detail = {"token": token.name, "until": token.until.isoformat()}
    audit_event_record(actor=by, action=action, target=token.user.get_username(), detail=detail)


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
