"""Sessions of the staff: who uses them, and how they end.

A session ends when it has been unused for a while, twelve hours after it began, and when its owner or an
administrator ends it. It also ends when the account is stopped, or its password or second factor changes.
Pages that do not need the visitor's account load no session. Respondents' pages never do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.db import DatabaseError, OperationalError, close_old_connections, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django_otp import DEVICE_ID_SESSION_KEY

from surveys.accounts.browser_words import browser_words
from surveys.accounts.tokens import tokens_end
from surveys.models import AuthenticatorApp, StaffSession
from surveys.models.audit_event import audit_event_record

NOTED_EVERY: Final = timedelta(minutes=1)
"""Least time between two records of a session's use: a page with twenty requests writes only once."""

# Requests that pages make by themselves, perhaps while no one is there.
_AUTOMATIC_REQUESTS: Final = frozenset({"report:progress"})


class StaffSessionMiddleware:
    """Middleware that checks whether a session is still open; comes after `AuthenticationMiddleware`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = request.user
        request.user = SimpleLazyObject(lambda: session_user(request, user))  # type: ignore[assignment]
        return self.get_response(request)


def session_user(request: HttpRequest, user: User | AnonymousUser) -> User | AnonymousUser:
    """Return the user of a request's session and record its use; anonymous if the session is over.

    Parameters
    ----------
    request : HttpRequest
    user : User or AnonymousUser
        The user whom Django finds in the session.
    """
    if isinstance(user, AnonymousUser) or not user.is_authenticated:
        return user
    now = timezone.now()
    sessions = sessions_open(user, now=now).filter(session=request.session.session_key)
    # Loaded with the preference, which every page needs.
    session = sessions.select_related("user__staff_preference").first()
    # A session without a code is not logged in, however it began.
    apps = AuthenticatorApp.objects.filter(user=user, confirmed=True)
    if session is None or (DEVICE_ID_SESSION_KEY not in request.session and apps.exists()):
        request.session.flush()
        return AnonymousUser()
    match = request.resolver_match
    if now - session.used_at >= NOTED_EVERY and not (match and match.view_name in _AUTOMATIC_REQUESTS):
        # Pages must be readable even if the disk is full.
        with suppress(OperationalError):
            StaffSession.objects.filter(pk=session.pk).update(used_at=now)
    return session.user


def session_begin(request: HttpRequest, user: User, **_signal: object) -> None:
    """Record the user of a session after any kind of log-in."""
    if request.session.session_key is None:
        request.session.create()
    now = timezone.now()
    StaffSession.objects.update_or_create(
        session_id=request.session.session_key,
        defaults={
            "user": user,
            "begun_at": now,
            "used_at": now,
            "browser": browser_words(str(request.META.get("HTTP_USER_AGENT", ""))),
        },
    )


def session_keep_alone(request: HttpRequest, user: User) -> None:
    """End all other sessions of a user, and change the key of this request's session.

    This also ends the user's API tokens.
    """
    starts = StaffSession.objects.filter(session=request.session.session_key).values_list(
        "begun_at", flat=True
    )
    begun_at = starts.first()
    sessions_end(user)
    # Keeps the session valid after a change of password, and changes its key.
    update_session_auth_hash(request, user)
    session_begin(request, user)
    if begun_at is not None:
        StaffSession.objects.filter(session=request.session.session_key).update(begun_at=begun_at)


def account_of(meta: Mapping[str, Any]) -> str:
    """Return the account that a request's session belongs to; empty if there is none.

    This only orders waiting requests; whether the session is still valid is checked later.
    """
    key = parse_cookie(meta.get("HTTP_COOKIE", "")).get(settings.SESSION_COOKIE_NAME, "")
    close_old_connections()
    try:
        user = StaffSession.objects.filter(session=key).values_list("user", flat=True).first()
    except DatabaseError:
        # The page will report the error.
        return ""
    return "" if user is None else str(user)


def sessions_open(user: User, *, now: datetime) -> QuerySet[StaffSession]:
    """Return the open sessions of a user, most recently used first."""
    return StaffSession.objects.filter(user=user, session__expire_date__gt=now).exclude(_over(now, ""))


def sessions_end(user: User) -> int:
    """End all sessions and tokens of a user; return the number of sessions."""
    tokens_end(user)
    sessions = Session.objects.filter(staff__user=user)
    count = sessions.count()
    sessions.delete()
    return count


@transaction.atomic
def session_end(session: StaffSession, *, by: str) -> None:
    """End one session."""
    Session.objects.filter(pk=session.session_id).delete()
    audit_event_record(
        actor=by,
        action="session_end",
        target=session.user.get_username(),
        detail={"browser": session.browser, "begun": session.begun_at.isoformat(timespec="minutes")},
    )


@transaction.atomic
def sessions_end_elsewhere(request: HttpRequest, user: User) -> None:
    """End all sessions of a user except this one."""
    elsewhere = StaffSession.objects.filter(user=user).exclude(session=request.session.session_key)
    count = elsewhere.count()
    Session.objects.filter(pk__in=list(elsewhere.values_list("session", flat=True))).delete()
    if count:
        name = user.get_username()
        audit_event_record(actor=name, action="sessions_end", target=name, detail={"sessions": count})


def sessions_step() -> None:
    """Sweeper step: delete sessions that are over.

    Does not write if there are none, because the sweeper calls this every two seconds.
    """
    now = timezone.now()
    over = Session.objects.filter(Q(expire_date__lt=now) | _over(now, "staff__"))
    if over.exists():
        Session.objects.filter(pk__in=list(over.values_list("pk", flat=True))).delete()


def _over(now: datetime, path: str) -> Q:
    """Return the condition for sessions that have been unused too long, or began too long ago."""
    limits: dict[str, Any] = {
        f"{path}used_at__lte": now - timedelta(minutes=settings.SESSION_IDLE_MINUTES),
        f"{path}begun_at__lte": now - timedelta(seconds=settings.SESSION_COOKIE_AGE),
    }
    return Q(**limits, _connector=Q.OR)
