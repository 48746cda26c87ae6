"""A machine is lost while people answer; another one goes on from the backup, and nothing is there twice."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from privacy.survey.layout import Layout
from surveys.intake.mix import mix_waiting
from surveys.models import Receipt
from surveys.server.backup import backup_make
from surveys.server.launch import manage
from tests.attack.scratch import database_url
from tests.conftest import ROOT, kill_group, start_group, wait_until
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.web_server import WebServer
from tests.operations.test_cut_off import FAST
from tests.surveys.intake.test_live import body_of

pytestmark = pytest.mark.django_db(transaction=True)


class Machine:
    """Another machine: a home, keys and a database of its own, all empty.

    Parameters
    ----------
    place : Path
    url : str
        Of its database.
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
        """Run a command there; return its exit code and all that it printed."""
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
        """Run a query on its database, past the program."""
        if self.url.startswith("sqlite"):
            with contextlib.closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as link:
                found = link.execute(query).fetchall()
                link.commit()
                return found
        with psycopg.connect(self.url.replace("postgres:", "postgresql:"), autocommit=True) as link:
            cursor = link.execute(query)  # type: ignore[call-overload] - a text of this file
            return list(cursor.fetchall()) if cursor.description else []


@contextmanager
def another_machine(place: Path) -> Iterator[Machine]:
    """Give a machine whose database, named after its place, is gone afterwards."""
    place.mkdir()
    if connection.vendor == "sqlite":
        (place / "home").mkdir(mode=0o700)
        yield Machine(place, f"sqlite:///{place / 'home' / 'sottovoce.sqlite3'}")
        return
    name = f"{connection.settings_dict['NAME']}_{place.name}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield Machine(place, f"{database_url().rpartition('/')[0]}/{name}")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class Devices:
    """People who answer, one after another on each device; a device tries until it has been heard."""

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
        """Stop new submissions, and wait until the server received all others."""
        self._no_more.set()
        for thread in self._threads:
            thread.join()
        assert len(self.received) == len(self.sent)

    def more(self, number: int) -> None:
        """Wait until so many more were received."""
        wanted = len(self.received) + number
        wait_until(lambda: len(self.received) >= wanted or self.faults, seconds=120, what="answers")

    def _answer(self) -> None:
        try:
            while not self._no_more.is_set():
                raw = request_of(self.version)
                self.sent.append(raw)
                while not self._heard(raw):
                    if self._given_up.wait(0.05):
                        return
                self.received.append(raw)
        except BaseException as fault:
            self.faults.append(fault)
        finally:
            connection.close()

    def _heard(self, raw: bytes) -> bool:
        try:
            status = self.server.post(raw)[0]
        except (OSError, http.client.HTTPException):
            return False
        assert status in (200, 503), status
        return status == 200


@pytest.mark.soak
def test_a_backup_made_while_answers_come_in_goes_on_elsewhere_and_loses_and_doubles_nothing_that_it_holds(
    tmp_path: Path, soak: int
) -> None:
    version, backup = published(wide_definition("wide", questions=90)), tmp_path / "backup"
    with another_machine(tmp_path / "other") as other, WebServer(tmp_path / "1.log", **FAST) as first:
        with Devices(first, version) as devices:
            devices.more(120 * min(soak, 10))
            mix_waiting()
            devices.more(20)
            before = set(devices.received)
            backup_make(backup, version="of a test", now=timezone.now())
            began = set(devices.sent)
            devices.more(60)
            # What waited at the backup is mixed, and its key destroyed: to the backup it is lost.
            mix_waiting()
            # In the midst of an answer.
            first.kill()
            code, said = other.types("restore", str(backup))
            assert (code, "restored what sottovoce of a test backed up" in said) == (0, True), said
            keys = {bytes(key).hex() for (key,) in other.ask("SELECT key FROM surveys_receipt")}
            assert {key_of(raw) for raw in before} <= keys <= {key_of(raw) for raw in began}
            ((waited,),) = other.ask("SELECT COUNT(*) FROM surveys_inbox")
            # The pool of the last mix, and respondents since then.
            assert waited >= 50
            second = WebServer(tmp_path / "2.log", **other.environment)
            with second:
                # Nothing is sealed under a key of then.
                assert second.post(request_of(version))[0] == 503
                sweeper = start_group(manage("sweep"), env={**os.environ, **other.environment})
                try:
                    devices.server = second
                    devices.more(60)
                    devices.finish()
                    # Respondents received only by the first machine would not send again; here they do.
                    for raw in devices.sent:
                        assert second.post(raw)[0] == 200
                    assert other.types("publish", "wide", "--close", "--now")[0] == 0
                    # The mixer of the lost machine is given up.
                    long_ago = (timezone.now() - timedelta(days=8)).replace(tzinfo=None).isoformat(" ")
                    zone = "" if connection.vendor == "sqlite" else "+00"
                    other.ask(f"UPDATE surveys_survey SET accepts_until = '{long_ago}{zone}'")
                    settled = "SELECT rows_lost, rows_too_few FROM surveys_survey WHERE settled"
                    wait_until(lambda: other.ask(settled), seconds=60, what="the last batch")
                finally:
                    kill_group(sweeper)
        ((lost, few),) = other.ask(settled)
        size = Layout(version.to_design()).n_bytes
        packed = b"".join(bytes(rows) for (rows,) in other.ask("SELECT packed FROM surveys_batch"))
        there = Counter(packed[start : start + size] for start in range(0, len(packed), size))
        bodies = Counter(map(body_of, devices.sent))
        assert other.ask("SELECT COUNT(*) FROM surveys_receipt") == [(len(devices.sent),)]
        assert not there - bodies
        assert (bodies - there).total() == lost + few
        assert lost == waited
        # The machine that was lost had each of them once, too.
        assert Receipt.objects.count() <= len(devices.sent)


def key_of(raw: bytes) -> str:
    return str(json.loads(raw)["key"])
