"""One installation runs in a folder; facts about a process that was killed count no longer."""

import subprocess
import sys
from pathlib import Path

import pytest

from surveys.run_lock import AlreadyRunning, RunLock, Running, running_in
from tests.conftest import ROOT

FACTS = Running(pid=4242, address="http://192.0.2.7:8017/", redis_url="redis+socket:///somewhere/broker.sock")


HOLD = """
import sys, time
from pathlib import Path
from surveys.run_lock import (Running, RunLock)
lock = RunLock(Path(sys.argv[1]))
lock.publish(Running(pid=4242, address="http://192.0.2.7:8017/", redis_url="redis+socket:///somewhere/broker.sock"))
print("held", flush=True)
time.sleep(60)
"""


def test_a_new_directory_reports_no_running_server(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_process_facts_are_ignored_after_the_process_is_killed(tmp_path: Path) -> None:
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
