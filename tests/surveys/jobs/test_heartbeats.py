"""Workers report that they are alive, with program version, key and home, and clean their home."""

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from subprocess import Popen

import pytest
from django.utils import timezone

from surveys.jobs.heartbeats import facts_of_this_program, sign, workers
from surveys.jobs.home_token import home_token
from surveys.models.heartbeat import record_heartbeat
from tests.conftest import kill_group, wait_until

StartWorker = Callable[..., Popen[bytes]]


def names() -> list[str]:
    return [worker.name for worker in workers(now=timezone.now())]


@pytest.mark.soak
def test_workers_register_at_start_and_deregister_at_exit(
    start_worker: StartWorker, broker: str, tmp_path: Path
) -> None:
    first = start_worker()
    wait_until(names, what="the sign of the first worker")
    (seen,) = workers(now=timezone.now())
    assert seen.lives
    assert seen.name.endswith(f"/{first.pid}")
    assert {name: getattr(seen, name) for name in ("program", "key", "home")} == facts_of_this_program()
    # Columns of a survey that was deleted long ago from another machine.
    home = tmp_path / "home"
    left_over = home / "columns" / "4711-00ff"
    left_over.mkdir(parents=True)
    (left_over / "1-2").write_bytes(b"disguised rows")
    other = start_worker(SOTTOVOCE_TEST_HOME=str(home), SOTTOVOCE_TEST_BROKER=broker, SECRET_KEY="k" * 40)
    wait_until(lambda: len(names()) == 2, what="the sign of the second worker")
    second = next(one for one in workers(now=timezone.now()) if one.name.endswith(f"/{other.pid}"))
    assert (second.program, second.home) == (seen.program, home_token(home))
    assert second.home != seen.home
    assert second.key != seen.key
    wait_until(lambda: not left_over.exists(), what="the end of what no survey owns")
    os.kill(other.pid, signal.SIGTERM)
    other.wait(timeout=300)
    assert names() == [seen.name]
    kill_group(first)
    assert names() == [seen.name], "whoever was killed is missed"


@pytest.mark.django_db
def test_killed_workers_are_listed_for_an_hour_and_the_last_one_for_good() -> None:
    now = timezone.now()
    record_heartbeat("worker old/1", now=now - timedelta(hours=2))
    record_heartbeat("worker late/2", now=now - timedelta(minutes=30))
    record_heartbeat("sweeper", now=now - timedelta(days=2))
    assert names() == ["late/2", "old/1"]
    assert not any(worker.lives for worker in workers(now=now))
    sign(now=now, facts={"program": "p", "key": "k", "home": "h"})
    assert len(names()) == 2
    assert names()[1] == "late/2"
