import contextlib
import http.client
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from surveys.errors.error import SurveyError
from surveys.server import launch
from surveys.server.environment import AlreadyRunning, RunLock, Running, running_in
from surveys.server.launch import Launch
from tests.conftest import ROOT, wait_until

WISH = Launch(host="127.0.0.1", port=8000, once=True)


@dataclass
class Run:
    """One ./run shared by this module, with its own home, started as a user would start it."""

    process: subprocess.Popen[bytes]
    home: Path
    port: int
    output: Path

    def says(self, text: str) -> bool:
        assert self.process.poll() is None or text in self.output.read_text(), self.output.read_text()
        return text in self.output.read_text()

    def part(self, word: str) -> int:
        """The process id of the part whose command holds `word`."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,command="], stdout=subprocess.PIPE, text=True, check=True
        )
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        found = [int(row[0]) for row in rows if int(row[1]) == self.process.pid and word in row[2]]
        assert len(found) == 1, f"{word}: {found}"
        return found[0]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def dev(home: Path, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.Popen(
        [sys.executable, "manage.py", "dev", *arguments],
        cwd=ROOT,
        env={**environment, "SOTTOVOCE_HOME": str(home)},
        start_new_session=True,
        **options,
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    home = tmp_path_factory.mktemp("home")
    output, port = home / "output", free_port()
    with open(output, "wb") as file:
        process = dev(home, "--port", str(port), stdout=file, stderr=subprocess.STDOUT)
    run = Run(process=process, home=home, port=port, output=output)
    wait_until(lambda: run.says("Sottovoce is at"), seconds=180, what="the address")
    yield run
    process.kill()
    process.wait()


@pytest.mark.slow
def test_it_says_where_it_is_all_is_well_and_what_it_keeps_is_its_owners(run: Run) -> None:
    assert run.says(f"Sottovoce is at http://localhost:{run.port}/")
    assert launch.what_is_wrong("127.0.0.1", run.port) == ""
    kept = [run.home / name for name in ("secret_key", "sottovoce.sqlite3", "log/web.log")]
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in kept] == [0, 0, 0]
    # A second terminal finds the broker of the one that runs.
    running = running_in(run.home)
    assert running is not None
    assert running.port == run.port
    assert running.redis_url.startswith("redis+socket://")


@pytest.mark.slow
def test_no_file_remembers_who_asked_for_what(run: Run) -> None:
    link = http.client.HTTPConnection("127.0.0.1", run.port)
    for path in ("/en/", "/en/nowhere-quagga", "/api/submissions?quagga"):
        link.request("GET", path, headers={"User-Agent": "agent-quagga", "X-Forwarded-For": "203.0.113.77"})
        link.getresponse().read()
    link.close()
    found = {}
    for path in run.home.rglob("*"):
        # A part may remove a file of its own meanwhile; directories and sockets are skipped.
        with contextlib.suppress(OSError):
            found[path] = path.read_bytes()
    assert run.home / "log" / "web.log" in found
    # No digest has these letters.
    traces = [b"quagga", b"203.0.113.77"]
    assert [path.name for path, kept in found.items() if any(trace in kept for trace in traces)] == []


PARTS = {"web": "granian", "worker": "celery", "sweeper": "sweep", "broker": "surveys.server.launch"}


@pytest.mark.slow
@pytest.mark.soak
def test_parts_that_are_killed_are_said_to_have_ended_and_started_again(run: Run) -> None:
    first = {name: run.part(word) for name, word in PARTS.items()}
    for process in first.values():
        os.kill(process, signal.SIGKILL)
    for name in PARTS:
        wait_until(lambda name=name: run.says(f"{name} ended (SIGKILL)"), what="the word that it ended")
        wait_until(lambda name=name: run.says(f"{name} started again"), what="the word that it started again")
    assert not {run.part(word) for word in PARTS.values()} & set(first.values())
    wait_until(lambda: launch.what_is_wrong("127.0.0.1", run.port) == "", what="health")


@pytest.mark.slow
@pytest.mark.soak
def test_it_stops_cleanly_when_asked_and_leaves_no_process_and_no_lock(run: Run) -> None:
    groups = [run.part(word) for word in PARTS.values()]
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(timeout=120) == 0
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], stdout=subprocess.PIPE, text=True, check=True)
    # What ended stays listed as Z until the system's first process has asked for its exit code.
    alive = {int(group) for group, state in map(str.split, listed.stdout.splitlines()) if state[0] != "Z"}
    assert not alive & set(groups)
    assert running_in(run.home) is None
    assert launch.what_is_wrong("127.0.0.1", run.port).startswith("/ready cannot be reached")


def test_a_port_that_another_program_uses_is_refused_with_another_one_to_try() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        with pytest.raises(SurveyError, match=f"port {port} on 127.0.0.1 cannot be used .*--port {port + 1}"):
            launch.require_free_port("127.0.0.1", port)


def test_a_lock_that_is_held_is_refused_naming_the_port(tmp_path: Path) -> None:
    lock = RunLock(tmp_path)
    assert running_in(tmp_path) is None
    with pytest.raises(SurveyError, match="is already running and is just starting"):
        launch.take_lock(tmp_path)
    lock.publish(Running(pid=1, port=8017, redis_url="redis://localhost"))
    with pytest.raises(SurveyError, match="already running on port 8017"):
        launch.take_lock(tmp_path)
    lock.release()


def test_an_sqlite_database_is_copied_whole_while_it_is_in_use(tmp_path: Path) -> None:
    database = tmp_path / "sottovoce.sqlite3"
    live = sqlite3.connect(database)
    live.execute("PRAGMA journal_mode=WAL")
    live.execute("CREATE TABLE words (word)")
    live.execute("INSERT INTO words VALUES ('sottovoce')")
    live.commit()
    # The row is still in the write-ahead log: copying the file alone would lose it.
    assert launch.copy_sqlite(database) == launch.copy_sqlite(database)
    copy = sqlite3.connect(launch.copy_sqlite(database))
    assert copy.execute("SELECT word FROM words").fetchall() == [("sottovoce",)]
    copy.close()
    live.close()
    assert not list(tmp_path.glob("*.part"))


@dataclass
class Demo:
    """A supervisor whose demo ends with a given exit code."""

    returncode: int | None

    def run(self, command: list[str], *, until: threading.Event) -> int | None:
        assert command[-2:] == ["demo", "--wait"]
        return self.returncode


@pytest.mark.parametrize(
    ("demo", "wrong", "expected"),
    [
        (0, "", 0),
        (1, "", 1),
        (None, "", 1),
        (0, "/ready says 503: {}", 1),
    ],
)
def test_once_succeeds_only_with_the_demos_report_and_good_health(
    demo: int | None, wrong: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "what_is_wrong", lambda _host, _port: wrong)
    supervisor: Any = Demo(demo)
    assert launch._show_once(WISH, supervisor, stopping=threading.Event(), say=print) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allowed", "header"),
    [(["localhost"], "localhost"), (["*"], "localhost"), ([".example.org"], "example.org")],
)
def test_the_health_check_asks_under_a_name_that_is_allowed(
    allowed: list[str], header: str, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = allowed
    assert launch.allowed_host() == header


FACTS = Running(pid=4242, port=8017, redis_url="redis+socket:///somewhere/broker.sock")

HOLD = """
import sys, time
from pathlib import Path
from surveys.server.environment import Running, RunLock
lock = RunLock(Path(sys.argv[1]))
lock.publish(Running(pid=4242, port=8017, redis_url="redis+socket:///somewhere/broker.sock"))
print("held", flush=True)
time.sleep(60)
"""


def test_where_nothing_ever_ran_nothing_runs(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_facts_of_a_process_are_read_while_it_runs_and_not_believed_once_it_is_killed(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert running_in(tmp_path) == FACTS
        with pytest.raises(AlreadyRunning) as refused:
            RunLock(tmp_path)
        assert refused.value.running == FACTS
        holder.kill()
    assert (tmp_path / "run.lock").read_text() != ""
    assert running_in(tmp_path) is None
    RunLock(tmp_path).release()
