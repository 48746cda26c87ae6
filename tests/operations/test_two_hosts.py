"""Machines that share database and broker but no files: two are web servers, one mixes, one mines.

Random schedules test the interleaving of their steps (tests/faults/schedules.py).
"""

from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from surveys.intake.mix import mix_waiting
from surveys.jobs import lease, queue
from surveys.models import Batch, Job
from surveys.runs.mining_job import mine_snapshot
from tests.conftest import wait_until
from tests.fixtures.devices import closed, published, request_of, wide_definition
from tests.fixtures.runs import requested_run
from tests.fixtures.web_server import FAST, WebServer
from tests.surveys.runs.test_shared_run import result_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_a_remote_worker_mines_answers_received_and_mixed_elsewhere(
    start_worker: Callable[..., Popen[bytes]], broker: str, settings: Any, tmp_path: Path
) -> None:
    version = published(wide_definition("wide", questions=8))
    here, there, no_keys = (tmp_path / name for name in ("here", "there", "no-keys"))
    here.mkdir()
    settings.SOTTOVOCE_HOME = here
    hosts = {"SOTTOVOCE_TEST_HOME": str(here), "SOTTOVOCE_MIXER_KEYS": str(no_keys), **FAST}
    with WebServer(tmp_path / "1.log", **hosts) as one, WebServer(tmp_path / "2.log", **hosts) as other:
        for web in (one, other):
            assert {web.post(request_of(version))[0] for _ in range(80)} == {200}
    closed(version)
    mix_waiting()
    assert sum(batch.n for batch in Batch.objects.all()) == 160
    start_worker(
        SOTTOVOCE_TEST_HOME=str(there), SOTTOVOCE_TEST_BROKER=broker, SOTTOVOCE_MIXER_KEYS=str(no_keys)
    )
    run = requested_run(version)
    queue.dispatch_job(run.job_id)
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, what="the end of the run")
    found = result_of(run)
    assert len(found) > 10
    # Columns were built there. Neither home has a file of the other, and only the mixer has keys.
    assert list((there / "columns").iterdir())
    assert not (here / "columns").exists()
    assert not no_keys.exists()
    assert not (there / "mixer_keys").exists()
    alone = requested_run(version)
    assert lease.perform(alone.job_id, mine_snapshot)
    assert result_of(alone) == found
