"""A process for large requests, beside the web process, seen from there as a WSGI application.

Python takes forms apart and reads files in one thread of a process at a time: beside four uploads an answer
of a respondent, a hundred short turns, waited for one of them each time. Here the web process passes a large
body on as it came. The process that takes it starts with the first one, ranks behind all others on the
processor, and ends after some minutes without one.

Both speak by a socket that nobody else has, in frames: four bytes of length, and so many bytes. A request is
a frame of JSON, an empty frame that says it was taken, and the body; an answer is a frame of JSON, its
pieces, and an empty frame.
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
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from surveys.errors.error import SurveyError

__all__ = ["IDLE_SECONDS", "NICENESS", "LargeRequests", "serve"]

Environ = dict[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

Stream = io.BufferedRWPair

NICENESS: Final = 10
"""A tenth of a busy processor: answers of respondents come first."""
IDLE_SECONDS: Final = 300.0
"""After so long its memory, that of a second web process, is given back."""
_PIECE_BYTES: Final = 64 * 1024
_LENGTH_BYTES: Final = 4
_COMMAND: Final = [sys.executable, "-m", "surveys.server.large_requests"]


class LargeRequests:
    """A WSGI application that another process answers for, one request at a time.

    Parameters
    ----------
    command : list of str
        Starts that process; the number of its socket is added.
    """

    def __init__(self, command: list[str] = _COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on, and return its answer as it comes.

        Raises
        ------
        SurveyError
            ``waiting.broken``: the process ended before it had answered.
        """
        stream = self._taken(environ)
        try:
            left = int(environ.get("CONTENT_LENGTH") or 0)
            while left and (piece := environ["wsgi.input"].read(min(left, _PIECE_BYTES))):
                stream.write(piece)
                left -= len(piece)
            stream.flush()
            head = json.loads(_read(stream))
        except (OSError, EOFError):
            self.end()
            raise SurveyError("waiting.broken") from None
        start_response(head["status"], [(name, value) for name, value in head["headers"]])
        return self._pieces(stream)

    def end(self) -> None:
        """End the process, whatever it does; the next request starts another one."""
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._link = None

    def _taken(self, environ: Environ) -> Stream:
        """Announce a request, to a process that is there or to a new one; return the stream for its body."""
        for _time in range(2):
            with contextlib.suppress(OSError, EOFError):
                if self._link is None:
                    self._link = self._started()
                stream = self._link.makefile("rwb")
                _write(stream, json.dumps(_plain(environ)).encode())
                stream.flush()
                if _read(stream) == b"":
                    return stream
            # It had just ended for want of work, or it was killed.
            self.end()
        raise SurveyError("waiting.broken")

    def _started(self) -> socket.socket:
        """Start the process; return this end of the socket to it."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [*self._command, str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        return ours

    def _pieces(self, stream: Stream) -> Iterator[bytes]:
        whole = False
        try:
            while piece := _read(stream):
                yield piece
            whole = True
        except EOFError:
            # The head may be with the client already: its connection is cut off.
            raise ConnectionError("the process for large requests ended within an answer") from None
        finally:
            # What is left of an answer that nobody takes would stand before the next one.
            if not whole:
                self.end()


def serve(wsgi: Wsgi, link: socket.socket, *, idle_seconds: float = IDLE_SECONDS) -> None:
    """Answer what comes by a socket, until its other end is closed or nothing has come for so long."""
    link.settimeout(idle_seconds)
    with contextlib.suppress(EOFError, OSError), link.makefile("rwb") as stream:
        while True:
            environ = json.loads(_read(stream))
            # A slow piece from now on is no want of work.
            link.settimeout(None)
            _write(stream, b"")
            stream.flush()
            body = stream.read(int(environ.get("CONTENT_LENGTH") or 0))
            _answer(wsgi, {**environ, **_wsgi_keys(body)}, stream)
            link.settimeout(idle_seconds)


def _answer(wsgi: Wsgi, environ: Environ, stream: Stream) -> None:
    begun: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> None:
        begun[:] = [json.dumps({"status": status, "headers": headers}).encode()]

    response = wsgi(environ, start_response)
    try:
        for piece in response:
            if begun:
                _write(stream, begun.pop())
            for start in range(0, len(piece), _PIECE_BYTES):
                _write(stream, piece[start : start + _PIECE_BYTES])
        if begun:
            _write(stream, begun.pop())
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
        "wsgi.multithread": False,
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
    """Be that process."""
    # The end of the web process ends this one by its socket.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    link = socket.socket(fileno=int(sys.argv[1]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    from django.core.wsgi import get_wsgi_application

    serve(get_wsgi_application(), link)


if __name__ == "__main__":
    main()
