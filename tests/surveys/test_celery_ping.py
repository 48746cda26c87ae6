import os
import signal
from collections.abc import Callable
from subprocess import Popen

import pytest
from django.utils import timezone

from surveys.jobs.workers import WORKER_HEARTBEAT
from surveys.models import Beat
from surveys.tasks import ping
from tests.conftest import wait_until

StartWorker = Callable[..., Popen[bytes]]


def beaten_since(moment: object) -> bool:
    return Beat.objects.filter(name=WORKER_HEARTBEAT, at__gte=moment).exists()


@pytest.mark.soak
def test_a_ping_goes_through_the_broker_to_a_worker_process_and_into_the_database(
    start_worker: StartWorker,
) -> None:
    start_worker()
    asked = timezone.now()
    ping.delay()
    wait_until(lambda: beaten_since(asked), what="the second beat")


@pytest.mark.soak
def test_a_ping_sent_while_no_worker_lives_waits_for_the_next_one(start_worker: StartWorker) -> None:
    first = start_worker()
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    asked = timezone.now()
    ping.delay()
    assert not beaten_since(asked)
    start_worker()
    wait_until(lambda: beaten_since(asked), what="the beat asked for while no worker lived")
