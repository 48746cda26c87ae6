"""nginx and Caddy, with the configurations of deploy/proxy, in front of the real web server.

These tests need both programs, so they run in ./test --soak, which installs them.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.floods import LOG_IN, Link, running
from benchmarks.proxies import COMMANDS, NAME, connected, free_port, wait_for
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, shipped_definition
from tests.fixtures.web_server import WebServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]
HEAD = f"POST /api/submissions HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: {CONTENT_TYPE}\r\n"
HALF = f"{HEAD}Content-Length: 300\r\n\r\n{{"


@pytest.fixture(params=sorted(COMMANDS))
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """Yield the port of a proxy."""
    assert shutil.which(request.param), f"install {request.param}: apt-get install nginx caddy"
    hosts = {"ALLOWED_HOSTS": f"{NAME},localhost,127.0.0.1", "CSRF_TRUSTED_ORIGINS": f"https://{NAME}"}
    with WebServer(tmp_path / "web.log", SOTTOVOCE_HTTPS="1", **hosts) as server:
        port = free_port()
        command = COMMANDS[request.param](tmp_path, port=port, backend=server.port)
        with running(command, dict(os.environ), tmp_path / "proxy.log"):
            wait_for(port, https=True)
            yield port
    assert not (tmp_path / "access.log").exists() or (tmp_path / "access.log").read_bytes() == b""


def test_only_files_of_answers_may_be_longer_than_forms(front: int) -> None:
    kind, long = "application/x-www-form-urlencoded", b"a" * 6_000_000

    def is_refused(page: str) -> bool:
        with contextlib.closing(Link(front, https=True)) as link:
            try:
                return link.ask("POST", f"/en/staff/surveys/{page}", long, Content_Type=kind)[0] == 413
            except OSError:  # Caddy may close the connection while the body is sent.
                return True

    assert [is_refused(page) for page in ("new/answers", "new/text")] == [False, True]


def test_pages_and_submissions_pass_during_five_hundred_half_sent_bodies(front: int) -> None:
    version = published(shipped_definition(slug="work"))

    def sent(link: Link) -> tuple[int, bytes]:
        return link.ask("POST", "/api/submissions", request_of(version), Content_Type=CONTENT_TYPE)[:2]

    with contextlib.closing(Link(front, https=True)) as link:
        assert link.ask("GET", LOG_IN)[0] == 200
        assert [sent(link) for _time in range(3)] == [(200, b'{"status": "received"}')] * 3
    with contextlib.ExitStack() as stack:
        for _number in range(500):
            stack.enter_context(connected(front, https=True)).sendall(HALF.encode())
        for _time in range(5):
            with contextlib.closing(Link(front, https=True)) as link:
                assert sent(link)[0] == 200
