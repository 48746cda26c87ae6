"""Half-sent bodies: a few attackers announce a body and send one byte of it, while honest requests arrive.

If a server reads bodies in its threads, each attacker occupies a thread indefinitely, and the server answers
no one else. This attack uses few clients, on this machine only; ``python -m benchmarks.floods`` measures
many.
"""

import contextlib
import http.client
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from surveys.intake.request_checks import CONTENT_TYPE
from surveys.intake.views import PATH
from surveys.server.allowed_host import allowed_host
from surveys.server.process_commands import web_command
from surveys.server.supervisor import Supervisor
from tests.attack.held import Held, half_body
from tests.attack.learnt import AttackError, Learnt
from tests.attack.respondents import Respondents, publish, wide_definition
from tests.attack.scratch import database_url

__all__ = ["HalfSent", "attack_half_sent", "half_sent", "web_server"]

HONEST: Final = 20
HERE: Final = "127.0.0.1"
SECONDS_TO_START: Final = 180.0
SECONDS_TO_ANSWER: Final = 60.0


@dataclass(frozen=True, kw_only=True)
class HalfSent:
    """Outcome of honest requests while others are half-sent.

    Attributes
    ----------
    asked, answered : int
        Honest requests.
    held : int
        Least number of half-sent requests that the server held when an honest one ended.
    """

    requests: int
    answered: int
    held: int


def half_sent(
    port: int, honest: Iterable[bytes], *, count: int, patience: float = SECONDS_TO_ANSWER
) -> HalfSent:
    """Send honest submissions to a local server that holds `count` half-sent bodies.

    Parameters
    ----------
    port : int
    honest : iterable of bytes
        Bodies of submissions.
    count : int
    patience : float
        Seconds after which an honest client gives up.
    """
    half = half_body(allowed_host(), path=PATH, content_type=CONTENT_TYPE)
    connections = Held(lambda: socket.create_connection((HERE, port), timeout=30), half, count=count)
    requests = answered = 0
    least = count
    try:
        for raw in honest:
            connections.refill()
            requests += 1
            answered += posted(port, raw, patience=patience) == 200
            least = min(least, connections.held())
    finally:
        connections.close()
    return HalfSent(requests=requests, answered=answered, held=least)


def attack_half_sent(logs: Path, *, count: int, seed: int) -> Learnt:
    """Start a web server and report how many honest answers to a simulated survey got through."""
    respondents = Respondents(publish(wide_definition("honest", questions=90)), seed=seed)
    honest = [
        respondents.request(respondents.row(), key=respondents.rng.bytes(16).hex()) for _ in range(HONEST)
    ]
    with web_server(logs) as port:
        result = half_sent(port, honest, count=count)
    return Learnt(
        attack="half-sent bodies against availability",
        tried=f"{count} at a time, at least {result.held} of them held beside each honest answer",
        learnt=f"{result.requests - result.answered} of {result.requests} honest answers refused or late",
        chance="none",
        beyond_chance=result.answered < result.requests,
    )


def posted(port: int, raw: bytes, *, patience: float) -> int:
    """Return the status of the response to a submission; 0 without a response."""
    link = http.client.HTTPConnection(HERE, port, timeout=patience)
    try:
        link.request("POST", f"/{PATH}", raw, {"Host": allowed_host(), "Content-Type": CONTENT_TYPE})
        return link.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        link.close()


@contextlib.contextmanager
def web_server(logs: Path, command: Callable[[str, int], Sequence[str]] = web_command) -> Iterator[int]:
    """Run the web server with this database on a free local port, and yield the port.

    Raises
    ------
    AttackError
        The server did not answer.
    """
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        port: int = probe.getsockname()[1]
    environment = {**os.environ, "DATABASE_URL": database_url()}
    supervisor = Supervisor(
        directory=settings.BASE_DIR, environment=environment, logs=logs, say=lambda _words: None
    )
    try:
        supervisor.start("web", command(HERE, port))
        deadline = time.monotonic() + SECONDS_TO_START
        while posted(port, b"{}", patience=5) != 400:
            if time.monotonic() > deadline:
                raise AttackError(f"the web server did not answer in {SECONDS_TO_START:.0f} seconds")
            time.sleep(0.1)
        yield port
    finally:
        supervisor.stop()
