"""Services that the environment names: database, broker, mail and provider of identities."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from surveys.environment import env_checked
from surveys.run_lock import running_in

LOG_BYTES: Final = 16 * 1024 * 1024
"""Size to which SQLite truncates its write-ahead log once all its contents are in the database."""


def database(home: Path) -> dict[str, Any]:
    """Return Django's settings for DATABASE_URL; the default is SQLite in `home`."""
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{home / 'sottovoce.sqlite3'}"
    try:
        if re.match(r"(sqlite:///|postgres(ql)?://).", url) is None:
            raise ValueError
        parsed: dict[str, Any] = {**dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)}
    except (ValueError, KeyError) as error:
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read; write sqlite:////path/file.sqlite3 or postgres://user@host/name."
        ) from error
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        parsed["OPTIONS"] = {
            **parsed.get("OPTIONS", {}),
            # Writers wait for each other at the start of a transaction, so that none fails with "database is
            # locked" in the middle.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: a device forgets its sealed body after a 200, so the row must survive a power cut.
            # secure_delete: an inbox row that a mixer deletes is overwritten, not merely unlinked.
            # journal_size_limit: the write-ahead log shrinks again after a large import.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; "
            f"PRAGMA journal_size_limit={LOG_BYTES};",
        }
        # Not in memory, because tests search the file for traces, and a separate worker process opens it.
        parsed["TEST"] = {"NAME": str(home / "test.sqlite3")}
    if parsed["ENGINE"] == "django.db.backends.postgresql":
        # The same time limit as for SQLite, after which a submission gets 503 instead of blocking a thread
        # forever. The other limits concern an unreachable server, for which the system would wait 15 minutes.
        parsed["OPTIONS"] = {
            # The server notices within 20 s that a machine is gone, and releases its locks, so that the spare
            # mixer can continue.
            "options": "-c lock_timeout=20s -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 "
            "-c tcp_keepalives_count=2",
            "connect_timeout": 5,
            "tcp_user_timeout": 20_000,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 2,
            # Planning the single statement of a submission takes the server twice as long as executing it.
            # Only `server_bound_cursor` prepares statements; Django's cursors put values into the text.
            "prepare_threshold": 1,
            **parsed.get("OPTIONS", {}),
        }
    return parsed


_BROKER: Final = re.compile(
    r"(rediss?://([^/?#]*@)?(\[[0-9a-fA-F:.]+\]|[^][@:/?#]*)(:[0-9]{1,5})?(/[0-9]*)?|redis\+socket:///[^?]+)(\?.*)?"
)


def broker_url(home: Path) -> str:
    """Return REDIS_URL, or else the address of the broker that runs with `home`, or else a local server's."""
    address = os.environ.get("REDIS_URL")
    if address:
        if _BROKER.fullmatch(address) is None:
            raise ImproperlyConfigured(
                "REDIS_URL cannot be read; write redis://:password@host:6379/0 or redis+socket:///path."
            )
        return address
    running = running_in(home)
    return running.redis_url if running else "redis://127.0.0.1:6379/0"


def mail_server() -> dict[str, Any]:
    """Return host, port, account and encryption of SOTTOVOCE_MAIL; an empty host if it is not set."""
    text = os.environ.get("SOTTOVOCE_MAIL", "").strip()
    ports = {"": 25, "smtp": 25, "smtp+starttls": 587, "smtps": 465}
    try:
        address = urlsplit(text)
        port = address.port or ports[address.scheme]
    except (KeyError, ValueError):
        address, port = urlsplit(""), 0
    if text and not (address.scheme and address.hostname):
        raise ImproperlyConfigured(
            "SOTTOVOCE_MAIL cannot be read; write smtp://host:25, smtp+starttls://user:password@host or smtps://."
        )
    return {
        "host": address.hostname or "",
        "port": port,
        "user": unquote(address.username or ""),
        "password": unquote(address.password or ""),
        "starttls": address.scheme == "smtp+starttls",
        "tls": address.scheme == "smtps",
    }


def second_factor_for() -> frozenset[str]:
    """Return SOTTOVOCE_SECOND_FACTOR: any of "administrators" and "exports"."""
    known = {"administrators", "exports"}
    remedy = "write administrators, exports, or both with a comma between them."
    return frozenset(env_checked("SOTTOVOCE_SECOND_FACTOR", [], known.__contains__, remedy))


def openid_provider() -> dict[str, str]:
    """Return SOTTOVOCE_OPENID and its related settings; empty if there is no provider."""
    issuer = os.environ.get("SOTTOVOCE_OPENID", "").strip()
    if not issuer:
        return {}
    address = urlsplit(issuer)
    # Tokens come directly from the provider's address, so they are only as secure as the connection.
    is_near = address.hostname in {"localhost", "127.0.0.1", "::1"}
    if not address.hostname or not (address.scheme == "https" or (address.scheme == "http" and is_near)):
        raise ImproperlyConfigured(
            f"SOTTOVOCE_OPENID is {issuer[:80]!r}; write the provider's issuer, such as https://login.example.org."
        )
    client = os.environ.get("SOTTOVOCE_OPENID_CLIENT", "").strip()
    if not client:
        raise ImproperlyConfigured(
            "SOTTOVOCE_OPENID_CLIENT is empty; write what the provider calls this server, or unset "
            "SOTTOVOCE_OPENID."
        )
    return {
        "issuer": issuer,
        "client": client,
        "secret": os.environ.get("SOTTOVOCE_OPENID_SECRET", "").strip(),
        "called": address.hostname,
    }


def log_in_header() -> str:
    """Return SOTTOVOCE_LOG_IN_HEADER, the name of a header."""
    text = os.environ.get("SOTTOVOCE_LOG_IN_HEADER", "").strip()
    # Refuse names with an underscore, because a proxy and a program may read them as different headers.
    if text and re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,60}", text) is None:
        raise ImproperlyConfigured(
            f"SOTTOVOCE_LOG_IN_HEADER is {text[:80]!r}; write a header's name, such as X-Remote-User."
        )
    return text
