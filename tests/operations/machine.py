"""A second installation, and devices that keep sending to a server."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from tests.conftest import ROOT, wait_until
from tests.fixtures.devices import request_of
from tests.fixtures.web_server import FAST, WebServer


class Machine:
    """Another machine with its own home, keys and database, all initially empty.

    Parameters
    ----------
    place : Path
    url : str
        URL of its database.
    """

    def __init__(self, place: Path, url: str) -> None:
        self.url = url
        self.environment = {
            "DJANGO_SETTINGS_MODULE": "surveys.settings",
            "SOTTOVOCE_HOME": str(place / "home"),
            "SOTTOVOCE_MIXER_KEYS": str(place / "keys"),
            "DATABASE_URL": url,
            **FAST,
        }

    def types(self, *command: str) -> tuple[int, str]:
        """Run a command there; return its exit code and output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query directly on its database."""
        with psycopg.connect(self.url.replace("postgres:", "postgresql:"), autocommit=True) as link:
            cursor = link.execute(query)  # type: ignore[call-overload] - a text of this file
            return list(cursor.fetchall()) if cursor.description else []


class Devices:
    """Devices on which people answer one after another, and which retry until they are acknowledged."""

    def __init__(self, server: WebServer, version: Any) -> None:
        self.server, self.version = server, version
        self.sent: list[bytes] = []
        self.received: list[bytes] = []
        self.faults: list[BaseException] = []
        self._no_more, self._given_up = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=self._answer) for _ in range(4)]

    def __enter__(self) -> Devices:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._no_more.set()
        self._given_up.set()
        for thread in self._threads:
            thread.join()
        assert self.faults == []

    def finish(self) -> None:
        """Stop new submissions, and wait until the server has received all others."""
        self._no_more.set()
        for thread in self._threads:
            thread.join()
        assert len(self.received) == len(self.sent)

    def more(self, number: int) -> None:
        """Wait until `number` more submissions are received."""
        wanted = len(self.received) + number
        wait_until(lambda: len(self.received) >= wanted or self.faults, what="answers")

    def _answer(self) -> None:
        try:
            while not self._no_more.is_set():
                raw = request_of(self.version)
                self.sent.append(raw)
                while not self._accepted(raw):
                    if self._given_up.wait(0.05):
                        return
                self.received.append(raw)
        except BaseException as fault:
            self.faults.append(fault)
        finally:
            connection.close()

    def _accepted(self, raw: bytes) -> bool:
        try:
            status = self.server.post(raw)[0]
        except (OSError, http.client.HTTPException):
            return False
        assert status in (200, 503), status
        return status == 200


def key_of(raw: bytes) -> str:
    return str(json.loads(raw)["key"])
