"""Staff accounts: invite, change, stop and resume them, and lift lock-outs.

Each service is one transaction with its audit event. No service removes the last administrator who can log
in. Accounts are never deleted, because the audit log names them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from surveys.accounts.lock_out import failures_forget
from surveys.accounts.roles import WORKING, Role, roles_keep, roles_of, stored_roles
from surveys.accounts.sessions import sessions_end
from surveys.errors.error import SurveyError
from surveys.models.audit_event import LOG_IN_PAGE, account_event_record, audit_event_record


@transaction.atomic
def account_invite(*, name: str, full_name: str, email: str, roles: Collection[Role], by: str) -> User:
    """Create an account without a password; its owner sets one with a link.

    Raises
    ------
    SurveyError
        ``taken``: an account has this name, ignoring case; ``roles``: no role was given.
    """
    _require_roles(roles)
    if User.objects.filter(username__iexact=name).exists():
        raise _taken_error(name)
    try:
        with transaction.atomic():
            user = User.objects.create_user(name, email=email, is_staff=True, first_name=full_name)
    except IntegrityError as error:
        # A parallel request was faster.
        raise _taken_error(name) from error
    roles_keep(user, roles)
    account_event_record("account_invite", user, by, roles=_role_names(roles))
    return user


@transaction.atomic
def account_change(user: User, *, full_name: str, email: str, roles: Collection[Role], by: str) -> User:
    """Change the roles and the contact details of an account.

    Raises
    ------
    SurveyError
        ``roles``: no role was given; ``last_administrator``.
    """
    _require_roles(roles)
    user = _lock_account(user)
    before = stored_roles(user)
    if Role.ADMINISTRATOR in roles_of(user) and Role.ADMINISTRATOR not in roles:
        _require_another_administrator(user)
    detail: dict[str, Any] = {}
    if (user.first_name, user.email) != (full_name, email):
        user.first_name, user.email = full_name, email
        user.save(update_fields=["first_name", "email"])
        detail["changed"] = "name or e-mail"
    if frozenset(roles) != before:
        roles_keep(user, roles)
        detail |= {"roles": _role_names(roles), "before": _role_names(before)}
    if detail:
        account_event_record("account_change", user, by, **detail)
    return user


@transaction.atomic
def account_stop(user: User, *, by: str) -> None:
    """Deactivate an account, and end its sessions.

    Raises
    ------
    SurveyError
        ``last_administrator``.
    """
    user = _lock_account(user)
    if not user.is_active:
        return
    if Role.ADMINISTRATOR in roles_of(user):
        _require_another_administrator(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    # Otherwise they would continue when the account is resumed.
    sessions_end(user)
    account_event_record("account_stop", user, by)


@transaction.atomic
def account_resume(user: User, *, by: str) -> None:
    """Reactivate a stopped account."""
    user = _lock_account(user)
    if user.is_active:
        return
    user.is_active = True
    user.save(update_fields=["is_active"])
    account_event_record("account_resume", user, by)


@transaction.atomic
def account_reset(user: User, *, by: str) -> User:
    """Remove an account's password, end its sessions, and invalidate earlier links.

    Raises
    ------
    SurveyError
        ``own``: administrators cannot reset themselves, as no one might be able to help them; ``stopped``.
    """
    user = _lock_account(user)
    if user.get_username() == by:
        raise SurveyError("own")
    if not user.is_active:
        raise SurveyError("stopped")
    user.set_unusable_password()
    user.save(update_fields=["password"])
    sessions_end(user)
    failures_forget(user.get_username())
    account_event_record("account_reset", user, by)
    return user


@transaction.atomic
def account_let_in(user: User, *, by: str) -> None:
    """Delete the failed log-ins that lock an account out."""
    if failures_forget(user.get_username()):
        account_event_record("account_let_in", user, by)


@transaction.atomic
def everybody_let_in(*, by: str) -> None:
    """Delete all failed log-ins of all names and addresses."""
    if failures_forget():
        audit_event_record(actor=by, action="everybody_let_in", target=LOG_IN_PAGE)


@transaction.atomic
def administrator_ensure(name: str, *, by: str, email: str) -> tuple[User, bool]:
    """Make an account an administrator without a password; return it, and whether it is new.

    For the first administrator, and for one whom no one else can let in again. Anyone who can run commands on
    the server may do this. An empty `email` leaves the address unchanged.
    """
    user = User.objects.select_for_update().filter(username=name).first()
    is_new = user is None
    if user is None:
        user = User.objects.create_user(name)
    user.email = email or user.email
    user.is_active = user.is_staff = True
    user.set_unusable_password()
    user.save()
    sessions_end(user)
    roles_keep(user, stored_roles(user) | {Role.ADMINISTRATOR})
    failures_forget(name)
    account_event_record("account_rescue", user, by, new=is_new)
    return user, is_new


def link_path(user: User) -> str:
    """Return the path of the one-time link with which an account's owner sets a password."""
    return reverse(
        "accounts:set_password",
        args=[urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)],
    )


def _role_names(roles: Collection[Role]) -> list[str]:
    return sorted(role.value for role in roles)


def _lock_account(user: User) -> User:
    """Return the account as stored, after locking it and the accounts of all administrators.

    Without the lock, two administrators who remove each other's role at the same time would leave none.
    """
    rows = User.objects.select_for_update(of=("self",)).filter(Q(pk=user.pk) | Q(pk__in=_administrators()))
    return next(row for row in rows.order_by("pk") if row.pk == user.pk)


def _administrators() -> list[int]:
    among = Q(is_superuser=True) | Q(groups__name=Role.ADMINISTRATOR)
    users = User.objects.filter(among, is_active=True, is_staff=True)
    return list(users.values_list("pk", flat=True).distinct())


def _require_another_administrator(user: User) -> None:
    other_administrators = User.objects.filter(pk__in=_administrators()).exclude(pk=user.pk)
    if not any(other.has_usable_password() for other in other_administrators):
        raise SurveyError("last_administrator", name=user.get_username())


def _require_roles(roles: Collection[Role]) -> None:
    if WORKING.isdisjoint(roles):
        raise SurveyError("roles")


def _taken_error(name: str) -> SurveyError:
    return SurveyError("taken.account", name=name)
