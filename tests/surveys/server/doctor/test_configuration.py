"""Settings that break a promise are reported."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import ConnectionHandler
from pytest_django import Settings

from surveys import environment
from surveys.accounts.permissions import Role
from surveys.server import alerts, health_checks
from surveys.server.health import Severity
from surveys.server.state import any_database_allowed
from tests.fixtures.mail_server import MailServer
from tests.fixtures.second_factor import with_app
from tests.fixtures.staff import member, with_password
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("check", health_checks.SETTINGS_CHECKS, ids=lambda check: check.__name__)
def test_the_shipped_configuration_passes(check: health_checks.Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


def test_debug_mode_is_detected(doctor: Doctor, settings: Settings) -> None:
    settings.DEBUG = True
    assert doctor.seen(health_checks.error_pages_reveal_nothing) == "DEBUG is on"


@pytest.mark.parametrize("key", ["short", "a" * 60, "django-insecure-4f!9k2m&7z0q3x8v5b1n6c_t$r#w@y"])
def test_a_guessable_secret_key_is_detected_but_not_shown(
    key: str, doctor: Doctor, settings: Settings
) -> None:
    settings.SECRET_KEY = key
    seen = doctor.seen(health_checks.sessions_cannot_be_forged)
    assert seen
    assert key not in seen


def test_a_wildcard_host_is_detected(doctor: Doctor, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["survey.example.org", "*"]
    assert doctor.level(health_checks.hosts_are_named) is Severity.ERROR


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
    assert doctor.level(health_checks.transport_is_protected) is level


def test_administrators_without_a_second_factor_are_reported(doctor: Doctor, settings: Settings) -> None:
    check = health_checks.administrators_have_a_second_factor
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
        assert "no administrator has an address" in doctor.seen(health_checks.mail_reaches_administrators)
        alice.email = "alice@example.org"
        alice.save()
        assert doctor.level(health_checks.mail_reaches_administrators) is Severity.OK
        assert server.mails == []
    with socket.create_server(("127.0.0.1", 0)) as closed:
        settings.EMAIL_PORT = closed.getsockname()[1]
    assert "ConnectionRefusedError" in doctor.seen(health_checks.mail_reaches_administrators)


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Path:
    settings.SOTTOVOCE_HOME = tmp_path / "home"
    settings.SOTTOVOCE_HOME.mkdir(mode=0o700)
    return settings.SOTTOVOCE_HOME


def test_a_home_directory_readable_by_others_is_detected(home: Path, doctor: Doctor) -> None:
    assert doctor.level(health_checks.only_the_owner_reads_files) is Severity.OK
    (home / "secret_key").write_text("x")
    (home / "secret_key").chmod(0o644)
    assert doctor.level(health_checks.only_the_owner_reads_files) is Severity.OK, "nobody gets to it"
    home.chmod(0o755)
    assert str(home / "secret_key") in doctor.seen(health_checks.only_the_owner_reads_files)


@pytest.mark.parametrize(
    ("free", "level"), [(10 << 30, Severity.OK), (1 << 30, Severity.WARNING), (1 << 20, Severity.ERROR)]
)
def test_a_full_disk_is_found(
    free: int, level: Severity, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alerts.shutil, "disk_usage", lambda _place: SimpleNamespace(free=free, total=free))
    assert doctor.level(health_checks.there_is_disk_space) is level


def test_an_old_database_copy_is_detected(home: Path, doctor: Doctor) -> None:
    assert doctor.level(health_checks.old_copies_are_deleted) is Severity.OK
    copy = home / "sottovoce.sqlite3.before-migration"
    copy.touch()
    assert doctor.level(health_checks.old_copies_are_deleted) is Severity.OK
    then = doctor.context.now - timedelta(days=8)
    os.utime(copy, (then.timestamp(), then.timestamp()))
    assert doctor.seen(health_checks.old_copies_are_deleted) == f"{copy} (8 days)"


def test_sqlite_files_are_private_whatever_process_created_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    before = os.umask(0o022)
    try:
        for _ in range(2):
            link = ConnectionHandler({"default": environment.database(tmp_path)})["default"]
            with any_database_allowed(), contextlib.closing(link), link.cursor() as cursor:
                cursor.execute("CREATE TABLE IF NOT EXISTS made (it)")
                made = list(tmp_path.glob("sottovoce.sqlite3*"))
                assert len(made) == 3, "the database, its log and the index of that"
                modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}
            assert modes == dict.fromkeys(made, 0o600)
            # Simulate another program that makes the file readable.
            (tmp_path / "sottovoce.sqlite3").chmod(0o644)
    finally:
        os.umask(before)
