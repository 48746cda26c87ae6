import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from surveys.server import watchdog
from surveys.server.launch import LOG_BYTES, Child, Supervisor
from tests.conftest import ROOT, wait_until

SLEEP = [sys.executable, "-c", "import time; time.sleep(300)"]


class Told(list[str]):
    def __contains__(self, part: object) -> bool:
        return any(str(part) in line for line in self)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def supervisor(tmp_path: Path, told: Told) -> Iterator[Supervisor]:
    supervisor = Supervisor(
        directory=ROOT, environment=dict(os.environ), logs=tmp_path / "log", say=told.append
    )
    yield supervisor
    supervisor.stop()


def pid(child: Child) -> int:
    assert child.process is not None
    return child.process.pid


def lives(group: int) -> bool:
    """Return whether a process of the group is alive (dead children not yet waited for do not count)."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return any(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


def test_a_dead_child_is_restarted_and_its_last_words_are_told(supervisor: Supervisor, told: Told) -> None:
    code = "import sys, time; print('no disk left', flush=True); time.sleep(300)"
    child = supervisor.start("web", [sys.executable, "-c", code])
    first = pid(child)
    wait_until(lambda: child.log.read_bytes(), what="the child's words")
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: supervisor.tend() or child.process is None, what="the death noticed")
    assert "web ended (SIGKILL); it starts again in 1 s" in told
    assert "no disk left" in told
    wait_until(lambda: supervisor.tend() or child.process is not None, what="the restart")
    assert "web started again" in told
    assert pid(child) != first


def test_a_child_that_keeps_dying_is_restarted_ever_more_slowly(supervisor: Supervisor, told: Told) -> None:
    child = supervisor.start("worker", [sys.executable, "-c", "raise SystemExit(3)"])
    wait_until(lambda: supervisor.tend() or "in 2 s" in told, what="the second pause")
    assert "worker ended (exit code 3); it starts again in 1 s" in told
    assert child.pause == 4.0


def test_a_child_that_never_stops_talking_fills_no_disk(
    supervisor: Supervisor, told: Told, tmp_path: Path
) -> None:
    code = f"""
import pathlib, time
for turn in range(3):
    while not pathlib.Path({str(tmp_path)!r}, str(turn)).exists():
        time.sleep(0.01)
    print("x" * {3 * LOG_BYTES}, f"end of turn {{turn}}", sep=chr(10), flush=True)
time.sleep(300)
"""
    child = supervisor.start("web", [sys.executable, "-c", code])
    older = child.log.with_name("web.log.1")
    for turn in range(3):
        (tmp_path / str(turn)).touch()
        end = f"end of turn {turn}\n".encode()
        wait_until(lambda end=end: child.log.read_bytes().endswith(end), what="the child's words")
        supervisor.tend()
        assert child.log.stat().st_size == 0
        assert older.stat().st_size == LOG_BYTES
        assert older.read_bytes().endswith(end)
    os.kill(pid(child), signal.SIGKILL)
    wait_until(lambda: supervisor.tend() or child.process is None, what="the death noticed")
    assert "end of turn 2" in told


def test_a_log_that_is_gone_or_cannot_be_put_aside_ends_no_watch(supervisor: Supervisor, told: Told) -> None:
    gone, stuck = supervisor.start("web", SLEEP), supervisor.start("worker", SLEEP)
    gone.log.unlink()
    stuck.log.write_bytes(b"x" * (LOG_BYTES + 1))
    # Whatever is written there fails, as it does where the disk is full.
    stuck.log.with_name("worker.log.1").mkdir()
    supervisor.tend()
    os.kill(pid(gone), signal.SIGKILL)
    wait_until(lambda: supervisor.tend() or gone.process is None, what="the death noticed")
    assert "web ended (SIGKILL)" in told
    wait_until(lambda: supervisor.tend() or gone.process is not None, what="the restart")


def test_nothing_that_a_dead_child_had_started_is_left_to_hold_its_port(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])"
    child = supervisor.start("web", [sys.executable, "-c", code])
    group = pid(child)
    wait_until(lambda: supervisor.tend() or child.process is None, what="the death noticed")
    wait_until(lambda: not lives(group), what="the end of the grandchild")


def test_stopping_ends_every_child_the_last_started_first(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The test checks which child is asked first, not how fast a busy machine responds.
    monkeypatch.setattr("surveys.server.launch.SECONDS_TO_STOP", 180.0)
    code = "import signal, sys, time\nfrom pathlib import Path\ndef end(*_):\n"
    code += f"    open({str(tmp_path / 'order')!r}, 'a').write(sys.argv[1])\n    sys.exit()\n"
    code += "signal.signal(signal.SIGTERM, end)\nprint('ready', flush=True)\ntime.sleep(300)"
    children = [supervisor.start(name, [sys.executable, "-c", code, name]) for name in "abc"]
    wait_until(lambda: all(child.log.read_bytes() for child in children), what="the children's readiness")
    groups = [pid(child) for child in children]
    supervisor.stop()
    assert (tmp_path / "order").read_text() == "cba"
    assert not any(lives(group) for group in groups)


def test_a_step_runs_to_its_end_while_children_are_tended(supervisor: Supervisor) -> None:
    never = threading.Event()
    assert supervisor.run([sys.executable, "-c", "raise SystemExit(7)"], until=never) == 7


def test_a_step_is_broken_off_when_everything_stops(supervisor: Supervisor) -> None:
    now = threading.Event()
    now.set()
    assert supervisor.run(SLEEP, until=now) is None


def test_the_children_of_a_killed_supervisor_end_too(tmp_path: Path) -> None:
    code = (
        "import os, sys, time\nfrom pathlib import Path\nfrom surveys.server.launch import Supervisor\n"
        "supervisor = Supervisor(directory=Path.cwd(), environment=dict(os.environ), logs=Path(sys.argv[1]),"
        " say=print)\n"
        "child = supervisor.start('web', [sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        "print(child.process.pid, flush=True)\ntime.sleep(300)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    group = int(holder.stdout.readline())
    assert lives(group)
    holder.kill()
    holder.wait()
    wait_until(lambda: not lives(group), what="the end of the child")


SCRIPT = ROOT / "surveys" / "server" / "watchdog.py"


def watch(lines: str) -> None:
    subprocess.run([sys.executable, "-I", str(SCRIPT)], input=lines, text=True, check=True)


def test_only_what_was_started_and_not_stopped_is_left() -> None:
    assert watchdog.groups_left(["+11\n", "+12\n", "-11\n", "+13\n"]) == [12, 13]


def test_at_a_clean_end_there_is_nothing_to_do_and_nothing_to_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(watchdog.time, "sleep", waited.append)
    watchdog.end(watchdog.groups_left(["+11\n", "-11\n"]))
    assert waited == []


@pytest.mark.soak
def test_a_group_that_ignores_a_request_to_stop_is_killed() -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    code += "; print(flush=True); time.sleep(300)"
    stubborn = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert stubborn.stdout is not None
    stubborn.stdout.readline()
    watch(f"+{stubborn.pid}\n")
    assert stubborn.wait() == -9
