import subprocess
import sys

import pytest

from surveys.server import watchdog
from tests.conftest import ROOT

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
