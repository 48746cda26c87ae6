"""Two machines serve the web, and one mixes: they share a database and no file."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from surveys.intake.mix import mix_waiting
from surveys.models import Batch, Receipt
from tests.cast.devices import published, request_of, wide_definition
from tests.cast.waiting import waiting_counted
from tests.cast.web_server import WebServer
from tests.operations.test_cut_off import FAST
from tests.surveys.intake.test_live import body_of
from tests.surveys.intake.test_mix import rows

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
        WebServer(tmp_path / "1.log", SOTTO_MIXER_KEYS=str(hosts[0]), **FAST) as one,
        WebServer(tmp_path / "2.log", SOTTO_MIXER_KEYS=str(hosts[1]), **FAST) as other,
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
