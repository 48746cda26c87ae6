"""A request must be complete before it occupies a thread, in the adapter and with the real server."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import wait_until
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, shipped_definition
from tests.fixtures.web_server import WebServer

# Tests with the real server.


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(tmp_path / "web.log") as server:
        yield server


@contextlib.contextmanager
def connections(server: WebServer, count: int, first: bytes) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        links = []
        for _ in range(count):
            link = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=300))
            link.sendall(first)
            links.append(link)
        yield links


HEAD = f"POST /api/submissions HTTP/1.1\r\nHost: localhost\r\nContent-Type: {CONTENT_TYPE}\r\n"


SLOW = {
    "half a body": f"{HEAD}Content-Length: 300\r\n\r\n{{".encode(),
    "half a head": HEAD[:40].encode(),
    "nothing": b"",
    "a large form": b"POST /en/staff/log-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\nx",
    # Fifty files are requested, but the client reads nothing.
    "no reading": b"GET /static/surveys/js/respond.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50,
}


@pytest.mark.soak
def test_five_hundred_slow_clients_do_not_block_others(server: WebServer) -> None:
    """Slow clients stay connected as long as possible, and others must get responses meanwhile."""
    version = published(shipped_definition(slug="work"))
    for way, first in SLOW.items():
        with connections(server, 500, first):
            for _ in range(3):
                assert server.post(request_of(version))[0] == 200, way
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
            link.request("GET", "/en/staff/log-in/")
            assert link.getresponse().status == 200, way
            link.close()
    assert server.log.read_text() == ""


@pytest.mark.soak
def test_incomplete_headers_and_bodies_time_out(server: WebServer) -> None:
    body = f"{HEAD}Content-Length: 300\r\n\r\n{{".encode()
    with connections(server, 1, HEAD.encode()) as (head_link,), connections(server, 1, body) as (body_link,):
        for link, answers in ((head_link, (b"", b"HTTP/1.1 408")), (body_link, (b"HTTP/1.1 408",))):
            said = b""
            while part := link.recv(1000):
                said += part
            assert said[:12] in answers


@pytest.mark.soak
def test_one_connection_can_submit_repeatedly(server: WebServer) -> None:
    version = published(shipped_definition(slug="work"))
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    for _ in range(3):
        link.request("POST", "/api/submissions", request_of(version), {"Content-Type": CONTENT_TYPE})
        response = link.getresponse()
        assert (response.status, response.read()) == (200, b'{"status": "received"}')
        link.request("HEAD", "/en/")
        head = link.getresponse()
        assert (head.status, head.read()) == (200, b"")
    link.close()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_worker_has_a_high_file_limit_and_ends_with_its_master(server: WebServer) -> None:
    assert server.process is not None
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children")
    # Only Linux shows another process's limits.
    if children.exists():
        worker = wait_until(lambda: children.read_text().split(), what="the worker")[0]
        limits = Path(f"/proc/{worker}/limits").read_text()
        (line,) = [line for line in limits.splitlines() if line.startswith("Max open files")]
        assert int(line.split()[3]) > 4096
    os.kill(pid, signal.SIGKILL)
    server.process.wait()
    wait_until(lambda: not _listens(server.port), what="the end of a worker without a master")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_after_sigterm_kept_connections_get_one_last_response(tmp_path: Path) -> None:
    """Proxies keep connections open; without this, all 16 were cut off during the next request."""
    with WebServer(tmp_path / "web.log", application="tests.fixtures.draining_web:application") as server:
        assert server.process is not None
        kept = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=120) for _ in range(16)]
        headers = {"Content-Type": CONTENT_TYPE}
        for link in kept:
            link.request("POST", "/api/submissions", b"{}", headers)
            answer = link.getresponse()
            assert (answer.status, answer.getheader("Connection"), bool(answer.read())) == (400, None, True)
        os.kill(server.process.pid, signal.SIGTERM)
        late = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)

        def is_draining() -> bool:
            late.close()
            late.request("POST", "/api/submissions", b"{}", headers)
            return late.getresponse().getheader("Connection") == "close"

        wait_until(is_draining, what="the signal's arrival")
        for link in kept:
            link.request("POST", "/api/submissions", b"{}", headers)
            answer = link.getresponse()
            assert (answer.status, answer.getheader("Connection"), bool(answer.read())) == (
                400,
                "close",
                True,
            )
        assert (tmp_path / "web.log").read_text() == ""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_server_exits_after_draining(tmp_path: Path) -> None:
    with WebServer(tmp_path / "web.log") as server:
        process = server.process
        assert process is not None
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(120) == 0
