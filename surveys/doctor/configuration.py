"""Checks of the settings."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from django.conf import settings
from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone

from surveys.accounts import lock_out
from surveys.accounts.people import people
from surveys.accounts.permissions import Role
from surveys.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning
from surveys.jobs.workers import KEY_HEARTBEAT, key_mark
from surveys.models import Beat
from surveys.policy import MOST_OF_NAME_AT_ADDRESS
from surveys.server.alerts import administrators_addresses

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", "testserver"})
SHORTEST_KEY = 32
MOST_TRIES = 20
# From a network reserved for documentation.
NOBODYS_ADDRESS = "192.0.2.1"


def faults_stay_inside(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that DEBUG is off: it shows source, settings and queries on every error."""
    promise = "a fault shows nothing of the inside"
    if settings.DEBUG:
        yield failure(promise, "DEBUG is on", "Unset DEBUG and start the web server again.")
    else:
        yield ok(promise, "DEBUG is off")


def sessions_cannot_be_forged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check SECRET_KEY, since whoever knows it can forge sessions."""
    promise = "the secret key is long and made by chance"
    key = str(settings.SECRET_KEY)
    remedy = "Unset SECRET_KEY: one is made and kept in SOTTOVOCE_HOME. Everybody has to log in again."
    if len(key) < SHORTEST_KEY or len(set(key)) < SHORTEST_KEY // 3:
        yield failure(promise, f"{len(key)} characters, {len(set(key))} different ones", remedy)
    elif key.startswith("django-insecure"):
        yield failure(promise, "a key of a development project", remedy)
    else:
        yield ok(promise, f"{len(key)} characters")


def the_key_is_the_one_it_began_with(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the secret key is unchanged, since it determines permanently how direct rows are
    redisguised."""
    promise = "the secret key is the one that this database began with"
    noted = Beat.objects.filter(name=KEY_HEARTBEAT).first()
    if noted is None:
        yield ok(promise, "the sweeper has not noted one yet")
    elif noted.says.get("key") == key_mark():
        yield ok(promise, f"the same since {noted.at:%Y-%m-%d}")
    else:
        yield failure(
            promise,
            f"it is another than on {noted.at:%Y-%m-%d}: two files made before and after tell more than one",
            "Put secret_key back from the backup, and start all parts again. If it is lost for good, accept "
            "the new one: sottovoce doctor --accept-key",
        )


def hosts_are_named(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that hosts are named: otherwise a request's host header decides where links in pages lead."""
    promise = "the web server answers under its own names only"
    hosts = list(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield failure(promise, "ALLOWED_HOSTS allows every name", "Name the hosts in ALLOWED_HOSTS.")
    else:
        yield ok(promise, ", ".join(hosts))


def transport_is_protected(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a name reachable from outside is behind a proxy that speaks HTTPS."""
    promise = "what is sent over a network is encrypted on the way"
    plain = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if not origin.startswith("https://")]
    if settings.HTTPS and plain:
        seen = f"CSRF_TRUSTED_ORIGINS holds {', '.join(plain)}"
        yield failure(promise, seen, "Write the origins with https://.")
    elif settings.HTTPS:
        yield ok(promise, "SOTTOVOCE_HTTPS is on: secure cookies, strict transport")
    elif LOCAL.issuperset(settings.ALLOWED_HOSTS):
        yield ok(promise, "reached from this machine only")
    else:
        yield failure(
            promise,
            f"SOTTOVOCE_HTTPS is off, and ALLOWED_HOSTS names {', '.join(settings.ALLOWED_HOSTS)}",
            "Put a proxy that speaks HTTPS in front and set SOTTOVOCE_HTTPS=1 (docs/operators.md).",
        )


def guessing_passwords_ends(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the lock-out by failing often enough under an unused name, leaving no trace."""
    promise = "whoever guesses passwords is kept out"
    name, tries = secrets.token_hex(16), MOST_OF_NAME_AT_ADDRESS
    with transaction.atomic():
        try:
            for _ in range(tries + 1):
                lock_out.attempt_count(name=name, address=NOBODYS_ADDRESS, now=timezone.now())
            kept_out = False
        except lock_out.LockedOut:
            kept_out = True
        transaction.set_rollback(True)
    minutes = lock_out.LOCKED_OUT_FOR.total_seconds() / 60
    if kept_out and tries <= MOST_TRIES and minutes >= 1:
        yield ok(promise, f"after {tries} failures of a name from one address, for {minutes:g} minutes")
    else:
        yield failure(
            promise,
            f"{tries} failures in a row kept nobody out"
            if not kept_out
            else f"{tries} tries, {minutes:g} minutes",
            "Restore surveys/accounts/lock_out.py as it was released.",
        )


def administrators_have_a_second_factor(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that administrators have a second factor: until then, the password alone can set one up."""
    promise = "administrators have the second factor that the settings ask for"
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
            promise,
            seen,
            "Have them log in and set it up, or stop these accounts (docs/people.md).",
        )
    else:
        yield ok(promise, f"{seen}, and nobody is asked: SOTTOVOCE_SECOND_FACTOR=administrators would")


def faults_are_written_of(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that mail about errors has a server and a recipient."""
    promise = "mail about what is wrong reaches an administrator"
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    if not settings.EMAIL_HOST:
        yield ok(promise, "SOTTOVOCE_MAIL is not set: nobody is written to")
        return
    if not administrators_addresses():
        seen = "SOTTOVOCE_MAIL is set, and no administrator has an address"
        yield warning(promise, seen, "Write one on the page of an administrator, in People.")
        return
    try:
        with get_connection():
            yield ok(promise, f"{where} lets Sottovoce in; {len(administrators_addresses())} have an address")
    except OSError as error:
        # Includes smtplib's errors, which are subclasses of this.
        remedy = (
            "Look at SOTTOVOCE_MAIL, and whether the units reach that machine: systemctl edit "
            "sottovoce-sweeper "
            "sottovoce-doctor, with IPAddressAllow= and its address."
        )
        yield failure(promise, f"{where} did not: {type(error).__name__} {error}", remedy)


CHECKS = (
    faults_stay_inside,
    sessions_cannot_be_forged,
    the_key_is_the_one_it_began_with,
    hosts_are_named,
    transport_is_protected,
    guessing_passwords_ends,
    administrators_have_a_second_factor,
    faults_are_written_of,
)
