"""Tokens of programs, which use them to fetch files.

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
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.models import ApiToken
from surveys.models.audit_event import audit_event_record
from surveys.policy import MOST_DAYS_UNVOUCHED

TOKEN_BYTES: Final = 16
"""128 bits: an attacker who tries 10^9 addresses a second finds one in 10^22 years."""


def token_digest(token: str) -> str:
    """Return the digest that is stored for a token; as a token has 128 random bits, it reveals nothing.

    Examples
    --------
    >>> token_digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


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
