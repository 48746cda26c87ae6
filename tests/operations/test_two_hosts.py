"""Machines that share database and broker, and no file: two serve the web, one mixes, another one mines."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.db import connection

from surveys.intake.mix import mix_waiting
from surveys.jobs import lease
from surveys.models import Batch, Job, Receipt
from surveys.runs.mining_job import mine_snapshot
from tests.conftest import wait_until
from tests.fixtures.devices import closed, published, request_of, wide_definition
from tests.fixtures.runs import asked
from tests.fixtures.waiting import waiting_counted
from tests.fixtures.web_server import FAST, WebServer
from tests.surveys.intake.test_live import body_of
from tests.surveys.intake.test_mix import rows
from tests.surveys.runs.test_fan_out import result_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_what_two_web_hosts_receive_is_mixed_once_by_one_mixer_and_they_have_no_keys(
    tmp_path: Path, soak: int
) -> None:
    version = published(wide_definition("wide", questions=90))
    hosts = [tmp_path / "one", tmp_path / "other"]
    sent: list[bytes] = []
    faults: list[BaseException] = []
    with (
        WebServer(tmp_path / "1.log", SOTTOVOCE_MIXER_KEYS=str(hosts[0]), **FAST) as one,
        WebServer(tmp_path / "2.log", SOTTOVOCE_MIXER_KEYS=str(hosts[1]), **FAST) as other,
    ):

        def device(first: WebServer, second: WebServer) -> None:
            try:
                for _ in range(60 * min(soak, 20)):
                    raw = request_of(version)
                    sent.append(raw)
                    # The answer of the first is lost, and the device comes to the second.
                    for server in (first, second):
                        while server.post(raw)[0] == 503:
                            time.sleep(0.02)
            except BaseException as fault:
                faults.append(fault)
            finally:
                connection.close()

        devices = [threading.Thread(target=device, args=pair) for pair in ((one, other), (other, one)) * 2]
        for thread in devices:
            thread.start()
        while any(thread.is_alive() for thread in devices):
            mix_waiting()
            time.sleep(0.1)
        mix_waiting()
    assert faults == []
    assert Receipt.objects.count() == len(sent)
    batches = list(Batch.objects.all())
    assert batches
    assert Counter(rows(version, batches)) + waiting_counted() == Counter(map(body_of, sent))
    assert not any(host.exists() for host in hosts)


@pytest.mark.soak
def test_a_worker_with_a_home_of_its_own_and_no_keys_mines_what_another_machine_took_and_mixed(
    start_worker: Callable[..., Popen[bytes]], broker: str, settings: Any, tmp_path: Path
) -> None:
    version = published(wide_definition("wide", questions=8))
    here, there, no_keys = (tmp_path / name for name in ("here", "there", "no-keys"))
    here.mkdir()
    settings.SOTTOVOCE_HOME = here
    with WebServer(tmp_path / "web.log", SOTTOVOCE_TEST_HOME=str(here), **FAST) as web:
        assert {web.post(request_of(version))[0] for _ in range(160)} == {200}
    closed(version)
    mix_waiting()
    assert sum(batch.n for batch in Batch.objects.all()) == 160
    start_worker(
        SOTTOVOCE_TEST_HOME=str(there), SOTTOVOCE_TEST_BROKER=broker, SOTTOVOCE_MIXER_KEYS=str(no_keys)
    )
    run = asked(version)
    lease.dispatch_job(run.job_id)
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, what="the end of the run")
    found = result_of(run)
    assert len(found) > 10
    # Columns were made there; neither home has a file of the other, and only the mixer has keys.
    assert list((there / "columns").iterdir())
    assert not (here / "columns").exists()
    assert not no_keys.exists()
    assert not (there / "mixer_keys").exists()
    alone = asked(version)
    assert lease.perform(alone.job_id, mine_snapshot)
    assert result_of(alone) == found
