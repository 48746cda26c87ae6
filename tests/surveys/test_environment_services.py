"""Databases, brokers, mail and providers of identities that the environment names."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from django.db import ConnectionHandler

from surveys import environment_services
from surveys import settings as shipped
from surveys.run_lock import RunLock, Running


@pytest.mark.soak
def test_the_sqlite_log_shrinks_after_a_large_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    link = sqlite3.connect(tmp_path / "sottovoce.sqlite3", isolation_level=None)
    link.executescript(environment_services.database(tmp_path)["OPTIONS"]["init_command"])
    log = tmp_path / "sottovoce.sqlite3-wal"
    link.execute("CREATE TABLE imported (row BLOB)")
    link.execute("INSERT INTO imported VALUES (zeroblob(?))", [3 * environment_services.LOG_BYTES])
    assert log.stat().st_size > 2 * environment_services.LOG_BYTES
    # After a full checkpoint, the next write restarts the log.
    link.execute("PRAGMA wal_checkpoint(RESTART)")
    link.execute("INSERT INTO imported VALUES (zeroblob(1))")
    assert log.stat().st_size <= environment_services.LOG_BYTES
    link.close()


def test_the_running_broker_of_the_home_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REDIS_URL")
    assert shipped.broker_url(tmp_path) == "redis://127.0.0.1:6379/0"
    lock = RunLock(tmp_path)
    lock.publish(
        Running(pid=1, address="http://localhost:8000/", redis_url="redis+socket:///somewhere/broker.sock")
    )
    assert shipped.broker_url(tmp_path) == "redis+socket:///somewhere/broker.sock"
    lock.release()
    assert shipped.broker_url(tmp_path) == "redis://127.0.0.1:6379/0"


@pytest.mark.django_db
def test_sqlite_uses_durable_commits_and_secure_deletion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    shipped_one = ConnectionHandler({"default": environment_services.database(tmp_path)})["default"]
    with contextlib.closing(shipped_one), shipped_one.cursor() as cursor:
        values = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
        }
    # synchronous 2 is FULL
    assert values == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}


def test_a_single_sign_on_provider_is_configured_by_its_issuer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped.openid_provider() == {}
    monkeypatch.setenv("SOTTOVOCE_OPENID", "https://login.example.org/realms/staff")
    monkeypatch.setenv("SOTTOVOCE_OPENID_CLIENT", "sottovoce")
    assert shipped.openid_provider() == {
        "issuer": "https://login.example.org/realms/staff",
        "client": "sottovoce",
        "secret": "",
        "called": "login.example.org",
    }
    monkeypatch.setenv("SOTTOVOCE_OPENID", "http://127.0.0.1:8080")
    assert shipped.openid_provider()["called"] == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ("", 25, "", "", False, False)),
        ("smtp://mail.example.org", ("mail.example.org", 25, "", "", False, False)),
        ("smtp+starttls://al:p%40ss@mail.example.org", ("mail.example.org", 587, "al", "p@ss", True, False)),
        ("smtps://mail.example.org:2465", ("mail.example.org", 2465, "", "", False, True)),
    ],
)
def test_the_mail_server_is_configured_by_one_url(
    text: str, wanted: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOTTOVOCE_MAIL", text)
    assert tuple(shipped.mail_server().values()) == wanted


def test_a_postgresql_address_is_used_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://alice@db.example.org/survey")
    found = environment_services.database(tmp_path)
    assert [found[key] for key in ("ENGINE", "HOST", "NAME", "USER")] == [
        "django.db.backends.postgresql", "db.example.org", "survey", "alice",
    ]  # fmt: skip
