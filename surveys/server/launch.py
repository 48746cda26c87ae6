"""Start all processes on one machine."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from kombu.utils.url import maybe_sanitize_url

from surveys.errors.error import SurveyError
from surveys.errors.typed_commands import as_typed
from surveys.run_lock import AlreadyRunning, RunLock, Running
from surveys.server.allowed_host import allowed_host
from surveys.server.broker import SOCKET_NAME, command, redis_url
from surveys.server.process_commands import manage, web_command, worker_command
from surveys.server.stop_signal import StopSignal
from surveys.server.supervisor import SUPERVISE_SECONDS, Supervisor

Say = Callable[[str], None]

# The first worker of an installation compiles for 30 s on an idle core, or for 3 minutes on a busy machine.
SECONDS_UNTIL_HEALTHY = 300.0
WORKER_JOBS = 2
HOST: Final = "127.0.0.1"
PORT: Final = 8000
_FIRST_FREE_PORT: Final = 1024
"""The first that needs no rights on most systems."""
_LAST_PORT: Final = 65_535


@dataclass(frozen=True, kw_only=True)
class Launch:
    """Options of a start.

    Attributes
    ----------
    host : str
        The number of the address to listen on.
    port : int
    once : bool
        Whether to stop once the demo's report exists.
    command : str
        What the person typed, as messages name it.
    """

    host: str
    port: int
    once: bool
    command: str = "sottovoce dev"


def launch(plan: Launch, *, say: Say) -> int:
    """Start everything, wait for INT, TERM or HUP, and stop everything; return the exit code."""
    os.umask(0o077)
    stopping = StopSignal()
    stopping.catch((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    lock = take_lock(settings.SOTTOVOCE_HOME)
    try:
        require_free_port(plan)
        if code := _prepare():
            return code
        with tempfile.TemporaryDirectory(prefix="sottovoce-") as directory:
            return _run(plan, lock, Path(directory), stopping=stopping, say=say)
    finally:
        lock.release()


def _prepare() -> int:
    """Prepare database and static files; return the exit code.

    Migrations load a quarter of the memory that this process would otherwise need, so another process applies
    them and ends.
    """
    return subprocess.run(manage("dev", "--prepare"), cwd=settings.BASE_DIR, check=False).returncode


def take_lock(home: Path) -> RunLock:
    """Acquire the lock of `home`; if another installation holds it, report its address."""
    try:
        return RunLock(home)
    except AlreadyRunning as already:
        where = f"at {already.running.address}" if already.running else "and is just starting"
        raise SurveyError("launch.running", where=where, home=home) from None


# Reasons that concern a port. All others concern the address.
_OF_PORTS: Final = {errno.EADDRINUSE, errno.EACCES, errno.EPERM}


def require_free_port(plan: Launch) -> None:
    """Refuse an address that this machine does not have, and a port that cannot be used.

    Raises
    ------
    SurveyError
        ``launch``: names the address or the port, and what to type instead.
    """
    error = _refused(plan.host, plan.port)
    if error is None:
        return
    if error.errno not in _OF_PORTS:
        raise SurveyError("launch.host", host=plan.host, error=error.strerror)
    start = as_typed(plan.command) + (f" --host {plan.host}" if plan.host != HOST else "")
    # The ports after this one, then those that everyone may use.
    others = (*range(plan.port + 1, _LAST_PORT + 1), *range(_FIRST_FREE_PORT, plan.port))
    free = next((port for port in others if _refused(plan.host, port) is None), PORT)
    raise SurveyError(
        "launch.port", port=plan.port, host=plan.host, error=error.strerror, start=start, next=free
    )


def _refused(host: str, port: int) -> OSError | None:
    """Return why a program cannot listen there, or None."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def _run(plan: Launch, lock: RunLock, directory: Path, *, stopping: StopSignal, say: Say) -> int:
    url = os.environ.get("REDIS_URL") or redis_url(directory / SOCKET_NAME)
    lock.publish(Running(pid=os.getpid(), address=address(plan.host, plan.port), redis_url=url))
    supervisor = Supervisor(
        directory=settings.BASE_DIR,
        environment={**frame_settings(plan.host, plan.port), **os.environ, "REDIS_URL": url},
        logs=settings.SOTTOVOCE_HOME / "log",
        say=say,
    )
    try:
        _start_parts(plan, supervisor, directory, say=say)
        if _wait_until_healthy(plan, supervisor, stopping=stopping, say=say):
            say(f"Sottovoce is at {address(plan.host, plan.port)}")
            say("preparing the demo; a login follows")
            return (_show_once if plan.once else _serve)(plan, supervisor, stopping=stopping, say=say)
        return 0 if stopping.is_set() and not plan.once else 1
    finally:
        say("stopping")
        supervisor.stop()


def _start_parts(plan: Launch, supervisor: Supervisor, directory: Path, *, say: Say) -> None:
    address = os.environ.get("REDIS_URL")
    if address:
        say(f"broker: {maybe_sanitize_url(address)}, as REDIS_URL says")
    else:
        say("broker: starting one of our own")
        supervisor.start("broker", command(directory / SOCKET_NAME))
    say("starting worker, sweeper and web")
    supervisor.start("worker", worker_command(concurrency=WORKER_JOBS))
    supervisor.start("sweeper", manage("sweep"))
    supervisor.start("web", web_command(plan.host, plan.port))


def _show_once(plan: Launch, supervisor: Supervisor, *, stopping: StopSignal, say: Say) -> int:
    demo = supervisor.run(manage("demo", "--wait"), until=stopping)
    wrong = what_is_wrong(plan.host, plan.port)
    if demo == 0 and not wrong:
        say("the demo's report exists, and all parts run")
        return 0
    say(f"failed: {wrong or f'the demo ended with exit code {demo}'}")
    return 1


def _serve(plan: Launch, supervisor: Supervisor, *, stopping: StopSignal, say: Say) -> int:
    demo = supervisor.run(manage("demo"), until=stopping)
    if demo:
        say(f"the demo could not be prepared (exit code {demo}); everything else works")
    if not stopping.is_set():
        say("Ctrl-C stops everything")
    while not stopping.wait(SUPERVISE_SECONDS):
        supervisor.supervise()
    return 0


def address(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine.

    >>> address("2001:db8::1", 8000), address("::1", 8000)
    ('http://[2001:db8::1]:8000/', 'http://localhost:8000/')
    """
    name = "localhost" if reachable(host) in {"127.0.0.1", "::1"} else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def frame_settings(host: str, port: int) -> dict[str, str]:
    """Return settings that let a server that only this machine can reach show frames on its own pages.

    >>> frame_settings("127.0.0.1", 8000)
    {'SOTTOVOCE_FRAME_HOSTS': 'http://localhost:8000', 'SOTTOVOCE_FRAME_ORIGIN': 'http://127.0.0.1:8000'}
    >>> frame_settings("192.0.2.7", 8000)
    {}
    """
    if host != HOST:
        return {}
    port_suffix = "" if port == 80 else f":{port}"
    return {
        "SOTTOVOCE_FRAME_HOSTS": f"http://localhost{port_suffix}",
        "SOTTOVOCE_FRAME_ORIGIN": f"http://127.0.0.1{port_suffix}",
    }


def reachable(host: str) -> str:
    """Return the host name with which this machine reaches a server that listens on `host`.

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
    """Return "" if /ready answers 200, or else a description of the problem."""
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


def _wait_until_healthy(plan: Launch, supervisor: Supervisor, *, stopping: StopSignal, say: Say) -> bool:
    wrong = ""
    for _round in range(int(SECONDS_UNTIL_HEALTHY / SUPERVISE_SECONDS)):
        wrong = what_is_wrong(plan.host, plan.port)
        if not wrong:
            return True
        if stopping.wait(SUPERVISE_SECONDS):
            return False
        supervisor.supervise()
    say(f"it did not come up: {wrong}; logs are in {settings.SOTTOVOCE_HOME / 'log'}")
    return False
