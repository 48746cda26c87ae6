"""API tokens: made and ended by their owner, and used to identify the owner of a request.

A token gives access to what its owner's pages show at the moment of each request: roles, a stopped account
and a required second factor are checked each time. All tokens of an account end with its sessions: when its
password or second factor changes, and when the account is stopped. If the institution handles log-ins,
Sottovoce does not learn that it stopped an account, so tokens end a fixed number of days after the last
log-in.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from surveys.access.shared_addresses import TOKEN_BYTES, token_digest
from surveys.errors.error import SurveyError
from surveys.models import ApiToken
from surveys.models.staff import audit_event_record
from surveys.policy import MOST_DAYS_UNVOUCHED

PREFIX: Final = "sotto_"
"""Prefix of a token, by which secret scanners recognise it."""

MOST_TOKENS: Final = 20
"""Most tokens of one account: enough for one per program, and the list stays readable."""

ACTOR: Final = "schedule"
"""Actor in the audit log when tokens end because the institution has not logged in the account for long."""

# The account is bound to a subject at the provider, or has no password that could log it in.
_VOUCHED_FOR: Final = Q(provider_account__isnull=False) | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)


@transaction.atomic
def token_make(user: User, *, name: str, days: int, today: date) -> tuple[ApiToken, str]:
    """Make a token.

    Parameters
    ----------
    user : User
    name : str
        The owner's name for it.
    days : int
        Number of days after today on which it works.
    today : date
        In UTC.

    Returns
    -------
    made : ApiToken
    token : str
        Cannot be read again.

    Raises
    ------
    SurveyError
        ``full.tokens``
    """
    # One after the other; two parallel requests could exceed the limit together.
    User.objects.select_for_update().get(pk=user.pk)
    if tokens_of(user).count() >= MOST_TOKENS:
        raise SurveyError("full.tokens", MOST_TOKENS, most=MOST_TOKENS)
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    made = ApiToken.objects.create(
        user=user, name=name, digest=token_digest(token), made_on=today, until=today + timedelta(days=days)
    )
    _record(made, "api_token_make", by=user.get_username())
    return made, token


@transaction.atomic
def token_end(token: ApiToken, *, by: str) -> None:
    """Delete a token; only the audit log still records it."""
    if ApiToken.objects.filter(pk=token.pk).delete()[0]:
        _record(token, "api_token_end", by=by)


def tokens_end(user: User) -> int:
    """End all tokens of an account; return how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]


def tokens_step() -> None:
    """End the tokens of accounts not logged in by their institution for long: the sweeper's step."""
    for token in ApiToken.objects.filter(user__in=_unvouched(timezone.now().date())).select_related("user"):
        token_end(token, by=ACTOR)


def days_unvouched(user: User) -> int | None:
    """Return how many days after a log-in an account's tokens still work; None: until their last day."""
    return MOST_DAYS_UNVOUCHED if User.objects.filter(_VOUCHED_FOR, pk=user.pk).exists() else None


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of an account, including expired ones."""
    return ApiToken.objects.filter(user=user)


def token_opened(token: str, *, today: date) -> ApiToken | None:
    """Return the token of a request, and record today as its last use.

    Returns None if it is unknown or expired, if its owner is stopped or not staff, and if the institution has
    not logged its owner in for long.
    """
    opened = (
        ApiToken.objects.select_related("user")
        .filter(digest=token_digest(token), until__gte=today, user__is_active=True, user__is_staff=True)
        .exclude(user__in=_unvouched(today))
        .first()
    )
    if opened is not None and opened.used_on != today:
        # Reading must also work on a full disk.
        with suppress(OperationalError):
            unnoted = ApiToken.objects.filter(Q(used_on=None) | Q(used_on__lt=today), pk=opened.pk)
            unnoted.update(used_on=today)
    return opened


def _unvouched(today: date) -> QuerySet[User]:
    """Return the accounts that their institution logs in and has not logged in for long."""
    first = datetime.combine(today - timedelta(days=MOST_DAYS_UNVOUCHED), time.min, tzinfo=UTC)
    return User.objects.filter(_VOUCHED_FOR, last_login__lt=first)


def _record(token: ApiToken, action: str, *, by: str) -> None:
    detail = {"token": token.name, "until": token.until.isoformat()}
    audit_event_record(actor=by, action=action, target=token.user.get_username(), detail=detail)
