"""Requirements of a second factor: which accounts have one, and which actions need it.

An account with a second factor is logged in only after its code; `surveys.accounts.sessions` enforces that at
every address. So a permission only needs to check whether the account has one.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from surveys.access.roles import Role, roles_of
from surveys.models import AuthenticatorApp


class SecondFactorMissing(PermissionDenied):
    """The settings ask for a second factor here, and the account has none."""


def second_factor_of(user: User) -> AuthenticatorApp | None:
    """Return the authenticator app of an account; None without a confirmed one."""
    device: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=True).first()
    return device


def require_as_administrator(user: User) -> None:
    """Refuse administrators without a second factor, if the settings require one.

    Raises
    ------
    SecondFactorMissing
    """
    if "administrators" in settings.SECOND_FACTOR_FOR and Role.ADMINISTRATOR in roles_of(user):
        _require(user)


def require_to_export(user: User) -> None:
    """Refuse exports without a second factor, if the settings require one.

    Raises
    ------
    SecondFactorMissing
    """
    if "exports" in settings.SECOND_FACTOR_FOR:
        _require(user)


def _require(user: User) -> None:
    if second_factor_of(user) is None:
        raise SecondFactorMissing
