"""A separate process answers requests completely and in parallel, even after it was killed or idle."""

import contextlib
import http.client
import io
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from surveys.errors.error import SurveyError
from surveys.server.staff_process import NICENESS, StaffProcess
from tests.conftest import ROOT, wait_until
from tests.fixtures.web_server import WebServer

# A server that echoes the request's body, or performs the path's action.
SERVED = """
import os, socket, sys, threading
from surveys.server.staff_process import serve

both = threading.Barrier(2, timeout=300)

def wsgi(environ, start_response):
    path = environ["PATH_INFO"]
    body = environ["wsgi.input"].read()
    if path == "/meets":
        both.wait(300)
    if path == "/dies":
        os._exit(3)
    start_response("207 Odd", [("X-Process", str(os.getpid())), ("X-Word", environ["HTTP_X_WORD"])])
    if path == "/half":
        yield b"x" * 100_000
        os._exit(3)
    yield b""
    yield body
    yield b"end"

serve(wsgi, socket.socket(fileno=int(sys.argv[1])), threads=4, idle_seconds=float(os.environ["IDLE"]))
"""


class Asked:
    """A request and its response.

    Attributes
    ----------
    status : str
    headers : dict of str to str
    body : bytes
    """

    def __init__(self, large: StaffProcess, path: str = "/", body: bytes = b"abc") -> None:
        self.status, self.headers = "", dict[str, str]()
        environ = {
            "PATH_INFO": path,
            "HTTP_X_WORD": "caf\xe9",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
        }

        def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> None:
            self.status, self.headers = status, dict(headers)

        self.body = b"".join(large(environ, start_response))

    @property
    def process(self) -> int:
        return int(self.headers["X-Process"])


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffProcess]:
    monkeypatch.setenv("IDLE", "300")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    requests = StaffProcess([sys.executable, "-c", SERVED])
    yield requests
    requests.end()


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_one_process_handles_complete_requests_and_responses(large: StaffProcess) -> None:
    body = os.urandom(3_000_001)
    first = Asked(large, body=body)
    assert (first.status, first.body) == ("207 Odd", body + b"end")
    assert first.headers["X-Word"] == "caf\xe9"
    second = Asked(large, body=b"")
    assert (second.body, second.process) == (b"end", first.process)


def test_a_new_process_answers_after_a_kill_or_idle_exit(
    large: StaffProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Asked(large)
    os.kill(first.process, 9)
    monkeypatch.setenv("IDLE", "0.01")
    second = Asked(large)
    assert (second.body, second.process != first.process) == (b"abcend", True)
    wait_until(lambda: not is_alive(second.process), what="the end of one that is idle")
    assert Asked(large).body == b"abcend"


def test_a_crash_fails_the_current_request_but_not_the_next(large: StaffProcess) -> None:
    with pytest.raises(SurveyError) as refused:
        Asked(large, "/dies")
    assert (refused.value.case, refused.value.status) == ("waiting.broken", 500)
    with pytest.raises(ConnectionError):
        Asked(large, "/half")
    assert Asked(large).body == b"abcend"


def test_requests_are_processed_in_parallel(large: StaffProcess) -> None:
    """Each request waits for the other one in the process."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(partial(Asked, large), ["/meets", "/meets"])
    assert first.body == second.body == b"abcend"
    assert first.process == second.process


def test_an_abandoned_response_does_not_corrupt_the_next_one(large: StaffProcess) -> None:
    environ = {
        "PATH_INFO": "/",
        "HTTP_X_WORD": "",
        "CONTENT_LENGTH": "9",
        "wsgi.input": io.BytesIO(b"forgotten"),
    }
    answer: Any = large(environ, lambda *_given: None)
    assert next(answer) == b"forgotten"
    answer.close()
    assert Asked(large).body == b"abcend"


def test_a_process_that_cannot_start_is_reported(tmp_path: Path) -> None:
    requests = StaffProcess([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(SurveyError) as refused:
        Asked(requests)
    assert refused.value.case == "waiting.broken"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_web_server_passes_uploads_to_a_temporary_low_priority_process(tmp_path: Path) -> None:
    """The visitor is not logged in, so the server redirects to the log-in page."""
    with WebServer(tmp_path / "web.log") as server:
        assert server.process is not None
        assert _staff_processes(server.process.pid) == set(), "none is needed before the first request"
        for kind, body in (("multipart/form-data; boundary=x", b"--x--\r\n"), ("text/plain", b"x" * 70_000)):
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
            link.request("POST", "/en/staff/surveys/new/answers", body, {"Content-Type": kind})
            assert link.getresponse().status in {302, 403}
            link.close()
        (process,) = _staff_processes(server.process.pid)
        own = os.getpriority(os.PRIO_PROCESS, server.process.pid)
        assert os.getpriority(os.PRIO_PROCESS, process) == min(19, own + NICENESS)
    wait_until(lambda: not is_alive(process), what="its end")
    assert (tmp_path / "web.log").read_text() == ""


def _staff_processes(server: int) -> set[int]:
    """Return the staff processes of a server, without those of other tests."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            number = int(path.parent.name)
            if b"surveys.server.staff_process" in path.read_bytes() and server in _above(number):
                found.add(number)
    return found


def _above(process: int) -> Iterator[int]:
    """Yield the ancestors of a process."""
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        yield process
