import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from surveys.server.stop_signal import StopSignal
from surveys.server.supervisor import LOG_BYTES, Child, Supervisor
from tests.conftest import ROOT, wait_until
from tests.fixtures.processes import is_group_alive

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


def test_a_dead_child_is_restarted_and_its_last_output_reported(supervisor: Supervisor, told: Told) -> None:
    code = "import sys, time; print('no disk left', flush=True); time.sleep(300)"
    child = supervisor.start("web", [sys.executable, "-c", code])
    first = pid(child)
    wait_until(lambda: child.log.read_bytes(), what="the child's words")
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: supervisor.supervise() or child.process is None, what="the death noticed")
    assert "web ended (SIGKILL); it starts again in 1 s" in told
    assert "no disk left" in told
    wait_until(lambda: supervisor.supervise() or child.process is not None, what="the restart")
    assert "web started again" in told
    assert pid(child) != first


def test_a_crashing_child_restarts_with_growing_pauses(supervisor: Supervisor, told: Told) -> None:
    child = supervisor.start("worker", [sys.executable, "-c", "raise SystemExit(3)"])
    wait_until(lambda: supervisor.supervise() or "in 2 s" in told, what="the second pause")
    assert "worker ended (exit code 3); it starts again in 1 s" in told
    assert child.pause == 4.0


def test_endless_output_of_a_child_does_not_fill_the_disk(
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
        supervisor.supervise()
        assert child.log.stat().st_size == 0
        assert older.stat().st_size == LOG_BYTES
        assert older.read_bytes().endswith(end)
    os.kill(pid(child), signal.SIGKILL)
    wait_until(lambda: supervisor.supervise() or child.process is None, what="the death noticed")
    assert "end of turn 2" in told


def test_a_missing_or_unrotatable_log_does_not_stop_the_supervisor(
    supervisor: Supervisor, told: Told
) -> None:
    gone, stuck = supervisor.start("web", SLEEP), supervisor.start("worker", SLEEP)
    gone.log.unlink()
    stuck.log.write_bytes(b"x" * (LOG_BYTES + 1))
    # Rotating this log fails, like writes to a full disk.
    stuck.log.with_name("worker.log.1").mkdir()
    supervisor.supervise()
    os.kill(pid(gone), signal.SIGKILL)
    wait_until(lambda: supervisor.supervise() or gone.process is None, what="the death noticed")
    assert "web ended (SIGKILL)" in told
    wait_until(lambda: supervisor.supervise() or gone.process is not None, what="the restart")


def test_the_descendants_of_a_dead_child_are_ended(supervisor: Supervisor, tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])"
    child = supervisor.start("web", [sys.executable, "-c", code])
    group = pid(child)
    wait_until(lambda: supervisor.supervise() or child.process is None, what="the death noticed")
    wait_until(lambda: not is_group_alive(group), what="the end of the grandchild")


def test_children_are_stopped_in_reverse_order(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A long timeout, because the test checks the order of stopping, not the speed of a busy machine.
    monkeypatch.setattr("surveys.server.supervisor.SECONDS_TO_STOP", 180.0)
    code = "import signal, sys, time\nfrom pathlib import Path\ndef end(*_):\n"
    code += f"    open({str(tmp_path / 'order')!r}, 'a').write(sys.argv[1])\n    sys.exit()\n"
    code += "signal.signal(signal.SIGTERM, end)\nprint('ready', flush=True)\ntime.sleep(300)"
    children = [supervisor.start(name, [sys.executable, "-c", code, name]) for name in "abc"]
    wait_until(lambda: all(child.log.read_bytes() for child in children), what="the children's readiness")
    groups = [pid(child) for child in children]
    supervisor.stop()
    assert (tmp_path / "order").read_text() == "cba"
    assert not any(is_group_alive(group) for group in groups)


def test_a_step_runs_to_completion_while_children_are_supervised(supervisor: Supervisor) -> None:
    never = StopSignal()
    assert supervisor.run([sys.executable, "-c", "raise SystemExit(7)"], until=never) == 7


def test_a_step_is_interrupted_on_shutdown(supervisor: Supervisor) -> None:
    now = StopSignal()
    now.set()
    assert supervisor.run(SLEEP, until=now) is None
