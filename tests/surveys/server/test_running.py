import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from surveys.server.environment import AlreadyRunning, RunLock, Running, running_in
from tests.conftest import ROOT

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


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_another_process_can_read_the_facts_of_the_one_that_runs(
    tmp_path: Path, holder: subprocess.Popen[bytes]
) -> None:
    assert running_in(tmp_path) == FACTS
    holder.kill()
    holder.wait()


def test_a_second_lock_is_refused_with_the_facts_of_the_first(
    tmp_path: Path, holder: subprocess.Popen[bytes]
) -> None:
    with pytest.raises(AlreadyRunning) as refused:
        RunLock(tmp_path)
    assert refused.value.running == FACTS
    holder.kill()
    holder.wait()


def test_the_facts_of_a_killed_process_are_not_believed(
    tmp_path: Path, holder: subprocess.Popen[bytes]
) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert (tmp_path / "run.lock").read_text() != ""
    assert running_in(tmp_path) is None
    RunLock(tmp_path).release()


def test_where_nothing_ever_ran_nothing_runs(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_lock_without_facts_yet_refuses_and_tells_nothing(tmp_path: Path) -> None:
    lock = RunLock(tmp_path)
    assert running_in(tmp_path) is None
    with pytest.raises(AlreadyRunning) as refused:
        RunLock(tmp_path)
    assert refused.value.running is None
    lock.release()
