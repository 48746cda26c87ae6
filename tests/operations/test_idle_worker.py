"""An idle worker uses little memory."""

from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from benchmarks.memory import megabytes
from tests.conftest import wait_until
from tests.postgresql import children_of

pytestmark = pytest.mark.django_db(transaction=True)

MOST_MEGABYTES = 250


@pytest.mark.soak
def test_an_idle_worker_uses_less_than_250_megabytes(start_worker: Callable[..., Popen[bytes]]) -> None:
    if not Path("/proc/self/smaps_rollup").exists():
        pytest.skip("the kernel tells no shares of memory here")
    worker = start_worker()
    wait_until(lambda: children_of(worker.pid), what="the worker's processes")
    (process,) = children_of(worker.pid)
    # The units start two processes.
    assert megabytes(worker.pid) + 2 * megabytes(process) < MOST_MEGABYTES
