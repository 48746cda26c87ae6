"""Staff accounts: invite, change, stop and resume them, and lift lock-outs.

Each service is one transaction with its audit event. There is always an administrator who can log in: no
service removes the last one. Accounts are never deleted, since the audit log names them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from surveys.access.roles import WORKING, Role, roles_held, roles_keep, roles_of
from surveys.accounts.lock_out import failures_forget
from surveys.accounts.sessions import sessions_end
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.staff import audit_event_record

# The name that events use for an account not yet named; no account name contains a blank.
LOG_IN_PAGE: Final = "log-in page"


@transaction.atomic
def account_invite(*, name: str, full_name: str, email: str, roles: Collection[Role], by: str) -> User:
    """Create an account without a password; a link lets its owner set one.

    Raises
    ------
    SurveyError
        ``taken``: an account has this name, ignoring case; ``roles``: no role given.
    """
    _require_roles(roles)
    if User.objects.filter(username__iexact=name).exists():
        raise _taken(name)
    try:
        with transaction.atomic():
            user = User.objects.create_user(name, email=email, is_staff=True, first_name=full_name)
    except IntegrityError as error:
        # A parallel request created it first.
        raise _taken(name) from error
    roles_keep(user, roles)
    _record("account_invite", user, by, roles=_named(roles))
    return user


@transaction.atomic
def account_change(user: User, *, full_name: str, email: str, roles: Collection[Role], by: str) -> User:
    """Change the roles and the displayed name of an account.

    Raises
    ------
    SurveyError
        ``roles``: no role given; ``last_administrator``.
    """
    _require_roles(roles)
    user = _locked(user)
    before = roles_held(user)
    if Role.ADMINISTRATOR in roles_of(user) and Role.ADMINISTRATOR not in roles:
        _require_another_administrator(user)
    detail: dict[str, Any] = {}
    if (user.first_name, user.email) != (full_name, email):
        user.first_name, user.email = full_name, email
        user.save(update_fields=["first_name", "email"])
        detail["changed"] = "name or e-mail"
    if frozenset(roles) != before:
        roles_keep(user, roles)
        detail |= {"roles": _named(roles), "before": _named(before)}
    if detail:
        _record("account_change", user, by, **detail)
    return user


@transaction.atomic
def account_stop(user: User, *, by: str) -> None:
    """Deactivate an account, and end its sessions.

    Raises
    ------
    SurveyError
        ``last_administrator``.
    """
    user = _locked(user)
    if not user.is_active:
        return
    if Role.ADMINISTRATOR in roles_of(user):
        _require_another_administrator(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    # They would continue when the account is resumed.
    sessions_end(user)
    _record("account_stop", user, by)


@transaction.atomic
def account_resume(user: User, *, by: str) -> None:
    """Let the owner of a stopped account log in again."""
    user = _locked(user)
    if user.is_active:
        return
    user.is_active = True
    user.save(update_fields=["is_active"])
    _record("account_resume", user, by)


@transaction.atomic
def account_reset(user: User, *, by: str) -> User:
    """Remove an account's password: its sessions end, and earlier links no longer work.

    Raises
    ------
    SurveyError
        ``own``: administrators keep their own password, or no one could let them in again; ``stopped``.
    """
    user = _locked(user)
    if user.get_username() == by:
        raise SurveyError("own")
    if not user.is_active:
        raise SurveyError("stopped")
    user.set_unusable_password()
    user.save(update_fields=["password"])
    sessions_end(user)
    failures_forget(user.get_username())
    _record("account_reset", user, by)
    return user


@transaction.atomic
def account_let_in(user: User, *, by: str) -> None:
    """Delete the failed log-ins that lock an account out."""
    if failures_forget(user.get_username()):
        _record("account_let_in", user, by)


@transaction.atomic
def everybody_let_in(*, by: str) -> None:
    """Delete all failed log-ins, of every name and every address."""
    if failures_forget():
        audit_event_record(actor=by, action="everybody_let_in", target=LOG_IN_PAGE)


@transaction.atomic
def administrator_ensure(name: str, *, by: str, email: str) -> tuple[User, bool]:
    """Make an account an administrator who sets a new password; return it, and whether it is new.

    For the very first administrator, and for one whom no one else can let in again: anyone who can run
    commands on the server may do this. With `email` the address is set; otherwise it stays unchanged.
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
    roles_keep(user, roles_held(user) | {Role.ADMINISTRATOR})
    failures_forget(name)
    _record("account_rescue", user, by, new=is_new)
    return user, is_new


@transaction.atomic
def survey_hand_over(survey: Survey, owner: User | None, *, by: str) -> None:
    """Transfer a survey to another builder of surveys, or to the administrators alone.

    Raises
    ------
    SurveyError
        ``no_builder``: this account builds no surveys.
    """
    survey = Survey.objects.select_for_update(of=("self",)).select_related("owner").get(pk=survey.pk)
    if owner is not None and roles_of(owner).isdisjoint({Role.RESEARCHER, Role.ADMINISTRATOR}):
        raise SurveyError("no_builder", name=owner.get_username())
    before = survey.owner
    if before == owner:
        return
    survey.owner = owner
    survey.save(update_fields=["owner"])
    audit_event_record(
        actor=by,
        action="survey_hand_over",
        target=survey.slug,
        detail={
            "to": owner.get_username() if owner else "",
            "before": before.get_username() if before else "",
        },
    )


def link_path(user: User) -> str:
    """Return the address at which the owner of an account sets a password, once, before the link expires."""
    return reverse(
        "accounts:set_password",
        args=[urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)],
    )


def _record(action: str, user: User, by: str, **detail: Any) -> None:
    audit_event_record(actor=by, action=action, target=user.get_username(), detail=detail)


def _named(roles: Collection[Role]) -> list[str]:
    return sorted(role.value for role in roles)


def _locked(user: User) -> User:
    """Return the account as stored, locking the rows of all administrators with it.

    Otherwise two administrators who remove each other's role at once would leave none.
    """
    locked = User.objects.select_for_update(of=("self",)).filter(Q(pk=user.pk) | Q(pk__in=_administrators()))
    return next(row for row in locked.order_by("pk") if row.pk == user.pk)


def _administrators() -> list[int]:
    among = Q(is_superuser=True) | Q(groups__name=Role.ADMINISTRATOR)
    users = User.objects.filter(among, is_active=True, is_staff=True)
    return list(users.values_list("pk", flat=True).distinct())


def _require_another_administrator(user: User) -> None:
    others = User.objects.filter(pk__in=_administrators()).exclude(pk=user.pk)
    if not any(other.has_usable_password() for other in others):
        raise SurveyError("last_administrator", name=user.get_username())


def _require_roles(roles: Collection[Role]) -> None:
    if WORKING.isdisjoint(roles):
        raise SurveyError("roles")


def _taken(name: str) -> SurveyError:
    return SurveyError("taken.account", name=name)
