"""Somebody's program that is told: a real HTTP server here, which answers as a test wants it to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What arrived, and the statuses of the next answers; 200 when there are no more.

    Attributes
    ----------
    arrived : list of (dict, bytes)
        Headers in small letters, and body.
    manner : callable or None
        Answers in the place of a status, given the handler.
    """

    port: int = 0
    scheme: str = "http"
    arrived: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    manner: Callable[[BaseHTTPRequestHandler], None] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{self.scheme}://127.0.0.1:{self.port}/told?by=sotto"


@contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver while the block lasts."""
    found = Receiver(scheme="https" if tls else "http")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.arrived.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if found.manner is not None:
                found.manner(self)
                return
            self.send_response(found.statuses.pop(0) if found.statuses else 200)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


def holds(key: str, headers: dict[str, str], body: bytes) -> bool:
    """Whether a message is signed with a key, checked as its receiver would, apart from what is tested."""
    secret = base64.b64decode(key.removeprefix("whsec_"))
    said = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = base64.b64encode(hmac.new(secret, said, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(right, one[3:]) for one in headers["webhook-signature"].split(" "))
