"""The real web server in a process of its own, on the test's database, to be killed and started again."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

from surveys.server.launch import web_command
from tests.attack.scratch import database_url
from tests.cast.devices import CONTENT_TYPE
from tests.conftest import kill_group, start_group, wait_until


class WebServer:
    """Granian as ./run starts it.

    Parameters
    ----------
    log : Path
        What the server prints goes there; nothing is expected.
    application : str
        Served in place of the product's own.
    """

    def __init__(
        self, log: Path, *, application: str = "surveys.asgi:application", **environment: str
    ) -> None:
        self.application = application
        self.port = _free_port()
        self.log = log
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self.client_address: str | None = None

    def start(self) -> None:
        """Start, and wait until a request is answered."""
        with self.log.open("ab") as log:
            self.process = start_group(
                [*web_command("127.0.0.1", self.port)[:-1], self.application],
                env={**os.environ, "DATABASE_URL": database_url(), **self.environment},
                stdout=log,
                stderr=log,
            )
        wait_until(self._answers, seconds=120, what="the web server's first answer")

    def kill(self) -> None:
        """Kill -9 the server and its workers."""
        if self.process is not None:
            kill_group(self.process)
            self.process = None

    def post(self, raw: bytes, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Send a submission on a connection of its own; OSError or HTTPException when the server is away."""
        source = (self.client_address, 0) if self.client_address else None
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=source)
        try:
            link.request("POST", "/api/submissions", raw, {"Content-Type": CONTENT_TYPE, **headers})
            response = link.getresponse()
            return response.status, response.read(), dict(response.getheaders())
        finally:
            link.close()

    def __enter__(self) -> WebServer:
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.kill()

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text(errors="replace")
        try:
            return self.post(b"{}")[0] == 400
        except (OSError, http.client.HTTPException):
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
