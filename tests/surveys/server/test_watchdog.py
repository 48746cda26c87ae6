import subprocess
import sys
from pathlib import Path

import pytest

from surveys.server import watchdog
from tests.conftest import ROOT, wait_until
from tests.fixtures.processes import is_group_alive


def test_children_of_a_killed_supervisor_stop_too(tmp_path: Path) -> None:
    code = (
        "import os, sys, time\nfrom pathlib import Path\nfrom surveys.server.supervisor import Supervisor\n"
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
    assert is_group_alive(group)
    holder.kill()
    holder.wait()
    wait_until(lambda: not is_group_alive(group), what="the end of the child")


SCRIPT = ROOT / "surveys" / "server" / "watchdog.py"


def watch(lines: str) -> None:
    subprocess.run([sys.executable, "-I", str(SCRIPT)], input=lines, text=True, check=True)


def test_only_started_and_not_yet_stopped_groups_remain() -> None:
    assert watchdog.groups_left(["+11\n", "+12\n", "-11\n", "+13\n"]) == [12, 13]


def test_a_clean_shutdown_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(watchdog.time, "sleep", waited.append)
    watchdog.end(watchdog.groups_left(["+11\n", "-11\n"]))
    assert waited == []


@pytest.mark.soak
def test_a_group_that_ignores_sigterm_is_killed() -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    code += "; print(flush=True); time.sleep(300)"
    stubborn = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert stubborn.stdout is not None
    stubborn.stdout.readline()
    watch(f"+{stubborn.pid}\n")
    assert stubborn.wait() == -9
