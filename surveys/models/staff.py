"""Accounts, log-ins, the audit log, heartbeats, and the record of the schema.

Some columns contain secrets that a copy of the database must not reveal. They are encrypted with a key
derived from the installation's secret key.
"""

from __future__ import annotations

import base64
import os
import secrets
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_noop
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.errors.error import SurveyError

_NONCE: Final = bytes(12)


@dataclass(frozen=True, kw_only=True)
class Vault:
    """Encryption for one purpose; a vault for another purpose cannot decrypt the content.

    Attributes
    ----------
    info : bytes
        Names the purpose in the key derivation.
    salt_bytes : int
        Length of the salt that precedes the sealed content.
    """

    info: bytes
    salt_bytes: int

    def seal(self, content: bytes, *, about: str) -> bytes:
        """Encrypt content that belongs to `about`. The result is longer by 16 bytes and the salt."""
        salt = os.urandom(self.salt_bytes)
        return salt + self._cipher(salt).encrypt(_NONCE, content, about.encode())

    def open(self, ciphertext: bytes | memoryview[int], *, about: str) -> bytes | None:
        """Decrypt content; return None if it belongs elsewhere, was changed, or the secret key differs."""
        salt, box = bytes(ciphertext[: self.salt_bytes]), bytes(ciphertext[self.salt_bytes :])
        try:
            return self._cipher(salt).decrypt(_NONCE, box, about.encode())
        except InvalidTag:
            return None

    def seal_text(self, content: bytes, *, about: str) -> str:
        """Encrypt content for a text column, as base64."""
        return base64.b64encode(self.seal(content, about=about)).decode()

    def open_text(self, text: str, *, about: str) -> bytes | None:
        """Decrypt a text from `seal_text`; return None as `open` does, and for a text that is not base64."""
        try:
            return self.open(base64.b64decode(text, validate=True), about=about)
        except ValueError:
            return None

    def _cipher(self, salt: bytes) -> ChaCha20Poly1305:
        secret = str(settings.SECRET_KEY).encode()
        return ChaCha20Poly1305(HKDF(algorithm=SHA256(), length=32, salt=salt, info=self.info).derive(secret))


SECRETS: Final = Vault(info=b"sotto secret 1", salt_bytes=16)
"""Secrets of authenticator apps; each must fit into 80 letters of base64."""


ALL_SURVEYS: Final = gettext_noop("all surveys")
"""Target of an event that does not concern a single survey; no survey has this address."""


ANSWERS_READ: Final = "answers_read"
"""Action of the event that created a survey from another tool's file."""


class ImmutableRow(models.Model):
    """Base class for rows that are never changed."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change an existing one.

        Raises
        ------
        SurveyError
            The row was read from the database or saved before.
        """
        if not self._state.adding:
            raise self._error()
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse to delete the row."""
        raise self._error()

    def _error(self) -> SurveyError:
        return SurveyError("written_once", name=self._meta.verbose_name)


class AuditEvent(ImmutableRow):
    """One write by a staff member. Events are only added, never changed."""

    at = models.DateTimeField()
    # A user name, or "command line"; stored as text so that the event outlives the account.
    actor = models.CharField(max_length=150)
    # Entity and verb, the name of the service: "survey_publish".
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.actor}: {self.action} {self.target}"


def audit_event_record(
    *, actor: str, action: str, target: str, detail: dict[str, Any] | None = None
) -> AuditEvent:
    """Record an event in the caller's transaction."""
    event = AuditEvent(at=timezone.now(), actor=actor, action=action, target=target, detail=detail or {})
    event.save()
    return event


def account_event_record(action: str, user: User, by: str, **detail: Any) -> None:
    """Record an event that concerns an account, in the caller's transaction."""
    audit_event_record(actor=by, action=action, target=user.get_username(), detail=detail)


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


# A heartbeat may be this far ahead of the reader's clock. If it is further ahead, one of the clocks is wrong.
SECONDS_AHEAD: Final = 5.0
SECONDS_UNTIL_LATE: Final = 60.0


class Beat(models.Model):
    """Last heartbeat of a process ("sweeper", "worker host/4711").

    It reveals nothing about respondents, because processes send heartbeats by their own clock, not when an
    answer arrives. ``says`` holds further facts that a process reports about itself.
    """

    name = models.CharField(max_length=120, primary_key=True)
    at = models.DateTimeField()
    says = models.JSONField(default=dict)

    objects: ClassVar[models.Manager[Beat]]

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


def record_heartbeat(name: str, *, now: datetime, says: dict[str, Any] | None = None) -> None:
    """Record that the process `name` is alive, and what it reports about itself."""
    Beat.objects.update_or_create(name=name, defaults={"at": now, "says": says or {}})


def heartbeat_age(name: str, *, now: datetime) -> timedelta | None:
    """Return the age of the last heartbeat of the process `name`, or None if there is none."""
    heartbeat = Beat.objects.filter(name=name).first()
    return None if heartbeat is None else now - heartbeat.at


def is_late(age_seconds: float) -> bool:
    """Whether a heartbeat is too old, or dated in the future, so that its age is unknown.

    >>> [is_late(age) for age in (-5.1, -5.0, 0.0, 60.0, 60.1)]
    [True, False, False, False, True]
    """
    return not -SECONDS_AHEAD <= age_seconds <= SECONDS_UNTIL_LATE


class SchemaRecord(models.Model):
    """The one row about the schema, written each time `migrate` finishes.

    Attributes
    ----------
    format : int
    digests : dict of str to str
        SHA-256 of the schema of each application, by label (`surveys.server.schema.digest_of`).
    program : str
        Version and commit of the program that migrated last.
    at : datetime
        When it did.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    format = models.PositiveSmallIntegerField()
    digests = models.JSONField()
    program = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="surveys_schemarecord_one")]

    def __str__(self) -> str:
        return f"format {self.format}, {self.program}"
