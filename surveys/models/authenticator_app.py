"""Authenticator apps of accounts, whose secrets are encrypted."""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.errors.error import SurveyError
from surveys.models.encryption import SECRETS

APP_SECRET_BYTES: Final = 20
"""Length of the digest behind the codes (RFC 4226, section 4)."""


class AuthenticatorApp(TOTPDevice):
    """Authenticator app of an account, with an encrypted secret.

    Notes
    -----
    Someone who reads the database but does not have the installation's secret key cannot create codes.
    """

    class Meta:
        proxy = True

    @classmethod
    def begin(cls, user: User, secret: bytes | None = None) -> AuthenticatorApp:
        """Create an app with this secret or a random one. Its first code activates it."""
        ciphertext = app_secret_seal(secret or secrets.token_bytes(APP_SECRET_BYTES), user.pk)
        app: AuthenticatorApp = cls.objects.create(user=user, name="app", key=ciphertext, confirmed=False)
        return app

    @property
    def opens(self) -> bool:
        """Whether the secret key is still the one that encrypted the app's secret."""
        return self._secret() is not None

    @property
    def bin_key(self) -> bytes:
        """The app's secret, in the form the library expects.

        Raises
        ------
        SurveyError
            ``app_sealed``: the secret cannot be decrypted.
        """
        secret = self._secret()
        if secret is None:
            raise SurveyError("app_sealed", self.user.get_username())
        return secret

    def _secret(self) -> bytes | None:
        return SECRETS.open_text(self.key, about=_app_label(self.user_id))


def app_secret_seal(secret: bytes, user_id: int) -> str:
    """Encrypt the secret of an authenticator app."""
    return SECRETS.seal_text(secret, about=_app_label(user_id))


def _app_label(user_id: int) -> str:
    return f"app {user_id}"
