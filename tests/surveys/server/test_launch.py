import contextlib
import errno
import http.client
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmarks.memory import megabytes, processes_below
from benchmarks.proxies import free_port
from surveys.errors.error import SurveyError
from surveys.run_lock import RunLock, Running, running_in
from surveys.server import launch
from surveys.server.launch import Launch
from surveys.server.stop_signal import StopSignal
from tests.conftest import ROOT, wait_until
from tests.fixtures.processes import is_group_alive

WISH = Launch(host="127.0.0.1", port=8000, once=True)


@dataclass
class Run:
    """One ./run for this module, with its own home, started as by a user."""

    process: subprocess.Popen[bytes]
    home: Path
    port: int
    output: Path

    def says(self, text: str) -> bool:
        assert self.process.poll() is None or text in self.output.read_text(), self.output.read_text()
        return text in self.output.read_text()

    def part(self, word: str) -> int:
        """Return the id of the child process whose command contains `word`."""
        listed = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], stdout=subprocess.PIPE, text=True, check=True
        )
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        found = [int(row[0]) for row in rows if int(row[1]) == self.process.pid and word in row[2]]
        assert len(found) == 1, f"{word}: {found}"
        return found[0]


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
    wait_until(lambda: run.says("Sottovoce is at"), what="the address")
    yield run
    process.kill()
    process.wait()


@pytest.mark.slow
def test_startup_prints_the_address_passes_health_and_keeps_files_private(run: Run) -> None:
    assert run.says(f"Sottovoce is at http://localhost:{run.port}/")
    assert launch.what_is_wrong("127.0.0.1", run.port) == ""
    kept = [run.home / name for name in ("secret_key", "sottovoce.sqlite3", "log/web.log")]
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in kept] == [0, 0, 0]
    # A second terminal finds the broker of the running one.
    running = running_in(run.home)
    assert running is not None
    assert running.address == f"http://localhost:{run.port}/"
    assert running.redis_url.startswith("redis+socket://")


@pytest.mark.slow
def test_no_file_records_who_requested_what(run: Run) -> None:
    link = http.client.HTTPConnection("127.0.0.1", run.port)
    for path in ("/en/", "/en/nowhere-quagga", "/api/submissions?quagga"):
        link.request("GET", path, headers={"User-Agent": "agent-quagga", "X-Forwarded-For": "203.0.113.77"})
        link.getresponse().read()
    link.close()
    found = {}
    for path in run.home.rglob("*"):
        # Processes may remove files meanwhile, and directories and sockets cannot be read.
        with contextlib.suppress(OSError):
            found[path] = path.read_bytes()
    assert run.home / "log" / "web.log" in found
    # These texts cannot occur in a digest.
    traces = [b"quagga", b"203.0.113.77"]
    assert [path.name for path, kept in found.items() if any(trace in kept for trace in traces)] == []


PARTS = {"web": "granian", "worker": "celery", "sweeper": "sweep", "broker": "valkey-server"}


@pytest.mark.slow
@pytest.mark.soak
def test_an_installation_with_the_demonstration_needs_at_most_430_megabytes(run: Run) -> None:
    """It needed 616 MB: processes that only waited, migrations, and pandas after the first run.

    With numba, which ./run does not install, a worker process is kept, and the sum is 452 instead of 364 MB.
    """
    most = 430 if find_spec("numba") is None else 480
    if not Path("/proc/self/smaps_rollup").exists():
        pytest.skip("the kernel tells no shares of memory here")
    wait_until(lambda: run.says("Ctrl-C stops everything"), what="the demonstration")
    database = sqlite3.connect(run.home / "sottovoce.sqlite3")
    unfinished = "SELECT count(*) FROM surveys_job WHERE state IN ('queued', 'running')"
    wait_until(lambda: database.execute(unfinished).fetchone() == (0,), what="the end of all runs")
    wait_until(
        lambda: sum(map(megabytes, processes_below(run.process.pid))) <= most, what=f"at most {most} MB"
    )


@pytest.mark.slow
@pytest.mark.soak
def test_killed_processes_are_reported_and_restarted(run: Run) -> None:
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
def test_interrupting_stops_every_process_and_releases_the_lock(run: Run) -> None:
    groups = [run.part(word) for word in PARTS.values()]
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(timeout=120) == 0
    assert not any(is_group_alive(group) for group in groups)
    assert running_in(run.home) is None
    assert launch.what_is_wrong("127.0.0.1", run.port).startswith("/ready cannot be reached")


def test_a_port_in_use_is_refused_with_an_alternative() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        with pytest.raises(SurveyError, match=f"port {port} on 127.0.0.1 cannot be used") as refused:
            launch.require_free_port(Launch(host="127.0.0.1", port=port, once=False))
    suggested = re.fullmatch(r"use another port: sottovoce dev --port (\d+)", refused.value.remedy)
    assert suggested is not None
    assert int(suggested[1]) not in {port, 0}


@pytest.mark.parametrize(
    ("options", "start", "free"),
    [
        ({"port": 65_535}, "sottovoce dev", 1024),
        ({"port": 80, "command": "sottovoce demo --wait"}, "sottovoce demo --wait", 1025),
        ({"host": "127.0.0.2", "port": 8000}, "sottovoce dev --host 127.0.0.2", 8001),
    ],
    ids=["last", "privileged", "host"],
)
def test_the_suggested_port_can_be_used_and_the_command_is_the_one_that_was_typed(
    options: dict[str, Any], start: str, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It named ./run to everyone, and the port 65536 or 81."""
    taken = OSError(errno.EACCES, "Permission denied")
    used = range(1, 1025) if options["port"] == 80 else [options["port"]]
    monkeypatch.setattr(launch, "_refused", lambda _host, port: taken if port in used else None)
    with pytest.raises(SurveyError) as refused:
        launch.require_free_port(Launch(**{"host": "127.0.0.1", "once": False} | options))
    assert refused.value.remedy == f"use another port: {start} --port {free}"


@pytest.mark.parametrize("host", ["192.0.2.7", "2001:db8::7"])
def test_an_address_of_another_machine_is_refused_as_an_address(host: str) -> None:
    with pytest.raises(SurveyError, match=f"cannot listen on {host} ") as refused:
        launch.require_free_port(Launch(host=host, port=free_port(), once=False))
    assert "port" not in str(refused.value)


def test_a_held_lock_is_refused_with_the_address_in_use(tmp_path: Path) -> None:
    lock = RunLock(tmp_path)
    assert running_in(tmp_path) is None
    with pytest.raises(SurveyError, match="is already running and is just starting"):
        launch.take_lock(tmp_path)
    lock.publish(Running(pid=1, address="http://192.0.2.7:8017/", redis_url="redis://localhost"))
    with pytest.raises(SurveyError, match=r"already running at http://192\.0\.2\.7:8017/"):
        launch.take_lock(tmp_path)
    lock.release()


@dataclass
class Demo:
    """A supervisor whose demo ends with a given exit code."""

    returncode: int | None

    def run(self, command: list[str], *, until: StopSignal) -> int | None:
        assert command[-1] == "demo" or command[-2:] == ["demo", "--wait"]
        return self.returncode


@pytest.mark.parametrize(
    ("demo", "said"),
    [
        (None, []),
        (0, ["Ctrl-C stops everything"]),
        (
            1,
            [
                "the demo could not be prepared (exit code 1); everything else works",
                "Ctrl-C stops everything",
            ],
        ),
    ],
)
def test_a_start_that_is_stopped_during_the_demo_says_no_more(demo: int | None, said: list[str]) -> None:
    stopping = StopSignal()
    supervisor: Any = Demo(demo)
    if demo is None:
        stopping.set()
    heard: list[str] = []

    def say(text: str) -> None:
        heard.append(text)
        if text.startswith("Ctrl-C"):
            stopping.set()

    assert launch._serve(WISH, supervisor, stopping=stopping, say=say) == 0
    assert heard == said


@pytest.mark.parametrize(
    ("demo", "wrong", "expected"), [(0, "", 0), (1, "", 1), (None, "", 1), (0, "/ready says 503: {}", 1)]
)
def test_the_once_option_succeeds_only_with_a_report_and_good_health(
    demo: int | None, wrong: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "what_is_wrong", lambda _host, _port: wrong)
    supervisor: Any = Demo(demo)
    assert launch._show_once(WISH, supervisor, stopping=StopSignal(), say=print) == expected
