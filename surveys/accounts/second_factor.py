"""Second factor: after the password, a code from an app (TOTP), or a recovery code if the app is lost.

References
----------
RFC 6238 2011.
"""

from __future__ import annotations

import base64
import re
import secrets
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from surveys.accounts.sessions import sessions_end
from surveys.errors.error import SurveyError
from surveys.errors.field_sentences import checked_text
from surveys.models import AuthenticatorApp
from surveys.models.audit_event import account_event_record

RECOVERY_CODES: Final = 10
LONGEST_REASON: Final = 300

_RECOVERY_SALT: Final = "surveys.accounts.second_factor"
"""Must not change when this module is renamed, because digests of recovery codes are stored."""
# Without letters that look alike, in groups that can be read aloud: 59 bits.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 3
_GROUP: Final = 4


@transaction.atomic
def second_factor_begin(user: User) -> AuthenticatorApp:
    """Create a new secret for an app. It has no effect until one of its codes is entered."""
    AuthenticatorApp.objects.filter(user=user, confirmed=False).delete()
    return AuthenticatorApp.begin(user)


def second_factor_of(user: User) -> AuthenticatorApp | None:
    """Return an account's confirmed authenticator app; None if it has none."""
    device: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=True).first()
    return device


def unconfirmed_second_factor(user: User) -> AuthenticatorApp | None:
    """Return the secret that still waits for its first code."""
    app: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=False).first()
    return app if app is not None and app.opens else None


def second_factor_confirm(user: User, code: str) -> list[str] | None:
    """Activate the pending secret; return the recovery codes, or None if the code is wrong.

    It replaces the previous secret. The code cannot be used again.
    """
    with transaction.atomic():
        waiting = AuthenticatorApp.objects.select_for_update().filter(user=user, confirmed=False).first()
        if waiting is None or not waiting.opens or not waiting.verify_token(_digits(code)):
            return None
        AuthenticatorApp.objects.filter(user=user, confirmed=True).delete()
        waiting.confirmed = True
        waiting.save(update_fields=["confirmed"])
        account_event_record("second_factor_on", user, user.get_username())
        return _recovery_codes(user)


@transaction.atomic
def recovery_codes_make(user: User) -> list[str]:
    """Create new recovery codes; earlier ones stop working."""
    account_event_record("recovery_codes_make", user, user.get_username())
    return _recovery_codes(user)


@transaction.atomic
def code_spend(user: User, code: str) -> AuthenticatorApp | StaticDevice | None:
    """Use up a code of an account's app, or one of its recovery codes; return the device it came from.

    Each code works once. An app's code also invalidates all its earlier ones, and is valid from half a minute
    before its time to half a minute after it. A recovery code is deleted.
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
    account_event_record("recovery_code_use", user, user.get_username(), left=left)
    return recovery


def recovery_codes_left(user: User) -> int:
    """Return the number of unused recovery codes."""
    return StaticToken.objects.filter(device__user=user).count()


@transaction.atomic
def second_factor_off(user: User, *, by: str, reason: str = "") -> None:
    """Remove an account's second factor; if someone else does so, also end its sessions.

    Raises
    ------
    SurveyError
        ``reason.second_factor``: another user's account needs a reason; ``field``: it is too long or contains
        a null character; ``off``: there is no second factor.
    """
    is_own = by == user.get_username()
    stated_reason = checked_text(reason, most=LONGEST_REASON)
    if not is_own and not stated_reason:
        raise SurveyError("reason.second_factor")
    if second_factor_of(user) is None:
        raise SurveyError("off", name=user.get_username())
    AuthenticatorApp.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    if is_own:
        account_event_record("second_factor_off", user, by)
    else:
        # Someone who has the lost device may still be logged in on it.
        sessions_end(user)
        account_event_record("second_factor_off", user, by, reason=stated_reason)


def secret_text(device: AuthenticatorApp) -> str:
    """Return an app's secret in groups of four, for typing.

    >>> from surveys.models.authenticator_app import app_secret_seal
    >>> secret_text(AuthenticatorApp(user_id=1, key=app_secret_seal(b"12345678901234567890", 1)))
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = base64.b32encode(device.bin_key).decode()
    return " ".join(re.findall("....", text))


def recovery_digest(user: User, code: str) -> str:
    """Return the stored digest of a recovery code: 96 bits of a keyed digest, which fill the column."""
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
    """Return an app's code without blanks; "" if the text is not such a code."""
    bare = re.sub(r"\s", "", code)
    return bare if re.fullmatch(r"[0-9]{6}", bare) else ""
