"""Settings that break a promise are reported."""

from __future__ import annotations

import socket

import pytest
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.jobs.key_mark import KEY_HEARTBEAT
from surveys.models.heartbeat import record_heartbeat
from surveys.server.doctor import configuration
from surveys.server.doctor.diagnosis import Check, Severity
from tests.fixtures.mail_server import MailServer
from tests.fixtures.second_factor import with_app
from tests.fixtures.staff import member, with_password
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("check", configuration.SETTINGS_CHECKS, ids=lambda check: check.__name__)
def test_the_shipped_configuration_passes(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


def test_debug_mode_is_detected(doctor: Doctor, settings: Settings) -> None:
    settings.DEBUG = True
    assert doctor.seen(configuration.error_pages_reveal_nothing) == "DEBUG is on"


@pytest.mark.parametrize("key", ["short", "a" * 60, "django-insecure-4f!9k2m&7z0q3x8v5b1n6c_t$r#w@y"])
def test_a_guessable_secret_key_is_detected_but_not_shown(
    key: str, doctor: Doctor, settings: Settings
) -> None:
    settings.SECRET_KEY = key
    seen = doctor.seen(configuration.sessions_cannot_be_forged)
    assert seen
    assert key not in seen


def test_a_wildcard_host_is_detected(doctor: Doctor, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["survey.example.org", "*"]
    assert doctor.level(configuration.hosts_are_named) is Severity.ERROR


@pytest.mark.parametrize(
    ("https", "hosts", "origins", "level"),
    [
        (False, ["localhost"], [], Severity.OK),
        (False, ["survey.example.org"], [], Severity.ERROR),
        (True, ["survey.example.org"], ["https://survey.example.org"], Severity.OK),
        (True, ["survey.example.org"], ["http://survey.example.org"], Severity.ERROR),
    ],
)
def test_hosts_without_https_are_detected(
    https: bool, hosts: list[str], origins: list[str], level: Severity, doctor: Doctor, settings: Settings
) -> None:
    settings.HTTPS, settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = https, hosts, origins
    assert doctor.level(configuration.transport_is_protected) is level


def test_administrators_without_a_second_factor_are_reported(doctor: Doctor, settings: Settings) -> None:
    check = configuration.administrators_have_a_second_factor
    for name in ("root", "ana", "eva"):
        with_password(name, Role.ADMINISTRATOR)
    with_password("ben", Role.RESEARCHER)
    gone = with_password("gone", Role.ADMINISTRATOR)
    gone.is_active = False
    gone.save()
    with_app(member("eva", Role.ADMINISTRATOR))
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    (advice,) = doctor.finds(check)
    assert advice.level is Severity.OK
    assert advice.seen == "ana, root have none, allowed by the settings (SOTTOVOCE_SECOND_FACTOR)"
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    assert doctor.level(check) is Severity.WARNING
    assert doctor.seen(check) == "ana, root have none"
    for name in ("root", "ana"):
        with_app(member(name, Role.ADMINISTRATOR))
    (every,) = doctor.finds(check)
    assert (every.level, every.seen) == (Severity.OK, "3 of 3 have one")


def test_undeliverable_mail_is_found(doctor: Doctor, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    with MailServer() as server:
        settings.EMAIL_PORT = server.port
        alice = member("alice", Role.ADMINISTRATOR)
        assert "no administrator has an address" in doctor.seen(configuration.mail_reaches_administrators)
        alice.email = "alice@example.org"
        alice.save()
        assert doctor.level(configuration.mail_reaches_administrators) is Severity.OK
        assert server.mails == []
    with socket.create_server(("127.0.0.1", 0)) as closed:
        settings.EMAIL_PORT = closed.getsockname()[1]
    assert "ConnectionRefusedError" in doctor.seen(configuration.mail_reaches_administrators)


def test_a_changed_secret_key_is_detected(doctor: Doctor) -> None:
    check = configuration.the_secret_key_is_unchanged
    assert doctor.level(check) is Severity.OK
    record_heartbeat(KEY_HEARTBEAT, now=timezone.now(), says={"key": "that of another key"})
    assert doctor.level(check) is Severity.ERROR
