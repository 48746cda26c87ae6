"""The second factor: codes of an app after the password (TOTP), and recovery codes if the app is lost.

References
----------
RFC 6238 2011.
"""

from __future__ import annotations

import base64
import re
import secrets
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from surveys.access.second_factor import second_factor_of
from surveys.accounts.sessions import sessions_end
from surveys.errors.error import SurveyError
from surveys.models import AuthenticatorApp
from surveys.models.staff import audit_event_record

RECOVERY_CODES: Final = 10
LONGEST_REASON: Final = 300

# No look-alike letters, in groups that can be read aloud: 59 bits.
_RECOVERY_SALT: Final = "surveys.accounts.second_factor"
"""Digests of recovery codes are stored, so it must not change when this module is renamed."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 3
_GROUP: Final = 4


@transaction.atomic
def second_factor_begin(user: User) -> AuthenticatorApp:
    """Make a new secret for an app. It has no effect until one of its codes is typed."""
    AuthenticatorApp.objects.filter(user=user, confirmed=False).delete()
    return AuthenticatorApp.begun(user)


def second_factor_begun(user: User) -> AuthenticatorApp | None:
    """Return the secret that still needs its first code."""
    app: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=False).first()
    return app if app is not None and app.opens else None


def second_factor_confirm(user: User, code: str) -> list[str] | None:
    """Activate the pending secret; return the recovery codes, or None for a wrong code.

    It replaces the previous secret. The code is spent.
    """
    with transaction.atomic():
        waiting = AuthenticatorApp.objects.select_for_update().filter(user=user, confirmed=False).first()
        if waiting is None or not waiting.opens or not waiting.verify_token(_digits(code)):
            return None
        AuthenticatorApp.objects.filter(user=user, confirmed=True).delete()
        waiting.confirmed = True
        waiting.save(update_fields=["confirmed"])
        _record("second_factor_on", user, user.get_username())
        return _recovery_codes(user)


@transaction.atomic
def recovery_codes_make(user: User) -> list[str]:
    """Make new recovery codes; earlier ones no longer work."""
    _record("recovery_codes_make", user, user.get_username())
    return _recovery_codes(user)


@transaction.atomic
def code_spend(user: User, code: str) -> AuthenticatorApp | StaticDevice | None:
    """Spend a code of an account's app or one of its recovery codes; return which of the two it was.

    Each code works once. A code of the app also invalidates every earlier one, and a recovery code is
    deleted. A code of the app is valid from half a minute before its time to half a minute after it.
    """
    device = AuthenticatorApp.objects.select_for_update().filter(user=user, confirmed=True).first()
    if device is None:
        return None
    if _digits(code):
        return device if device.opens and device.verify_token(_digits(code)) else None
    recovery = StaticDevice.objects.select_for_update().filter(user=user).first()
    if recovery is None or not recovery.verify_token(recovery_digest(user, code)):
        return None
    left = StaticToken.objects.filter(device=recovery).count()
    _record("recovery_code_use", user, user.get_username(), left=left)
    return recovery


def recovery_codes_left(user: User) -> int:
    """Return how many recovery codes are unused."""
    return StaticToken.objects.filter(device__user=user).count()


@transaction.atomic
def second_factor_off(user: User, *, by: str, reason: str = "") -> None:
    """Remove the second factor of an account; end its sessions when another account does so.

    Raises
    ------
    SurveyError
        ``reason.second_factor``: a reason is required for another user's account; ``off``: there is none.
    """
    is_own = by == user.get_username()
    if not is_own and not reason.strip():
        raise SurveyError("reason.second_factor")
    if second_factor_of(user) is None:
        raise SurveyError("off", name=user.get_username())
    AuthenticatorApp.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    if is_own:
        _record("second_factor_off", user, by)
    else:
        # Someone who has the lost device may be logged in with it.
        sessions_end(user)
        _record("second_factor_off", user, by, reason=reason.strip()[:LONGEST_REASON])


def secret_text(device: AuthenticatorApp) -> str:
    """Return the secret to type into an app, in groups of four.

    >>> from surveys.models.staff import app_secret_seal
    >>> secret_text(AuthenticatorApp(user_id=1, key=app_secret_seal(b"12345678901234567890", 1)))
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = base64.b32encode(device.bin_key).decode()
    return " ".join(re.findall("....", text))


def recovery_digest(user: User, code: str) -> str:
    """Return the stored digest of a recovery code: 96 bits of a keyed digest, as many as the column holds."""
    letters = re.sub(r"[^a-z0-9]", "", code.lower())
    digest = salted_hmac(_RECOVERY_SALT, f"{user.pk}\0{letters}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:12]).decode()


def _recovery_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = ["-".join(_group() for _ in range(_GROUPS)) for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(
        StaticToken(device=device, token=recovery_digest(user, code)) for code in codes
    )
    return codes


def _group() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_GROUP))


def _digits(code: str) -> str:
    """Return a code of an app without its blanks; "" if it is not one."""
    bare = re.sub(r"\s", "", code)
    return bare if re.fullmatch(r"[0-9]{6}", bare) else ""


def _record(action: str, user: User, by: str, **detail: Any) -> None:
    audit_event_record(actor=by, action=action, target=user.get_username(), detail=detail)
