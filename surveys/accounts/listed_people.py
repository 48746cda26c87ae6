"""Staff accounts as the *People* pages list them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count

from surveys.accounts.lock_out import names_locked_out
from surveys.accounts.log_in_digests import name_digest
from surveys.accounts.roles import Role, stored_roles
from surveys.accounts.second_factor import second_factor_of
from surveys.models import AuthenticatorApp, ProviderAccount, Survey


@dataclass(frozen=True, kw_only=True)
class Person:
    """One account.

    Parameters
    ----------
    user : User
    roles : tuple of Role
        In the order of `Role`.
    state : {"active", "invited", "stopped"}
        Invited means that a link was made and no password is set yet.
    surveys : int
        Number of surveys that they own.
    kept_out_until : datetime or None
        When the lock-out after failed log-ins ends.
    second_factor : bool
        Whether they need a code to log in.
    provider_account : ProviderAccount or None
        The provider's subject whose log-ins the account accepts.
    """

    user: User
    roles: tuple[Role, ...]
    state: str
    surveys: int
    kept_out_until: datetime | None
    second_factor: bool
    provider_account: ProviderAccount | None


def people(*, now: datetime) -> list[Person]:
    """Return the accounts of the staff, stopped ones last."""
    rows = User.objects.filter(is_staff=True).select_related("provider_account").prefetch_related("groups")
    own_counts = dict(
        Survey.objects.exclude(owner=None).order_by().values_list("owner").annotate(count=Count("pk"))
    )
    kept_out = names_locked_out(now=now)
    with_code = set(AuthenticatorApp.objects.filter(confirmed=True).values_list("user", flat=True))
    return [
        _person(row, surveys=own_counts.get(row.pk, 0), kept_out=kept_out, second_factor=row.pk in with_code)
        for row in rows.order_by("-is_active", "username")
    ]


def person(user: User, *, now: datetime) -> Person:
    """Return one account."""
    surveys = Survey.objects.filter(owner=user).count()
    return _person(
        user,
        surveys=surveys,
        kept_out=names_locked_out(now=now),
        second_factor=second_factor_of(user) is not None,
    )


def _person(user: User, *, surveys: int, kept_out: dict[str, datetime], second_factor: bool) -> Person:
    bound = getattr(user, "provider_account", None)
    roles = stored_roles(user)
    return Person(
        user=user,
        roles=tuple(role for role in Role if role in roles),
        state=_state(user, is_bound=bound is not None),
        surveys=surveys,
        kept_out_until=kept_out.get(name_digest(user.get_username())),
        second_factor=second_factor,
        provider_account=bound,
    )


def _state(user: User, *, is_bound: bool) -> str:
    if not user.is_active:
        return "stopped"
    came_in = is_bound or user.last_login is not None or user.has_usable_password()
    return "active" if came_in else "invited"
