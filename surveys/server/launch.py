"""Bring everything up on one machine: what ./run does once Python stands."""

import contextlib
import http.client
import ipaddress
import json
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu.utils.url import maybe_sanitize_url

from surveys.errors.error import SurveyError
from surveys.server import assets, broker
from surveys.server.running import AlreadyRunning, RunLock, Running
from surveys.server.supervisor import TEND_SECONDS, Supervisor

Say = Callable[[str], None]

# The first worker of an installation compiles for half a minute of a core, and on a busy machine for three.
SECONDS_UNTIL_HEALTHY = 300.0
WORKER_JOBS = 2
STATIC_STAMP = "made-from"
# So many connections wait or are open at once, each for ten seconds until it has sent its head.
CONNECTIONS = [
    *("--backlog", "4096", "--backpressure", "4096"),
    *("--http1-header-read-timeout", "10000", "--http1-buffer-size", "65536"),
]


@dataclass(frozen=True, kw_only=True)
class Launch:
    """How to start: where to listen, and whether to stop when the demo's report exists."""

    host: str
    port: int
    once: bool


def launch(wish: Launch, *, say: Say) -> int:
    """Start everything, wait for INT, TERM or HUP, stop everything; return the exit code."""
    os.umask(0o077)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopping.set())
    lock = take_lock(settings.SOTTO_HOME)
    try:
        require_free_port(wish.host, wish.port)
        prepare_database(say=say)
        prepare_static(say=say)
        with tempfile.TemporaryDirectory(prefix="sotto-") as directory:
            return _run(wish, lock, Path(directory), stopping=stopping, say=say)
    finally:
        lock.release()


def take_lock(home: Path) -> RunLock:
    """Take the lock of `home`, or say where the one runs that holds it."""
    try:
        return RunLock(home)
    except AlreadyRunning as already:
        where = f"on port {already.running.port}" if already.running else "and is just starting"
        raise SurveyError("launch.running", where=where, home=home) from None


def require_free_port(host: str, port: int) -> None:
    """Refuse a port that another program listens on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SurveyError(
                "launch.port", port=port, host=host, error=error.strerror, next=port + 1
            ) from error


def prepare_database(*, say: Say) -> None:
    """Apply what migrations are pending; copy an SQLite database first."""
    executor = MigrationExecutor(connection)
    # A migration that stands for others counts as applied where they all are.
    executor.check_replacements()
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not pending:
        say(f"database: {connection.vendor}, up to date")
        return
    if connection.vendor == "sqlite" and executor.loader.applied_migrations:
        copy = copy_sqlite(Path(connection.settings_dict["NAME"]))
        say(f"database: copied to {copy}, because it is about to change")
    say(f"database: {connection.vendor}, applying {len(pending)} migrations")
    call_command("migrate", interactive=False, verbosity=0)


def prepare_static(*, say: Say) -> None:
    """Collect the static files, unless those that lie there were made from the same ones.

    Telling that takes a tenth of a second; naming each by its digest and compressing it takes seconds.
    """
    root = Path(settings.STATIC_ROOT)
    stamp, manifest = root / STATIC_STAMP, root / "staticfiles.json"
    source = assets.source_digest()
    try:
        names = json.loads(manifest.read_text(encoding="utf-8"))["paths"].values()
        if stamp.read_text(encoding="ascii") == source and all((root / name).is_file() for name in names):
            say("static files: up to date")
            return
    except (OSError, ValueError, KeyError):
        pass  # None there, or no whole ones.
    say("collecting static files")
    # Broken off in the middle, it begins here again.
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(source, encoding="ascii")


def copy_sqlite(database: Path) -> Path:
    """Copy a live SQLite database beside itself and return the copy's path.

    Only the newest copy is kept: a copy also holds the answers that waited to be mixed when it was made.
    """
    copy = database.with_name(f"{database.name}.before-migration")
    draft = copy.with_name(f"{copy.name}.part")
    draft.unlink(missing_ok=True)
    with (
        contextlib.closing(sqlite3.connect(database)) as source,
        contextlib.closing(sqlite3.connect(draft)) as target,
    ):
        source.backup(target)
    draft.replace(copy)
    return copy


def _run(wish: Launch, lock: RunLock, directory: Path, *, stopping: threading.Event, say: Say) -> int:
    url = os.environ.get("REDIS_URL") or broker.redis_url(directory / broker.SOCKET_NAME)
    lock.publish(Running(pid=os.getpid(), port=wish.port, redis_url=url))
    supervisor = Supervisor(
        directory=settings.BASE_DIR,
        environment={
            **frame_settings(wish.host, wish.port),
            **os.environ,
            "REDIS_URL": url,
        },
        logs=settings.SOTTO_HOME / "log",
        say=say,
    )
    try:
        _start_parts(wish, supervisor, directory, say=say)
        if _wait_until_healthy(wish, supervisor, stopping=stopping, say=say):
            say(f"Sotto is at {address(wish.host, wish.port)}")
            return (_show_once if wish.once else _serve)(wish, supervisor, stopping=stopping, say=say)
        return 0 if stopping.is_set() and not wish.once else 1
    finally:
        say("stopping")
        supervisor.stop()


def _start_parts(wish: Launch, supervisor: Supervisor, directory: Path, *, say: Say) -> None:
    address = os.environ.get("REDIS_URL")
    if address:
        say(f"broker: {maybe_sanitize_url(address)}, as REDIS_URL says")
    else:
        say("broker: starting one of our own")
        supervisor.start("broker", broker.command(directory / broker.SOCKET_NAME))
    say("starting worker, sweeper and web")
    supervisor.start("worker", worker_command(concurrency=WORKER_JOBS))
    supervisor.start("sweeper", manage("sweep"))
    supervisor.start("web", web_command(wish.host, wish.port))


def _show_once(wish: Launch, supervisor: Supervisor, *, stopping: threading.Event, say: Say) -> int:
    demo = supervisor.run(manage("demo", "--wait"), until=stopping)
    wrong = what_is_wrong(wish.host, wish.port)
    if demo == 0 and not wrong:
        say("the demo's report exists and everything is well")
        return 0
    say(f"failed: {wrong or f'the demo ended with exit code {demo}'}")
    return 1


def _serve(wish: Launch, supervisor: Supervisor, *, stopping: threading.Event, say: Say) -> int:
    demo = supervisor.run(manage("demo", "--address", address(wish.host, wish.port)), until=stopping)
    if demo:
        say(f"the demo could not be prepared (exit code {demo}); everything else works")
    say("Ctrl-C stops everything")
    while not stopping.wait(TEND_SECONDS):
        supervisor.tend()
    return 0


def manage(*arguments: str) -> list[str]:
    """Return the command that runs a management command in a process of its own."""
    return [sys.executable, "-m", "surveys.management", *arguments]


def worker_command(*, concurrency: int) -> list[str]:
    """Return the command of a worker process that runs `concurrency` jobs side by side."""
    worker = [sys.executable, "-m", "celery", "-A", "surveys", "worker"]
    # Workers have nothing to tell each other: every fact they need is in the database.
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [*worker, "--concurrency", str(concurrency), *quiet]


def web_command(host: str, port: int) -> list[str]:
    """Return the command of the web server. Granian keeps no access log unless asked to."""
    address = ["--host", host, "--port", str(port)]
    shape = ["--interface", "asginl", "--workers", "1", "--http", "1", "--no-ws", "--log-level", "warning"]
    return [sys.executable, "-m", "granian", *shape, *CONNECTIONS, *address, "surveys.asgi:application"]


def address(host: str, port: int) -> str:
    """Return the address a person on this machine types."""
    name = "localhost" if reachable(host) in {"127.0.0.1", "::1"} else host
    return f"http://{name}:{port}/"


def frame_settings(host: str, port: int) -> dict[str, str]:
    """Return settings under which a server that only this machine reaches shows frames to its own pages.

    >>> frame_settings("127.0.0.1", 8000)
    {'SOTTO_FRAME_HOSTS': 'http://localhost:8000', 'SOTTO_FRAME_ORIGIN': 'http://127.0.0.1:8000'}
    >>> frame_settings("192.0.2.7", 8000)
    {}
    """
    if host != "127.0.0.1":
        return {}
    at = "" if port == 80 else f":{port}"
    return {"SOTTO_FRAME_HOSTS": f"http://localhost{at}", "SOTTO_FRAME_ORIGIN": f"http://127.0.0.1{at}"}


def reachable(host: str) -> str:
    """Return where this machine reaches a server that listens on `host`.

    >>> reachable("192.0.2.7"), reachable("0.0.0.0"), reachable("::")
    ('192.0.2.7', '127.0.0.1', '::1')
    """
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host
    if not number.is_unspecified:
        return host
    return "127.0.0.1" if number.version == 4 else "::1"


def what_is_wrong(host: str, port: int) -> str:
    """Return "" if /ready answers 200, else what is wrong."""
    link = http.client.HTTPConnection(reachable(host), port, timeout=10)
    try:
        link.request("GET", "/ready", headers={"Host": allowed_host()})
        response = link.getresponse()
        body = response.read(2000).decode("utf-8", "replace")
        return "" if response.status == 200 else f"/ready says {response.status}: {body}"
    except OSError as error:
        return f"/ready cannot be reached ({error})"
    finally:
        link.close()


def allowed_host() -> str:
    """Return a name under which the web server answers."""
    hosts = [host for host in settings.ALLOWED_HOSTS if host != "*"]
    return hosts[0].removeprefix(".") if hosts else "localhost"


def _wait_until_healthy(wish: Launch, supervisor: Supervisor, *, stopping: threading.Event, say: Say) -> bool:
    wrong = ""
    for _round in range(int(SECONDS_UNTIL_HEALTHY / TEND_SECONDS)):
        wrong = what_is_wrong(wish.host, wish.port)
        if not wrong:
            return True
        if stopping.wait(TEND_SECONDS):
            return False
        supervisor.tend()
    say(f"it did not come up: {wrong}; logs are in {settings.SOTTO_HOME / 'log'}")
    return False
