"""Web and worker cut off from database or broker: nothing lost, nothing twice, well again by themselves."""

from __future__ import annotations

import http.client
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest
from django.db import connection, transaction

from surveys.jobs import lease
from surveys.models import Job, Receipt
from tests.attack.scratch import database_url
from tests.conftest import wait_until
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.runs import long_work, mined
from tests.fixtures.waiting import waiting_counted
from tests.fixtures.web_server import WebServer
from tests.operations.relay import Relay
from tests.settings import BROKER_SOCKET
from tests.surveys.test_tasks import asked, result_of, state_of, swept_until

pytestmark = pytest.mark.django_db(transaction=True)

StartWorker = Callable[..., Popen[bytes]]

FAST = {"SOTTOVOCE_SUBMISSION_RATE": "100000,100000"}
SEED = 20_261_120


@contextmanager
def line_to_the_database(directory: Path) -> Iterator[tuple[str, Callable[[], None], Callable[[], None]]]:
    """Return a database address, a function that cuts its users off, and one that reconnects them.

    PostgreSQL answers through a relay. SQLite is a file: the closest equivalent is a process that holds its
    lock.
    """
    if connection.vendor == "sqlite":
        holder = connection.copy()
        yield (
            database_url(),
            lambda: holder.cursor().execute("BEGIN IMMEDIATE").close(),
            lambda: holder.cursor().execute("ROLLBACK").close(),
        )
        holder.close()
        return
    socket = ".s.PGSQL.5432"
    target = Path(str(connection.settings_dict["HOST"])) / socket
    with Relay(directory / socket, target) as relay:
        near = database_url().replace(
            str(target.parent).replace("/", "%2F"), str(directory).replace("/", "%2F")
        )
        yield near, relay.cut, relay.mend


@pytest.fixture
def short_directory() -> Iterator[Path]:
    """Give a directory whose name leaves room for a socket's."""

    with tempfile.TemporaryDirectory(prefix="sottovoce-line-") as directory:
        yield Path(directory)


@pytest.mark.soak
def test_devices_whose_server_loses_its_database_again_and_again_are_all_received_once(
    tmp_path: Path, short_directory: Path, soak: int
) -> None:
    version = published(wide_definition("wide", questions=90))
    cuts, rng, stop = 4 * soak, random.Random(SEED), threading.Event()
    sent: list[bytes] = []
    refused: list[bytes] = []
    faults: list[BaseException] = []
    with (
        line_to_the_database(short_directory) as (url, cut, mend),
        WebServer(tmp_path / "web.log", DATABASE_URL=url, **FAST) as server,
    ):

        def device() -> None:
            try:
                while not stop.is_set():
                    raw = request_of(version)
                    sent.append(raw)
                    while (answer := server.post(raw))[0] == 503:
                        refused.append(answer[1])
                        assert answer[2]["retry-after"] == "5"
                        # A real device waits for as long as the server asks.
                        time.sleep(0.02)
                    assert answer[0] == 200, answer
            except BaseException as fault:
                faults.append(fault)
            finally:
                connection.close()

        devices = [threading.Thread(target=device) for _ in range(4)]
        for thread in devices:
            thread.start()
        for _ in range(cuts):
            time.sleep(0.1 + rng.random() / 4)
            before = len(refused)
            cut()
            if connection.vendor == "postgresql":
                wait_until(lambda before=before: len(refused) > before or faults, what="a refused device")
            time.sleep(0.05 + rng.random() / 10)
            mend()
        stop.set()
        for thread in devices:
            thread.join()
        assert faults == []
        # Without hands: the next answer after the last cut is a good one.
        assert server.post(sent[-1])[0] == 200
    if connection.vendor == "postgresql":
        assert b"nothing was stored" in refused[0]
    assert Receipt.objects.count() == len(sent)
    assert waiting_counted() == Counter(
        bytes.fromhex(raw.split(b'"body":"')[1].split(b'"')[0].decode()) for raw in sent
    )


@pytest.mark.soak
def test_a_page_says_so_while_the_database_is_away_and_comes_back_with_it(
    tmp_path: Path, short_directory: Path
) -> None:
    published(wide_definition("wide"))
    with (
        line_to_the_database(short_directory) as (url, cut, mend),
        WebServer(tmp_path / "web.log", DATABASE_URL=url) as server,
    ):

        def page(path: str) -> int:
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            link.request("GET", path)
            status = link.getresponse().status
            link.close()
            return status

        assert page("/client/surveys/wide") == 200
        cut()
        # A file can be read while a process writes; a server that is away cannot.
        assert page("/client/surveys/wide") == (200 if connection.vendor == "sqlite" else 500)
        assert page("/ready") == 503
        mend()
        wait_until(lambda: page("/client/surveys/wide") == 200, what="the page")


@pytest.mark.soak
def test_a_run_whose_worker_is_cut_off_from_the_broker_is_finished_once(
    start_worker: StartWorker, broker: str, short_directory: Path, soak: int
) -> None:
    version, thresholds = long_work()
    wanted = result_of(mined(version, thresholds))
    with Relay(short_directory / "b", BROKER_SOCKET) as relay:
        start_worker(SOTTOVOCE_TEST_BROKER=f"redis+socket://{short_directory / 'b'}")
        for trial in range(1 if soak == 1 else soak // 4):
            run = asked(version, thresholds)
            swept_until(
                lambda run=run: state_of(run) != "queued", what=f"the worker's claim in trial {trial}"
            )
            relay.cut()
            # No sweeper runs: on a busy machine it might declare the worker dead; a different test covers
            # that.
            wait_until(
                lambda run=run: state_of(run) == "finished", seconds=180, what=f"the end of run {trial}"
            )
            relay.mend()
            assert result_of(run) == wanted
            assert Job.objects.get(pk=run.job_id).attempts == 1
            # A job that the broker delivers again, because it missed the end, changes nothing.
            after = asked(version, thresholds)
            swept_until(lambda after=after: state_of(after) == "finished", what="a run after the cut")
            assert Job.objects.get(pk=run.job_id).attempts == 1


@pytest.mark.soak
@pytest.mark.only("postgresql")
def test_a_run_whose_worker_is_cut_off_from_the_database_is_finished_once(
    start_worker: StartWorker, short_directory: Path, soak: int
) -> None:
    version, thresholds = long_work()
    wanted = result_of(mined(version, thresholds))
    rng = random.Random(SEED)
    with line_to_the_database(short_directory) as (url, cut, mend):
        start_worker(DATABASE_URL=url)
        for trial in range(1 if soak == 1 else soak // 4):
            run = asked(version, thresholds)
            swept_until(
                lambda run=run: state_of(run) != "queued", what=f"the worker's claim in trial {trial}"
            )
            time.sleep(rng.random() / 2)
            cut()
            time.sleep(rng.random() * 3)
            mend()
            swept_until(lambda run=run: state_of(run) == "finished", what=f"the end of run {trial}")
            assert result_of(run) == wanted, f"trial {trial}, seed {SEED}"


@pytest.mark.soak
@pytest.mark.only("sqlite")
def test_a_run_whose_worker_finds_the_database_locked_is_finished_once(
    start_worker: StartWorker, soak: int
) -> None:
    version, thresholds = long_work()
    wanted = result_of(mined(version, thresholds))
    rng = random.Random(SEED)
    start_worker()
    for trial in range(1 if soak == 1 else soak // 4):
        run = asked(version, thresholds)
        swept_until(lambda run=run: state_of(run) != "queued", what=f"the worker's claim in trial {trial}")
        with transaction.atomic():
            # Longer than a lease is extended by: the lock may cost an attempt, never a result.
            time.sleep(rng.random() * 3)
        swept_until(lambda run=run: state_of(run) == "finished", what=f"the end of run {trial}")
        assert result_of(run) == wanted, f"trial {trial}, seed {SEED}"


@pytest.mark.soak
def test_a_run_finds_its_worker_after_the_broker_forgot_everything(
    start_worker: StartWorker, broker_server: object, soak: int
) -> None:
    version, thresholds = long_work()
    wanted = result_of(mined(version, thresholds))
    rng = random.Random(SEED)
    start_worker()
    for trial in range(1 if soak == 1 else soak // 4):
        runs = [asked(version, thresholds) for _ in range(1 if soak == 1 else 2)]
        time.sleep(rng.random() * 2)
        broker_server.client().flushall()  # type: ignore[attr-defined] - the embedded server's
        for run in runs:
            swept_until(
                lambda run=run: state_of(run) == "finished", what=f"the end of a run of trial {trial}"
            )
            assert result_of(run) == wanted, f"trial {trial}, seed {SEED}"
            assert not lease.perform(run.job_id, lambda job_id, report: pytest.fail("claimed after its end"))
