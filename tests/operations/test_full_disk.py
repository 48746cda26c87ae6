"""A disk that is full: what cannot be stored is refused in words, and received when there is room again.

The disk is the system's limit on the size of a file, set on the running processes and lifted again: it
needs no rights and no disk of its own. Linux only.
"""

from __future__ import annotations

import http.client
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psycopg
import pytest
from django.db import connection

from privacy.survey.layout import Layout
from surveys.models import Version
from tests.attack.scratch import database_url
from tests.attack.traces import dumped
from tests.conftest import ROOT
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.waiting import opened
from tests.fixtures.web_server import WebServer
from tests.operations.test_cut_off import FAST
from tests.postgresql import cluster, programs

pytestmark = pytest.mark.django_db(transaction=True)

MOST_BEFORE_IT_IS_FULL = 400


@dataclass
class Disk:
    """A database on a disk that can be filled.

    Parameters
    ----------
    url : str
        Its address.
    size : callable
        Returns the size beyond which no file may grow.
    processes : callable
        Returns the processes that write to it.
    ask : callable
        Runs a query and returns its rows.
    """

    url: str
    size: Callable[[], int]
    processes: Callable[[WebServer], list[int]]
    ask: Callable[[str], list[tuple[object, ...]]]

    @contextmanager
    def full(self, server: WebServer) -> Iterator[int]:
        """Let no file grow beyond where it is now; give that size."""
        size = self.size()
        limited = self.processes(server)
        for process in limited:
            _limit(process, str(size))
        try:
            yield size
        finally:
            for process in {*limited, *self.processes(server)}:
                _limit(process, "unlimited")


def _limit(process: int, size: str) -> None:
    place = Path(f"/proc/{process}")
    try:
        # A process may be limited by its own user, and root of a container is a different one.
        owner = place.stat()
    except FileNotFoundError:
        # Of a server: it has ended by itself.
        return
    as_owner: dict[str, Any] = {}
    if os.geteuid() == 0:
        as_owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    done = subprocess.run(["prlimit", "--pid", str(process), f"--fsize={size}:unlimited"], **as_owner)
    assert done.returncode == 0 or not place.exists()


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide", questions=90))


@pytest.fixture
def disk(version: Version) -> Iterator[Disk]:
    if connection.vendor == "sqlite":
        log = Path(f"{connection.settings_dict['NAME']}-wal")

        def ask(query: str) -> list[tuple[object, ...]]:
            with connection.cursor() as cursor:
                cursor.execute(query)
                return list(cursor.fetchall())

        # The log is written over from its start once the database has all of it: one that was long before
        # would have room for ever.
        ask("PRAGMA wal_checkpoint(TRUNCATE)")
        # Some room in the log: the first submissions still fit.
        yield Disk(database_url(), lambda: log.stat().st_size + 100_000, _group_of, ask)
        return
    # A server of its own: the one of the test run has other tests to serve.
    with cluster() as url:
        directory = unquote(url.split("@")[1].rpartition("/")[0])
        psql = [str(programs() / "psql"), "--quiet", "-h", directory, "-U", "sottovoce", "postgres"]
        subprocess.run(psql, input=dumped(), check=True, stdout=subprocess.DEVNULL)
        with psycopg.connect(host=directory, user="sottovoce", dbname="postgres", autocommit=True) as link:
            _fill(link)
            postmaster = int((Path(directory) / "data" / "postmaster.pid").read_text().split()[0])
            yield Disk(
                url,
                # The largest file is the table that the next receipt has to go into.
                lambda: int(link.execute("SELECT pg_relation_size('surveys_receipt')").fetchall()[0][0]),
                lambda _server: [postmaster, *_children_of(postmaster)],
                lambda query: link.execute(query).fetchall(),  # type: ignore[arg-type] - texts of this file
            )


def _fill(link: psycopg.Connection[tuple[object, ...]]) -> None:
    """Grow the table of receipts to a mebibyte, which no file of the server's own exceeds."""
    link.execute(
        """
        INSERT INTO surveys_receipt (survey_id, "key", digest)
        SELECT (SELECT max(id) FROM surveys_survey), sha256(i::text::bytea), sha256((-i)::text::bytea)
        FROM generate_series(1, 12000) AS i
        """
    )


def _group_of(server: WebServer) -> list[int]:
    assert server.process is not None
    return [server.process.pid, *_children_of(server.process.pid)]


def _children_of(process: int) -> list[int]:
    """Return the processes that a process started, and those that they started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, text=True, check=True)
    parents = {int(pid): int(parent) for pid, parent in map(str.split, listed.stdout.splitlines())}
    found = [pid for pid, parent in parents.items() if parent == process]
    return found + [below for pid in found for below in _children_of(pid)]


def sweep(disk: Disk, *, most: int | None) -> subprocess.CompletedProcess[str]:
    """Let the sweeper come round once; it writes no file beyond this size."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    return subprocess.run(
        [sys.executable, "manage.py", "sweep", "--once"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": disk.url, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        preexec_fn=limit,
        capture_output=True,
        text=True,
    )


def rows_of(disk: Disk, version: Version) -> Counter[bytes]:
    """Return all rows of the survey, those that wait and those in batches."""
    size = Layout(version.to_design()).n_bytes
    rows = Counter(
        opened(bytes(box), sealed_under=bytes(under), design_id=version.design_id)
        for box, under in disk.ask("SELECT box, sealed_under FROM surveys_inbox")
    )
    for (packed,) in disk.ask("SELECT packed FROM surveys_batch"):
        rows.update(bytes(packed)[start : start + size] for start in range(0, len(bytes(packed)), size))
    return rows


@pytest.mark.soak
def test_what_a_full_disk_refuses_is_received_once_when_there_is_room(
    version: Version, disk: Disk, tmp_path: Path, soak: int
) -> None:
    (before,) = disk.ask("SELECT COUNT(*) FROM surveys_receipt")[0]
    received: list[bytes] = []
    with WebServer(tmp_path / "web.log", DATABASE_URL=disk.url, **FAST) as server:
        for trial in range(soak):
            batches = disk.ask("SELECT COUNT(*) FROM surveys_batch")
            received += filled_and_emptied(version, disk, server)
            assert disk.ask("SELECT COUNT(*) FROM surveys_receipt") == [(before + len(received),)], trial
            bodies = [bytes.fromhex(raw.split(b'"body":"')[1].split(b'"')[0].decode()) for raw in received]
            assert rows_of(disk, version) == Counter(bodies), trial
            done = sweep(disk, most=None)
            assert done.returncode == 0, done.stderr
            assert rows_of(disk, version) == Counter(bodies), trial
            assert disk.ask("SELECT COUNT(*) FROM surveys_batch") != batches, trial


def filled_and_emptied(version: Version, disk: Disk, server: WebServer) -> list[bytes]:
    """Send until the disk is full, resend the refused one later, and return the received rows."""
    batches = disk.ask("SELECT COUNT(*) FROM surveys_batch")
    received: list[bytes] = []
    for _ in range(100):
        received.append(request_of(version))
        assert server.post(received[-1])[0] == 200
    with disk.full(server) as size:
        for _ in range(MOST_BEFORE_IT_IS_FULL):
            raw = request_of(version)
            status, answer, headers = server.post(raw)
            if status != 200:
                break
            received.append(raw)
        assert (status, headers["retry-after"]) == (503, "5")
        assert b"full" in answer
        assert b"nothing was stored" in answer
        if connection.vendor == "sqlite":
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            link.request("GET", "/ready")
            assert json.loads(link.getresponse().read())["writes"] == "refused"
            link.close()
        swept = sweep(disk, most=size if connection.vendor == "sqlite" else None)
        if connection.vendor == "sqlite":
            # The sweeper fails at what it cannot write, and the rows stay where they are. Once the log was
            # emptied before, it can also begin again at its front: then there was room, and all are mixed,
            # though room may be missing for what comes after, which then fails and says so.
            stayed = disk.ask("SELECT COUNT(*) FROM surveys_batch") == batches
            assert swept.returncode == 1 or not stayed, swept.stderr
            assert stayed or batches != [(0,)], "the first time there is none"
    # There is room again, and no process was restarted.
    for _ in range(2):
        assert server.post(raw)[0] == 200
    return [*received, raw]
