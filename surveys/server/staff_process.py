"""Processes that handle staff requests and appear to the web process as WSGI applications.

A thread that reads a form, parses a text or draws a chart holds its process's interpreter lock. So the web
process answers only respondents, and forwards staff requests unchanged. Large bodies go to a second process.
Each starts with its first request and ends after some minutes without one, because it needs 60 MB. Both have
a lower processor priority than the web process.

Each request uses one pair of sockets; one end is sent to the other process over a private control socket.
Data is sent in frames: four bytes of length, then that many bytes. A request is a JSON frame, an empty frame
in reply to confirm acceptance, and the body. A response is a JSON frame, its pieces, and an empty frame.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from surveys.errors.error import SurveyError

Environ = dict[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

Stream = io.BufferedRWPair

NICENESS: Final = 10
"""Leaves this process a tenth of a busy processor, so that respondents' answers come first."""
IDLE_SECONDS: Final = 300.0
"""After this time without a large request, the process for large requests ends and frees its memory."""
STAFF_IDLE_SECONDS: Final = 900.0
"""The same for other staff requests. The next one waits for a new process, which starts in about a second."""
_PIECE_BYTES: Final = 64 * 1024
_LENGTH_BYTES: Final = 4
_COMMAND: Final = [sys.executable, "-m", "surveys.server.staff_process"]


class StaffProcess:
    """A WSGI application whose requests another process answers.

    Parameters
    ----------
    command : list of str
        Starts the process; the number of its control socket and `idle_seconds` are appended.
    idle_seconds : float
        After this time without a request, the process ends; 0 means never.
    """

    def __init__(self, command: list[str] = _COMMAND, *, idle_seconds: float = 0.0) -> None:
        self._command = command
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Forward a request, and return its response as it arrives.

        Raises
        ------
        SurveyError
            ``waiting.broken``: the process ended before it answered.
        """
        stream = self._accept(environ)
        try:
            left = int(environ.get("CONTENT_LENGTH") or 0)
            while left and (piece := environ["wsgi.input"].read(min(left, _PIECE_BYTES))):
                stream.write(piece)
                left -= len(piece)
            stream.flush()
            head = json.loads(_read(stream))
        except (OSError, EOFError):
            _close(stream)
            raise SurveyError("waiting.broken") from None
        start_response(head["status"], [(name, value) for name, value in head["headers"]])
        return _pieces(stream)

    def end(self) -> None:
        """End the process, whatever it is doing; the next request starts a new one."""
        with self._lock:
            self._end()

    def _accept(self, environ: Environ) -> Stream:
        """Announce a request to the running process or a new one; return the stream for its body."""
        head = json.dumps(_plain(environ)).encode()
        for _time in range(2):
            with self._lock:
                control = self._start()
            with contextlib.suppress(OSError, EOFError):
                stream = _open_stream(control)
                _write(stream, head)
                stream.flush()
                if _read(stream) == b"":
                    return stream
            # The process has just ended because it was idle, or it was killed.
            with self._lock:
                if self._control is control:
                    self._end()
        raise SurveyError("waiting.broken")

    def _start(self) -> socket.socket:
        """Return the control socket of the process, starting the process if needed."""
        if self._control is None:
            self._control, theirs = socket.socketpair()
            with theirs:
                command = [*self._command, str(theirs.fileno()), str(self._idle_seconds)]
                self._process = subprocess.Popen(
                    command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
                )
        return self._control

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _open_stream(control: socket.socket) -> Stream:
    """Create a pair of sockets, send one to the process, and return a stream over the other."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        socket.send_fds(control, [b"."], [theirs.fileno()])
        return ours.makefile("rwb")


def _close(stream: Stream) -> None:
    # Unsent data is no longer needed.
    with contextlib.suppress(OSError):
        stream.close()


def _pieces(stream: Stream) -> Iterator[bytes]:
    try:
        while piece := _read(stream):
            yield piece
    except (OSError, EOFError):
        # The client may already have the headers, so close its connection.
        raise ConnectionError("the process for the staff ended within an answer") from None
    finally:
        _close(stream)


def serve(wsgi: Wsgi, control: socket.socket, *, threads: int = 1, idle_seconds: float = 0.0) -> None:
    """Answer requests from a control socket until it is closed or none has arrived for `idle_seconds`."""
    control.settimeout(idle_seconds or None)
    working: set[Any] = set()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="staff")
    while True:
        try:
            _message, numbers, _flags, _address = socket.recv_fds(control, 1, 1)
        except TimeoutError:
            if all(work.done() for work in working):
                return
            continue
        if not numbers:
            return
        working = {work for work in working if not work.done()}
        working.add(pool.submit(_serve_one, wsgi, numbers[0]))


def _serve_one(wsgi: Wsgi, number: int) -> None:
    # If the client disconnects, this thread is free for the next request.
    with (
        contextlib.suppress(EOFError, OSError),
        socket.socket(fileno=number) as link,
        link.makefile("rwb") as stream,
    ):
        environ = json.loads(_read(stream))
        _write(stream, b"")
        stream.flush()
        body = stream.read(int(environ.get("CONTENT_LENGTH") or 0))
        _answer(wsgi, {**environ, **_wsgi_keys(body)}, stream)


def _answer(wsgi: Wsgi, environ: Environ, stream: Stream) -> None:
    head: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> None:
        head[:] = [json.dumps({"status": status, "headers": headers}).encode()]

    response = wsgi(environ, start_response)
    try:
        for piece in response:
            if head:
                _write(stream, head.pop())
            for start in range(0, len(piece), _PIECE_BYTES):
                _write(stream, piece[start : start + _PIECE_BYTES])
        if head:
            _write(stream, head.pop())
        _write(stream, b"")
        stream.flush()
    finally:
        close = getattr(response, "close", None)
        if close is not None:
            close()


def _plain(environ: Environ) -> Environ:
    return {name: value for name, value in environ.items() if isinstance(value, str)}


def _wsgi_keys(body: bytes) -> Environ:
    return {
        "wsgi.version": (1, 0),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def _write(stream: Stream, frame: bytes) -> None:
    stream.write(len(frame).to_bytes(_LENGTH_BYTES, "big") + frame)


def _read(stream: Stream) -> bytes:
    length = int.from_bytes(_exactly(stream, _LENGTH_BYTES), "big")
    return _exactly(stream, length)


def _exactly(stream: Stream, count: int) -> bytes:
    read = stream.read(count)
    if len(read) < count:
        raise EOFError
    return read


def main() -> None:
    """Run a process that answers staff requests."""
    # A service manager signals all processes of a service. Ignore that: this process ends when the web
    # process, which answers requests until then, closes its socket.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)
    control, idle_seconds = socket.socket(fileno=int(sys.argv[1])), float(sys.argv[2])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    # One thread for each staff page that runs at once, plus one log-in and one shared page.
    threads = settings.WEB_THREADS + 2
    serve(get_wsgi_application(), control, threads=threads, idle_seconds=idle_seconds)


if __name__ == "__main__":
    main()
    # Do not wait for threads that are still working.
    os._exit(0)
