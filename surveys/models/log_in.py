"""Log-ins of the staff, what each account is shown, and tokens of programs. Respondents have none."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Final

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.errors.error import SurveyError
from surveys.models.sealed import SECRETS

APP_SECRET_BYTES: Final = 20
"""As many as the digest of the codes has (RFC 4226, section 4)."""


class StaffSession(models.Model):
    """Session of a member of the staff: its user, beginning, last use and browser.

    It goes with Django's row of the session. A session without it is nobody's.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_sessions")
    begun_at = models.DateTimeField()
    # To the minute, not to the request.
    used_at = models.DateTimeField()
    # "Firefox, Linux": a name of each, or empty; never what the browser sent.
    browser = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ("-used_at", "-pk")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser}"


class ProviderAccount(models.Model):
    """Subject at a provider of log-ins whose log-ins an account takes, and who allowed it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="provider_account")
    issuer = models.CharField(max_length=200)
    # At most 255 ASCII characters, and never given to anybody else (OpenID Connect Core 1.0, section 2).
    subject = models.CharField(max_length=255)
    bound_on = models.DateField()
    # The account's own name, or an administrator's; empty for what a first log-in bound by its name alone,
    # before somebody had to allow it.
    allowed_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_a_subject")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.issuer}"


class StaffPreference(models.Model):
    """What the pages show an account: those for everybody, or those for experts besides.

    An account without a row is plain, and has not seen the way in pictures yet. It decides about links and
    figures alone: every address opens to a plain account as to an expert one.
    """

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="staff_preference"
    )
    is_expert = models.BooleanField(default=False)
    has_seen_way = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user_id}: {'expert' if self.is_expert else 'plain'}"


class AuthenticatorApp(TOTPDevice):
    """Authenticator app of an account; its secret is sealed.

    Notes
    -----
    Anyone who reads the database without the secret key of the installation makes no code.
    """

    class Meta:
        proxy = True

    @classmethod
    def begun(cls, user: User, secret: bytes | None = None) -> AuthenticatorApp:
        """Make one, with this secret or a random one; it counts from its first code on."""
        sealed = app_secret_seal(secret or secrets.token_bytes(APP_SECRET_BYTES), user.pk)
        made: AuthenticatorApp = cls.objects.create(user=user, name="app", key=sealed, confirmed=False)
        return made

    @property
    def opens(self) -> bool:
        """Whether the secret key is still the one that the app's secret was sealed under."""
        return self._opened() is not None

    @property
    def bin_key(self) -> bytes:
        """The app's secret, as the library asks for it.

        Raises
        ------
        SurveyError
            ``app_sealed``.
        """
        secret = self._opened()
        if secret is None:
            raise SurveyError("app_sealed", self.user.get_username())
        return secret

    def _opened(self) -> bytes | None:
        return SECRETS.open_text(self.key, about=_of_app(self.user_id))


def app_secret_seal(secret: bytes, user_id: int) -> str:
    """Return the sealed secret of an authenticator app."""
    return SECRETS.seal_text(secret, about=_of_app(user_id))


def _of_app(user_id: int) -> str:
    return f"app {user_id}"


class LogInFailures(models.Model):
    """How often a log-in failed, for one name, one address, or both together.

    Names and addresses are kept as keyed digests, until the next attempt after `until`.
    """

    key = models.CharField(max_length=64, primary_key=True)
    # The digest of the name, so that an administrator can lift what keeps one account out; empty for an
    # address by itself.
    name = models.CharField(max_length=64, blank=True, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)
    # From so many failures on log-ins are refused until `until`.
    most = models.PositiveSmallIntegerField()
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "log-in failures"

    def __str__(self) -> str:
        return f"{self.failures} of {self.most} until {self.until:%H:%M}"


class ApiToken(models.Model):
    """Token by which a program reads what its owner may read, until its last day.

    Notes
    -----
    A token has 128 random bits. Only its digest is kept: anyone who reads the database learns none. The row
    goes when the token is ended; the audit log keeps that there was one.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    # What its owner calls it: where it is used.
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_on = models.DateField()
    # The last day on which it works, in UTC.
    until = models.DateField()
    # A day, never an hour: it says whether a token is of use, not when somebody works.
    used_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ("-made_on", "-pk")

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id} until {self.until}"

    def works(self, *, today: date) -> bool:
        """Whether it opens anything on this day."""
        return today <= self.until
