"""Check settings: error pages, sessions, the secret key, hosts, transport, second factors and mail."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.core.mail import get_connection

from privacy.counted_nouns import counted
from surveys.accounts.listed_people import people
from surveys.accounts.roles import Role
from surveys.jobs.key_mark import KEY_HEARTBEAT, key_mark
from surveys.models import Beat
from surveys.server.alerts import administrators_addresses
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "testserver"})
SHORTEST_KEY = 32


def error_pages_reveal_nothing(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that DEBUG is off, because it shows source, settings and queries on every error page."""
    promise = "error pages reveal no internals"
    if settings.DEBUG:
        yield failure(promise, "DEBUG is on", "Unset DEBUG and restart the web server.")
    else:
        yield ok(promise, "DEBUG is off")


def sessions_cannot_be_forged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that SECRET_KEY cannot be guessed, because anyone who knows it can forge sessions."""
    promise = "the secret key is long and random"
    key = str(settings.SECRET_KEY)
    remedy = "Unset SECRET_KEY: a new key is created in SOTTOVOCE_HOME. Everyone has to log in again."
    if len(key) < SHORTEST_KEY or len(set(key)) < SHORTEST_KEY // 3:
        yield failure(promise, f"{counted(len(key), 'character')}, {len(set(key))} different", remedy)
    elif key.startswith("django-insecure"):
        yield failure(promise, "it is a development key", remedy)
    else:
        yield ok(promise, f"{len(key)} characters")


def the_secret_key_is_unchanged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the secret key is unchanged, because it encrypts stored secrets and signs exports."""
    promise = "the secret key has not changed"
    note = Beat.objects.filter(name=KEY_HEARTBEAT).first()
    if note is None:
        yield ok(promise, "none is recorded yet")
    elif note.says.get("key") == key_mark():
        yield ok(promise, f"unchanged since {note.at:%Y-%m-%d}")
    else:
        yield failure(
            promise,
            f"it differs from that of {note.at:%Y-%m-%d}, so stored secrets cannot be decrypted",
            "Restore secret_key from the backup and restart all processes. If it is lost, accept "
            "the new one: sottovoce doctor --accept-key",
        )


def hosts_are_named(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that ALLOWED_HOSTS lists names; otherwise the request's host header decides where links lead."""
    promise = "the web server accepts only its own host names"
    hosts = list(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield failure(promise, "ALLOWED_HOSTS accepts any name", "List the host names in ALLOWED_HOSTS.")
    else:
        yield ok(promise, ", ".join(hosts))


def transport_is_protected(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a server that others can reach is behind a proxy with HTTPS."""
    promise = "network traffic is encrypted"
    plain = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if not origin.startswith("https://")]
    if settings.HTTPS and plain:
        seen = f"CSRF_TRUSTED_ORIGINS contains {', '.join(plain)}"
        yield failure(promise, seen, "Change these origins to https://.")
    elif settings.HTTPS:
        yield ok(promise, "SOTTOVOCE_HTTPS is on: secure cookies, strict transport")
    elif LOCAL.issuperset(settings.ALLOWED_HOSTS):
        yield ok(promise, "only this machine can connect")
    else:
        yield failure(
            promise,
            f"SOTTOVOCE_HTTPS is off, and ALLOWED_HOSTS names {', '.join(settings.ALLOWED_HOSTS)}",
            "Put a proxy that speaks HTTPS in front and set SOTTOVOCE_HTTPS=1 (docs/operators.md).",
        )


def administrators_have_a_second_factor(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that administrators have a second factor; without one, the password alone can set it up."""
    promise = "administrators have the second factor that the settings require"
    administrators = [
        person
        for person in people(now=context.now)
        if Role.ADMINISTRATOR in person.roles and person.state != "stopped"
    ]
    without = [
        administrator.user.get_username()
        for administrator in administrators
        if not administrator.second_factor
    ]
    seen = f"{', '.join(without)} {'has' if len(without) == 1 else 'have'} none"
    if not without:
        yield ok(promise, f"{len(administrators)} of {len(administrators)} have one")
    elif "administrators" in settings.SECOND_FACTOR_FOR:
        yield warning(
            promise, seen, "Ask them to log in and set it up, or stop these accounts (docs/people.md)."
        )
    else:
        yield ok(promise, f"{seen}, allowed by the settings (SOTTOVOCE_SECOND_FACTOR)")


def mail_reaches_administrators(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that mail about problems has a server and a recipient."""
    promise = "mail about problems reaches an administrator"
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    if not settings.EMAIL_HOST:
        yield ok(promise, "SOTTOVOCE_MAIL is not set, so no mail is sent")
        return
    if not administrators_addresses():
        seen = "SOTTOVOCE_MAIL is set, but no administrator has an address"
        yield warning(promise, seen, "Add one to an administrator's page under People.")
        return
    try:
        with get_connection():
            yield ok(promise, f"{where} accepts the login; {len(administrators_addresses())} have an address")
    except OSError as error:
        # OSError includes smtplib's errors, which are its subclasses.
        remedy = (
            "Check SOTTOVOCE_MAIL, and that the units can reach that machine: systemctl edit "
            "sottovoce-sweeper sottovoce-doctor, with IPAddressAllow= and its address."
        )
        yield failure(promise, f"no connection to {where}: {type(error).__name__} {error}", remedy)


SETTINGS_CHECKS = (
    error_pages_reveal_nothing,
    sessions_cannot_be_forged,
    the_secret_key_is_unchanged,
    hosts_are_named,
    transport_is_protected,
    administrators_have_a_second_factor,
    mail_reaches_administrators,
)
