"""Receive requests completely before a WSGI application processes them.

A WSGI server passes a request to a thread once its headers are read, so a client that sends its body slowly
occupies that thread: four such requests used to block all threads. Here the event loop reads bodies, with
limits on time and size, and a thread receives only complete requests. Responses are also collected completely
from their thread, so slow readers do not occupy a thread either.

This process answers respondents' requests. Another process answers staff requests (`staff_process`), and the
threads here only wait for it. Logging in is the most expensive work that a stranger can request, so one
thread handles log-ins one at a time, clients with the fewest requests first. Large bodies have one thread
and a separate process: among waiting requests, those of the account with the fewest come first.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from surveys.errors.error import SurveyError
from surveys.server.lanes import FIRST_COME, Lane, LaneFull, Rank
from surveys.server.refusal_pages import POLICY, refusal_page


class Pace:
    """A rate limit that holds on average and allows bursts.

    Parameters
    ----------
    per_second, burst : float
        Amounts in the same unit.

    Examples
    --------
    >>> pace = Pace(per_second=10, burst=5, clock=lambda: 0.0)
    >>> pace.wait_after(5), pace.wait_after(1), pace.wait_after(4)
    (0.0, 0.1, 0.5)
    """

    def __init__(
        self, *, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._ahead = burst / per_second
        self._clock = clock
        self._until = clock() - self._ahead

    def wait_after(self, amount: float) -> float:
        """Count an amount, and return how many seconds to wait before accepting more."""
        now = self._clock()
        self._until = max(self._until, now - self._ahead) + amount / self._per_second
        return max(0.0, self._until - now)


Message = dict[str, Any]
Environ = dict[str, Any]
Headers = list[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

# Every body from a device is smaller. Larger bodies are forms or workbooks from staff.
SMALL_BYTES: Final = 64 * 1024
MOST_REQUEST_BYTES: Final = 5_000_000
# For files of other survey tools, of which only one line of text per person is used.
MOST_FILE_BYTES: Final = 50_000_000
# Limit on all large bodies together. Anyone can send one, because the account is known only after the body
# has arrived.
MOST_HELD: Final = 80_000_000
# Time allowed for a body. Each byte of a large body extends it by the time of a byte at the rate below. But a
# client that stops sending never has more than BODY_SECONDS left, because its body occupies memory that
# others need.
BODY_SECONDS: Final = 20.0
BYTES_PER_SECOND: Final = 64 * 1024
# Rate limit for all large bodies together, apart from a burst. Faster reading would take processor time from
# respondents.
READ_PER_SECOND: Final = 10_000_000
# Responses up to PIECE_BYTES are collected completely from their thread. Longer ones (files for staff) are
# sent in pieces, each within PIECE_SECONDS.
PIECE_BYTES: Final = 1024 * 1024
PIECE_SECONDS: Final = 60.0
# After SIGTERM, proxies and browsers have this long to finish sending on kept-alive connections.
DRAIN_SECONDS: Final = 2.0
# A request that is refused because of a full queue is answered after this delay, which costs no thread.
PAUSE_SECONDS: Final = 1.0

# Without a language for single sign-on, whose providers know one address for all languages.
_STAFF = re.compile(r"(/[a-z-]+)?/(staff|admin)(/|$)")
_SHARED = re.compile(r"/[a-z-]+/shared/")
_TOOLS_FILE = re.compile(r"/[a-z-]+/staff/surveys/new/answers")
_LOG_IN = re.compile(r"/[a-z-]+/staff/log-in/")


class _Disconnected(Exception):
    """The client disconnected."""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """Part of a response to send: the headers, unless they were already sent, and a piece of the body."""

    status: int
    headers: Headers
    piece: bytes
    begun: bool = False
    last: bool = True


def _answer(error: SurveyError, environ: Environ) -> _Answer:
    """Return the response to a request that is refused here: a page for browsers, else the message."""
    page = refusal_page(error.status, environ, error.fields.get("most", ""))
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if page else b"text/plain"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if page:
        headers.append((b"content-security-policy", POLICY))
    if error.retry_after is not None:
        headers.append((b"retry-after", str(error.retry_after).encode("ascii")))
    return _Answer(status=error.status, headers=headers, piece=f"{page or error.message}\n".encode())


class _Pieces(io.RawIOBase):
    """Read a body from its pieces without copying, because copying 5 MB would keep all threads waiting."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._left = deque([memoryview(piece) for piece in pieces])

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as much of the next piece as fits."""
        while self._left and not self._left[0]:
            self._left.popleft()
        if not self._left:
            return 0
        count = min(len(buffer), len(self._left[0]))
        buffer[:count] = self._left[0][:count]
        self._left[0] = self._left[0][count:]
        return count


class Application:
    """An ASGI application around a WSGI one.

    Parameters
    ----------
    wsgi : callable
        The wrapped application.
    threads : int
        Number of threads for respondents' pages and everything that devices send, and the same for staff.
    rank_of : callable
        Returns the rank of a log-in among those that wait.
    staff : callable, optional
        Application for staff requests; `wsgi` by default.
    large : callable, optional
        Application for requests with a large body; `staff` by default.
    account_of : callable
        Returns the account that sends a large body, or "" for a stranger. Runs in a thread.
    drain_seconds : float
        How long requests are still answered after SIGTERM, each as the last on its connection.
    queue : callable
        Returns a context manager that yields the rank of a respondent's request and exits when the request is
        answered.
    """

    def __init__(
        self,
        wsgi: Wsgi,
        *,
        threads: int,
        rank_of: Callable[[Environ], Rank],
        staff: Wsgi | None = None,
        large: Wsgi | None = None,
        account_of: Callable[[Environ], str] = lambda _environ: "",
        drain_seconds: float = DRAIN_SECONDS,
        queue: Callable[[Environ], AbstractContextManager[Rank]] = lambda _environ: nullcontext(FIRST_COME),
    ) -> None:
        self._wsgi = wsgi
        self._staff_wsgi = staff or wsgi
        self._large_wsgi = large or self._staff_wsgi
        self._pages = Lane("pages", threads=threads, most_waiting=2_000)
        self._staff = Lane("staff", threads=threads, most_waiting=200)
        self._large = Lane("large", threads=1, most_waiting=50)
        # Anyone can try addresses, so such requests are answered one at a time.
        self._shared_lane = Lane("shared", threads=1, most_waiting=20)
        self._accounts = Lane("accounts", threads=1, most_waiting=200)
        self._account_of = account_of
        self._large_by_account: Counter[str] = Counter()
        self._log_ins = Lane("log-ins", threads=1, most_waiting=20)
        # The liveness check must not wait for anything, in particular not for other processes.
        self._live = Lane("live", threads=1, most_waiting=20)
        # The readiness check waits for seconds if a process does not answer.
        self._ready = Lane("ready", threads=1, most_waiting=20)
        self.drain_seconds = drain_seconds
        self._is_watching = self._is_draining = False
        self._rank_of = rank_of
        self._queue = queue
        self._n_held = 0
        self._pace = Pace(per_second=READ_PER_SECOND, burst=MOST_REQUEST_BYTES)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        self._watch()
        environ = environ_of(scope)
        try:
            answer = await self._answer(environ, receive, send)
        except SurveyError as error:
            answer = _answer(error, environ)
        except _Disconnected:
            return
        await self._send(answer, send)

    def _watch(self) -> None:
        """Replace the server's SIGTERM handler, which would close connections with requests in progress."""
        if not self._is_watching and threading.current_thread() is threading.main_thread():
            self._is_watching = True
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._drain)

    def _drain(self) -> None:
        """Answer requests for some seconds and close each connection after its response; then end."""
        if not self._is_draining:
            self._is_draining = True
            # SIGINT ends the server as SIGTERM would.
            asyncio.get_running_loop().call_later(self.drain_seconds, os.kill, os.getpid(), signal.SIGINT)

    async def _send(self, answer: _Answer, send: Send) -> None:
        if not answer.begun:
            headers = answer.headers
            if self._is_draining:
                headers = [*(pair for pair in headers if pair[0] != b"connection"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.piece, "more_body": not answer.last})

    async def _answer(self, environ: Environ, receive: Receive, send: Send) -> _Answer:
        async with self._body(receive, _length(environ)) as body:
            environ["wsgi.input"] = io.BufferedReader(_Pieces(body))
            loop = asyncio.get_running_loop()

            def push(answer: _Answer) -> None:
                sending = asyncio.run_coroutine_threadsafe(self._send(answer, send), loop)
                try:
                    sending.result(PIECE_SECONDS)
                except TimeoutError:
                    sending.cancel()
                    raise _Disconnected from None

            lane, rank = self._lane(environ)
            work = partial(_work, self._application(lane), environ, push)
            try:
                if lane is self._large:
                    return await self._run_large(work, environ)
                if lane is not self._pages:
                    return await lane.run(work, rank=rank)
                with self._queue(environ) as own:
                    return await lane.run(work, rank=own)
            except LaneFull:
                await asyncio.sleep(PAUSE_SECONDS)
                raise SurveyError("waiting.many", retry_after=5) from None

    def _application(self, lane: Lane) -> Wsgi:
        """Return the application for a lane; another process answers all requests that may have a session."""
        if lane is self._large:
            return self._large_wsgi
        return self._wsgi if lane in (self._pages, self._live, self._ready) else self._staff_wsgi

    async def _run_large(self, work: Callable[[], _Answer], environ: Environ) -> _Answer:
        """Run a large request in turn: the more of them an account has, the later its next one runs."""
        account = await self._accounts.run(partial(self._account_of, environ))
        before = self._large_by_account[account]
        self._large_by_account[account] += 1
        try:
            return await self._large.run(work, rank=(before,))
        finally:
            self._large_by_account[account] -= 1
            if not self._large_by_account[account]:
                del self._large_by_account[account]

    def _lane(self, environ: Environ) -> tuple[Lane, Rank]:
        path = environ["PATH_INFO"]
        if path == "/live":
            return self._live, FIRST_COME
        if path in ("/ready", "/metrics"):
            return self._ready, FIRST_COME
        if _SHARED.match(path):
            return self._shared_lane, FIRST_COME
        if _STAFF.match(path) is None:
            return self._pages, FIRST_COME
        if environ["REQUEST_METHOD"] == "POST" and _LOG_IN.fullmatch(path):
            return self._log_ins, self._rank_of(environ)
        return self._large if _is_large(environ) else self._staff, FIRST_COME

    @contextlib.asynccontextmanager
    async def _body(self, receive: Receive, length: int) -> AsyncIterator[list[bytes]]:
        """Read a body in pieces; a large body counts towards `MOST_HELD` until the request is answered."""
        body: list[bytes] = []
        received = 0
        # Small bodies need no limit, because the number of connections is limited.
        is_large = length > SMALL_BYTES
        try:
            try:
                async with asyncio.timeout(BODY_SECONDS) as limit:
                    while received < length:
                        piece, more = await _piece(receive)
                        piece = piece[: length - received]
                        if is_large:
                            if self._n_held + len(piece) > MOST_HELD:
                                raise SurveyError("waiting.large", retry_after=60)
                            self._n_held += len(piece)
                            _extend_limit(limit, len(piece))
                            await self._pause(limit, len(piece))
                        body.append(piece)
                        received += len(piece)
                        if not more:
                            break
            except TimeoutError:
                raise SurveyError("slow") from None
            yield body
        finally:
            self._n_held -= received if is_large else 0

    async def _pause(self, limit: asyncio.Timeout, received: int) -> None:
        """Wait before reading more of a large body, and extend the client's time limit by the same amount."""
        seconds = self._pace.wait_after(received)
        if seconds:
            limit.reschedule((limit.when() or asyncio.get_running_loop().time()) + seconds)
            await asyncio.sleep(seconds)


def environ_of(scope: Message) -> Environ:
    """Return the WSGI environment of a request, without its body."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    raw_path = scope.get("raw_path") or scope["path"].encode("utf-8")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # In WSGI, "x_forwarded_for" would look like the header that only the proxy may set.
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        between = ";" if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{between}{text}" if key in environ else text
    return environ


def _length(environ: Environ) -> int:
    """Return the number of body bytes to read: 0 without a plain length, as in WSGI."""
    text = environ.get("CONTENT_LENGTH", "")
    if not (text.isascii() and text.isdecimal()):
        return 0
    length = int(text) if len(text) < 10 else MOST_FILE_BYTES + 1
    if _STAFF.match(environ["PATH_INFO"]) is None:
        # Do not read longer bodies from devices and strangers. The views that receive the requests report it.
        return length if length <= SMALL_BYTES else 0
    most = MOST_FILE_BYTES if _TOOLS_FILE.fullmatch(environ["PATH_INFO"]) else MOST_REQUEST_BYTES
    if length > most:
        raise SurveyError("too_large.page", most=most)
    return length


def _is_large(environ: Environ) -> bool:
    """Return whether a staff request is long or uploads a file: a short file can unpack to a long one."""
    is_file = environ.get("CONTENT_TYPE", "").startswith("multipart/")
    return is_file or _length(environ) > SMALL_BYTES


async def _piece(receive: Receive) -> tuple[bytes, bool]:
    """Return the next piece of a body, and whether more follows."""
    message = await receive()
    if message["type"] != "http.request":
        raise _Disconnected
    return message.get("body", b""), bool(message.get("more_body"))


def _extend_limit(limit: asyncio.Timeout, received: int) -> None:
    latest = asyncio.get_running_loop().time() + BODY_SECONDS
    limit.reschedule(min((limit.when() or latest) + received / BYTES_PER_SECOND, latest))


def _work(wsgi: Wsgi, environ: Environ, push: Callable[[_Answer], None]) -> _Answer:
    """Run the application to its end, pushing all pieces of a long response except the last."""
    head: list[tuple[int, Headers]] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> None:
        pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        head[:] = [(int(status[:3]), pairs)]

    response = wsgi(environ, start_response)
    pieces: list[bytes] = []
    size, begun = 0, False
    try:
        for piece in response:
            pieces.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                status, headers = head[0]
                push(_Answer(status=status, headers=headers, piece=b"".join(pieces), begun=begun, last=False))
                pieces, size, begun = [], 0, True
    finally:
        close = getattr(response, "close", None)
        if close is not None:
            close()
    status, headers = head[0]
    return _Answer(status=status, headers=headers, piece=b"".join(pieces), begun=begun)
