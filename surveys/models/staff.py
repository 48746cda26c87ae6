"""Accounts and log-ins: sessions, second factors, linked accounts, preferences, lock-outs and API tokens."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Final

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.errors.error import SurveyError
from surveys.models.encryption import SECRETS

APP_SECRET_BYTES: Final = 20
"""Length of the digest behind the codes (RFC 4226, section 4)."""


class StaffSession(models.Model):
    """Session of a staff member: its user, start, last use and browser.

    It extends Django's row of the session. A session without this row has no user.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_sessions")
    begun_at = models.DateTimeField()
    # Updated at most once a minute rather than at every request.
    used_at = models.DateTimeField()
    # Browser and system, such as "Firefox, Linux", or empty; never the text that the browser sent.
    browser = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ("-used_at", "-pk")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser}"


class ProviderAccount(models.Model):
    """A provider's subject that may log in to an account, and the person who allowed it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="provider_account")
    issuer = models.CharField(max_length=200)
    # At most 255 ASCII characters, and never reassigned (OpenID Connect Core 1.0, section 2).
    subject = models.CharField(max_length=255)
    bound_on = models.DateField()
    # The user name of the account itself or of an administrator.
    allowed_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_a_subject")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.issuer}"


class StaffPreference(models.Model):
    """Display settings of an account: plain or expert pages.

    An account without a row is plain, and has not seen "How it works" yet. The setting affects only links and
    figures: plain and expert accounts can open the same addresses.
    """

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="staff_preference"
    )
    is_expert = models.BooleanField(default=False)
    has_seen_way = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user_id}: {'expert' if self.is_expert else 'plain'}"


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


class LogInFailures(models.Model):
    """Number of failed log-ins for one name, one address, or both together.

    Names and addresses are stored as keyed digests, until the next attempt after `until`.
    """

    key = models.CharField(max_length=64, primary_key=True)
    # The digest of the name, so that an administrator can lift an account's lock-out; empty if only an
    # address is counted.
    name = models.CharField(max_length=64, blank=True, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)
    # After this many failures, log-ins are refused until `until`.
    most = models.PositiveSmallIntegerField()
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "log-in failures"

    def __str__(self) -> str:
        return f"{self.failures} of {self.most} until {self.until:%H:%M}"


class ApiToken(models.Model):
    """Token for a program to read the data that its owner may read, until its last day.

    Notes
    -----
    A token has 128 random bits. Only its digest is stored, so reading the database reveals no token. The row
    is deleted when the token is ended; the audit log still records the token.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    # The owner's name for the token, which says where it is used.
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_on = models.DateField()
    # The last day on which it works, in UTC.
    until = models.DateField()
    # A date without a time: it shows whether a token is in use, but not when someone works.
    used_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ("-made_on", "-pk")

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id} until {self.until}"

    def works(self, *, today: date) -> bool:
        """Whether the token is valid on this day."""
        return today <= self.until
