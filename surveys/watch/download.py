"""Fetch addresses as several browsers in several languages would, without following redirects."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
    InvalidURL,
)
from itertools import product
from typing import Any, Final

from surveys.watch.no_answer import TRY_AGAIN, NoAnswer, UnreadableAnswer, late_text, no_answer_text

SECONDS_TO_ANSWER: Final = 30.0
"""Time limit for a complete response, from resolving the host name to the last byte."""
SECONDS_IN_ALL: Final = 900.0
"""Time limit for everything that one watch fetches; its service unit has a slightly higher limit."""
MOST_DOWNLOAD_BYTES: Final = 8 << 20
_GZIP: Final = 31  # zlib's windowBits for gzip alone.

_AGENTS: Final = {
    "Firefox on Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Chrome on Windows": (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
        " Safari/537.36"
    ),
    "Chrome on Android": (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile"
        " Safari/537.36"
    ),
    "Safari on iPhone": (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
        " Version/18.6 Mobile/15E148 Safari/604.1"
    ),
    "WeChat on Android": (
        "Mozilla/5.0 (Linux; Android 14; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0"
        " Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.61"
    ),
}
_LANGUAGES: Final = {
    "English": "en-US,en;q=0.9",
    "Chinese": "zh-CN,zh;q=0.9",
    "German": "de-DE,de;q=0.9,en;q=0.5",
}


@dataclass(frozen=True, kw_only=True)
class Browser:
    """One browser in one language.

    Parameters
    ----------
    name : str
    headers : mapping of str to str
        Headers that it sends with every request.
    """

    name: str
    headers: Mapping[str, str]


BROWSERS: Final = tuple(
    Browser(
        name=f"{agent} in {language}",
        headers={"User-Agent": _AGENTS[agent], "Accept-Language": _LANGUAGES[language]},
    )
    for agent, language in product(_AGENTS, _LANGUAGES)
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A server's response."""

    status: int
    headers: Message
    body: bytes


Fetch = Callable[[str, Mapping[str, str]], Answer]
"""Fetches an address with the given headers.

Raises
------
NoAnswer
    The server cannot be reached, or does not answer completely in time.
UnreadableAnswer
    Its answer cannot be unpacked.
"""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments: object) -> None:
        """Do not follow redirects, because the target is part of the response."""
        return None


class _Deadline:
    """Connections that are closed after a fixed time, whatever the server does.

    A socket's own timeout restarts with each byte, so a server that sends slowly would never trigger it.
    """

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds
        self._held: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self.is_over = False

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_of: object) -> None:
        self._timer.cancel()
        for sock in self._held:
            sock.close()

    def connect(self, address: tuple[str, int], *_of: object) -> socket.socket:
        """Connect to the first address of a host that answers in time."""
        host, port = address
        failed: OSError = TimeoutError("timed out")
        for family, kind, protocol, _name, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            left = self._ends - time.monotonic()
            if left <= 0:
                break
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(left)
                sock.connect(where)
                # Duplicate the descriptor, because TLS takes over the original socket.
                self._held.append(socket.socket(fileno=os.dup(sock.fileno())))
            except OSError as error:
                sock.close()
                failed = error
                continue
            return sock
        raise failed

    def _cut(self) -> None:
        self.is_over = True
        for sock in list(self._held):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class _Http(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Open connections that end at a deadline."""

    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        """Open an http address."""
        return self.do_open(self._make(HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        """Open an https address; certificates are checked."""
        return self.do_open(self._make(HTTPSConnection), req)

    def _make(self, kind: type[HTTPConnection]) -> Any:
        def make(host: str, **how: Any) -> HTTPConnection:
            connection = kind(host, **how)
            connection._create_connection = self._deadline.connect  # type: ignore[attr-defined]
            return connection

        return make


def fetching_within(seconds: float = SECONDS_IN_ALL, *, clock: Callable[[], float] = time.monotonic) -> Fetch:
    """Return a fetch function with a total time limit, after which it sends no more requests."""
    ends = clock() + seconds

    def fetch_in_time(url: str, headers: Mapping[str, str]) -> Answer:
        left = ends - clock()
        if left <= 0:
            raise NoAnswer(f"all answers together took more than {seconds:g} seconds. {TRY_AGAIN}")
        return fetch(url, headers, seconds=min(left, SECONDS_TO_ANSWER))

    return fetch_in_time


def fetch(
    url: str, headers: Mapping[str, str], *, method: str = "GET", seconds: float = SECONDS_TO_ANSWER
) -> Answer:
    """Fetch an address.

    Parameters
    ----------
    url : str
        An http or https address.
    headers : mapping of str to str
    method : str
    seconds : float
        Time limit of the whole response.

    Raises
    ------
    NoAnswer
        The server cannot be reached, or does not answer completely in time.
    UnreadableAnswer
        Its answer cannot be unpacked, or the address has signs that no address has.
    """
    request = urllib.request.Request(url, headers=dict(headers), method=method)  # noqa: S310 (see `url`)
    failed: Exception | None = None
    with _Deadline(seconds) as deadline:
        try:
            response = _open_request(request, deadline, seconds)
            with response:
                status, headers_sent, body = (
                    response.code,
                    response.headers,
                    response.read(MOST_DOWNLOAD_BYTES),
                )
                # A read with a limit does not notice that the connection ended early.
                if response.length and len(body) < MOST_DOWNLOAD_BYTES:
                    raise IncompleteRead(body, response.length)
        except (OSError, HTTPException, ValueError) as error:
            failed = error
    if deadline.is_over or isinstance(getattr(failed, "reason", failed), TimeoutError):
        # A connection that was cut can look like the end of a response.
        raise NoAnswer(late_text(seconds)) from failed
    if isinstance(failed, InvalidURL):
        # The first address was checked, so a later answer contained this one.
        raise UnreadableAnswer("the server states this address, which cannot be fetched") from failed
    if failed is not None:
        raise NoAnswer(no_answer_text(failed, url)) from failed
    return unpack_answer(status, headers_sent, body)


def _open_request(request: urllib.request.Request, deadline: _Deadline, seconds: float) -> Any:
    try:
        return urllib.request.build_opener(_NoRedirect, _Http(deadline)).open(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        # Return responses with other statuses than 200 too.
        return error


def unpack_answer(status: int, headers: Message, body: bytes) -> Answer:
    """Return the decompressed body of a response.

    Raises
    ------
    UnreadableAnswer
        It cannot be decompressed.
    """
    if headers.get("Content-Encoding") == "gzip":
        try:
            # Apply the limit after decompression too, because a small response may expand to fill the memory.
            unpacker = zlib.decompressobj(wbits=_GZIP)
            body = unpacker.decompress(body, MOST_DOWNLOAD_BYTES)
        except zlib.error as error:
            raise UnreadableAnswer("the answer cannot be unpacked") from error
        if not unpacker.eof:
            raise UnreadableAnswer(
                f"the answer cannot be unpacked, or has more than {MOST_DOWNLOAD_BYTES:,} bytes"
            )
    return Answer(status=status, headers=headers, body=body)
