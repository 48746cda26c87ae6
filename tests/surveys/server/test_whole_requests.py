"""Requests reach the application complete, and slow or large ones delay no others."""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.urls import reverse
from django.utils.translation import override

from surveys.server import whole_requests
from surveys.server.whole_requests import (
    MOST_FILE_BYTES,
    MOST_REQUEST_BYTES,
    PIECE_BYTES,
    SMALL_BYTES,
    Application,
    Pace,
    environ_of,
)
from tests.conftest import in_a_loop
from tests.fixtures.web_server import WebServer

T = TypeVar("T")


STAFF_PATH = "/en/staff/surveys/"


def scope_of(path: str = "/api/submissions", method: str = "POST", **headers: str) -> dict[str, Any]:
    raw, _, query = path.partition("?")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": raw,
        "raw_path": raw.encode(),
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "server": ("127.0.0.1", 8000),
        "client": ("192.0.2.7", 40000),
    }


class Exchange:
    """One request to an application, with a body in pieces, and the response."""

    def __init__(self, application: Application, scope: dict[str, Any], *pieces: bytes | None) -> None:
        self.application = application
        self.scope = scope
        # None means that the rest never arrives.
        self.pieces = list(pieces)
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        piece = self.pieces.pop(0) if self.pieces else None
        if piece is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": piece, "more_body": True}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def run(self) -> Exchange:
        await self.application(self.scope, self.receive, self.send)
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self.sent[1:])


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose clock moves only while it is idle, so that timers are exact on a busy machine.

    The clock stops while a thread works for the loop.
    """

    def __init__(self) -> None:
        super().__init__(_Jumping(self))
        self.now = 0.0
        self.works: set[asyncio.Future[Any]] = set()

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        work = super().run_in_executor(executor, func, *args)
        self.works.add(work)
        work.add_done_callback(self.works.discard)
        return work


class _Jumping(selectors.DefaultSelector):
    """Select ready events; if there are none, advance the time to the next timer."""

    def __init__(self, loop: VirtualTime) -> None:
        super().__init__()
        self.loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or (timeout > 0 and self.loop.works):
            return super().select(None)
        self.loop.now += timeout
        return super().select(0)


def in_virtual_time(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a scene in a separate thread with virtual time, which also applies to the pace of large bodies."""

    def run() -> T:
        with asyncio.Runner(loop_factory=VirtualTime) as runner, pytest.MonkeyPatch.context() as patch:
            patch.setattr(whole_requests, "Pace", partial(Pace, clock=runner.get_loop().time))
            return runner.run(scene())

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def application_of(
    wsgi: Callable[[dict[str, Any], Callable[..., Any]], Any], threads: int = 1
) -> Application:
    return Application(wsgi, threads=threads, rank_of=lambda _environ: ())


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("200 OK", [("X-Threads", threading.current_thread().name)])
    return [environ["wsgi.input"].read()]


def ask(wsgi: Any, scope: dict[str, Any], *pieces: bytes | None) -> Exchange:
    return in_a_loop(Exchange(application_of(wsgi), scope, *pieces).run())


def test_a_body_in_pieces_reaches_the_application_complete() -> None:
    done = ask(echo, scope_of(content_length="9"), b"abc", b"def", b"ghi")
    assert (done.status, done.body) == (200, b"abcdefghi")


def test_bodies_without_a_plain_length_are_not_read() -> None:
    for headers in (
        {},
        {"content_length": "-1"},
        {"content_length": "5.0"},
        {"transfer_encoding": "chunked"},
    ):
        assert ask(echo, scope_of(**headers)).body == b""


def test_oversized_bodies_are_not_read_and_the_application_refuses_them() -> None:
    def length(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("413 Too Large", [])
        return [environ["CONTENT_LENGTH"].encode(), environ["wsgi.input"].read()]

    done = ask(length, scope_of(content_length=str(SMALL_BYTES + 1)))
    assert (done.status, done.body) == (413, str(SMALL_BYTES + 1).encode())


def test_staff_forms_can_be_larger_up_to_a_limit() -> None:
    form = b"x" * (SMALL_BYTES + 1)
    assert ask(echo, scope_of(STAFF_PATH, content_length=str(len(form))), form).body == form
    for length in (str(MOST_REQUEST_BYTES + 1), "9" * 5000):
        refused = ask(echo, scope_of(STAFF_PATH, content_length=length))
        assert refused.status == 413


def test_a_browser_that_sends_too_much_gets_a_page_that_leads_back_to_the_form() -> None:
    sender = "http://localhost:8000/zh-hans/staff/surveys/new"
    told = {"accept": "text/html,*/*", "host": "localhost:8000", "referer": sender}
    path, length = "/zh-hans/staff/surveys/work/build/texts.xlsx", str(MOST_REQUEST_BYTES + 1)
    page = ask(echo, scope_of(path, content_length=length, **told)).body.decode()
    assert f"{MOST_REQUEST_BYTES:,}" in page
    assert '<html lang="zh-hans"' in page
    assert 'href="/zh-hans/staff/surveys/new"' in page
    foreign = told | {"referer": "http://evil.example/x"}
    elsewhere = ask(echo, scope_of(path, content_length=length, **foreign)).body.decode()
    assert f'href="{path}"' in elsewhere


def test_tool_files_can_be_larger_still_at_one_url() -> None:
    path, file = "/en/staff/surveys/new/answers", b"x" * (MOST_REQUEST_BYTES + 1)
    assert ask(echo, scope_of(path, content_length=str(len(file))), file).body == file
    for elsewhere, length in ((f"{path}/", MOST_REQUEST_BYTES + 1), (path, MOST_FILE_BYTES + 1)):
        refused = ask(echo, scope_of(elsewhere, content_length=str(length)))
        assert (refused.status, f"{length - 1:,}" in refused.body.decode()) == (413, True)


def test_incomplete_bodies_occupy_no_thread_and_time_out() -> None:
    async def scene() -> None:
        application = application_of(echo, threads=1)
        slow = [
            asyncio.create_task(Exchange(application, scope_of(content_length="9"), b"abc").run())
            for _ in range(100)
        ]
        await asyncio.sleep(0.01)
        honest = await Exchange(application, scope_of(content_length="3"), b"abc").run()
        assert honest.status == 200
        assert not any(task.done() for task in slow)
        assert {done.status for done in await asyncio.gather(*slow)} == {408}

    in_virtual_time(scene)


def test_large_bodies_are_limited_by_available_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_requests, "MOST_HELD", 2 * MOST_REQUEST_BYTES)
    monkeypatch.setattr(whole_requests, "READ_PER_SECOND", 1e12)

    async def scene() -> None:
        application = application_of(echo)
        large = scope_of(STAFF_PATH, content_length=str(MOST_REQUEST_BYTES))
        half = b"a" * (MOST_REQUEST_BYTES // 2)
        slow = [asyncio.create_task(Exchange(application, large, half, half[1:]).run()) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert (await Exchange(application, large, half, half).run()).status == 503
        small = await Exchange(application, scope_of(STAFF_PATH, content_length="3"), b"abc").run()
        assert small.status == 200
        slow[0].cancel()
        await asyncio.sleep(0.01)
        for _time in range(3):
            assert (await Exchange(application, large, half, half).run()).status == 200
        slow[1].cancel()

    in_virtual_time(scene)


def test_announcing_a_large_body_reserves_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_requests, "MOST_HELD", MOST_REQUEST_BYTES + 100)

    async def scene() -> None:
        application = application_of(echo)
        large = scope_of(STAFF_PATH, content_length=str(MOST_REQUEST_BYTES))
        silent = [asyncio.create_task(Exchange(application, large, b"a").run()) for _ in range(100)]
        await asyncio.sleep(0.01)
        assert (await Exchange(application, large, b"a" * MOST_REQUEST_BYTES).run()).status == 200
        for task in silent:
            task.cancel()

    in_virtual_time(scene)


@pytest.mark.slow
def test_large_bodies_are_throttled_without_using_up_their_time_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole_requests, "BODY_SECONDS", 2.0)
    monkeypatch.setattr(whole_requests, "READ_PER_SECOND", MOST_REQUEST_BYTES)
    waits: list[float] = []
    true_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await true_sleep(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    large = scope_of(STAFF_PATH, content_length=str(MOST_REQUEST_BYTES))
    pieces = [b"a" * (MOST_REQUEST_BYTES // 5)] * 5

    async def scene() -> list[Exchange]:
        application = application_of(echo)
        alone = await Exchange(application, large, *pieces).run()
        assert waits == []
        # The last pieces of these bodies come after the time limit.
        crowd = [Exchange(application, large, *pieces).run() for _ in range(3)]
        return [alone, *await asyncio.gather(*crowd)]

    done = in_virtual_time(scene)
    assert [exchange.status for exchange in done] == [200] * 4
    assert len(waits) > 10


def test_large_bodies_and_files_go_to_the_large_request_application() -> None:
    def other(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("200 OK", [])
        return [b"other", environ["wsgi.input"].read()]

    application = Application(echo, threads=1, rank_of=lambda _environ: (), large=other)
    form = b"x" * (SMALL_BYTES + 1)
    file = {"content_length": "3", "content_type": "multipart/form-data; boundary=x"}
    for scope, body, answer in (
        (scope_of(STAFF_PATH, content_length=str(len(form))), form, b"other" + form),
        (scope_of(STAFF_PATH, **file), b"abc", b"otherabc"),
        (scope_of(STAFF_PATH, content_length="3"), b"abc", b"abc"),
        # Respondents' requests are never large.
        (scope_of("/api/submissions", **file), b"abc", b"abc"),
    ):
        assert in_a_loop(Exchange(application, scope, body).run()).body == answer


def test_the_web_process_answers_only_respondents_and_probes() -> None:
    def elsewhere(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("200 OK", [])
        return [b"elsewhere"]

    application = Application(echo, threads=1, rank_of=lambda _environ: (), staff=elsewhere)
    with override("en"):
        addresses = {name: reverse(name) for name in ("home", "submit", "manifest", "report:surveys_json")}
        addresses["client:state"] = reverse("client:state", args=["sleep"])
    for scope, is_elsewhere in (
        (scope_of(addresses["home"], "GET"), False),
        (scope_of(addresses["submit"], content_length="3"), False),
        (scope_of(addresses["manifest"], "GET"), False),
        (scope_of(addresses["client:state"], "GET"), False),
        (scope_of("/en/s/sleep/", "GET"), False),
        (scope_of("/static/surveys/x.js", "GET"), False),
        (scope_of("/live", "GET"), False),
        (scope_of("/ready", "GET"), False),
        (scope_of(addresses["report:surveys_json"], "GET"), True),
        (scope_of(STAFF_PATH, "GET"), True),
        (scope_of("/en/staff/surveys/new", content_length="3"), True),
        (scope_of("/en/staff/log-in/", content_length="3"), True),
        (scope_of("/zh-hans/admin/", "GET"), True),
        (scope_of(reverse("openid_back"), "GET"), True),
        (scope_of("/en/shared/abc/report/", "GET"), True),
    ):
        done = in_a_loop(Exchange(application, scope, b"abc").run())
        assert (done.body == b"elsewhere") == is_elsewhere, scope["path"]


def test_large_requests_of_one_account_yield_to_other_accounts() -> None:
    order: list[str] = []
    began, let_go = threading.Event(), threading.Event()

    def read(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        began.set()
        assert let_go.wait(300)
        order.append(environ["HTTP_COOKIE"])
        return echo(environ, start_response)

    async def scene() -> None:
        application = Application(
            read, threads=4, rank_of=lambda _environ: (), account_of=lambda environ: environ["HTTP_COOKIE"]
        )
        file = {"content_length": "3", "content_type": "multipart/form-data; boundary=x"}

        async def sent(account: str) -> None:
            done = await Exchange(application, scope_of(STAFF_PATH, cookie=account, **file), b"abc").run()
            assert done.status == 200

        greedy = [asyncio.create_task(sent("greedy")) for _ in range(4)]
        await asyncio.to_thread(began.wait, 60)
        while application._large_by_account["greedy"] < 4:
            await asyncio.sleep(0)
        other = asyncio.create_task(sent("other"))
        while not application._large_by_account["other"]:
            await asyncio.sleep(0)
        let_go.set()
        await asyncio.gather(*greedy, other)
        assert application._large_by_account["greedy"] == application._large_by_account["other"] == 0

    in_a_loop(scene())
    assert order == ["greedy", "other", "greedy", "greedy", "greedy"]


def test_large_bodies_may_be_slow_but_must_keep_a_minimum_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_requests, "BODY_SECONDS", 2.0)
    # The whole body would be allowed 5000 seconds.
    monkeypatch.setattr(whole_requests, "BYTES_PER_SECOND", MOST_REQUEST_BYTES // 5000)
    large = scope_of(STAFF_PATH, content_length=str(MOST_REQUEST_BYTES))

    class Steady(Exchange):
        async def receive(self) -> dict[str, Any]:
            await asyncio.sleep(0.5)
            return await super().receive()

    async def scene() -> None:
        application = application_of(echo)
        steady = Steady(application, large, *[b"a" * (MOST_REQUEST_BYTES // 8)] * 8)
        behind = [
            Exchange(application, large, *pieces)
            for pieces in ((), (b"a",), (b"a" * (MOST_REQUEST_BYTES - 1),))
        ]
        await asyncio.gather(*(exchange.run() for exchange in (steady, *behind)))
        assert (steady.status, len(steady.body)) == (200, MOST_REQUEST_BYTES)
        assert [exchange.status for exchange in behind] == [408] * 3

    in_virtual_time(scene)


def test_an_unread_response_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_requests, "PIECE_SECONDS", 0.2)
    closed, given_up = threading.Event(), threading.Event()

    def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [])
        try:
            for _piece in range(3):
                yield b"x" * PIECE_BYTES
        finally:
            closed.set()

    class Idle(Exchange):
        async def send(self, message: dict[str, Any]) -> None:
            await super().send(message)
            if message["type"] == "http.response.body":
                try:
                    await asyncio.Event().wait()
                finally:
                    given_up.set()

    async def scene() -> None:
        idle = await Idle(application_of(wsgi), scope_of("/", "GET")).run()
        await asyncio.to_thread(given_up.wait)
        assert closed.is_set()
        assert len(idle.sent) == 2

    in_a_loop(scene())


def test_disconnected_clients_get_no_response() -> None:
    async def scene() -> None:
        exchange = Exchange(application_of(echo), scope_of(content_length="9"))

        async def gone() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        await exchange.application(exchange.scope, gone, exchange.send)
        assert exchange.sent == []

    in_a_loop(scene())


def test_each_kind_of_request_has_its_own_threads() -> None:
    def threads_of(path: str, method: str = "GET") -> str:
        ((name, value),) = ask(echo, scope_of(path, method)).sent[0]["headers"]
        assert name == b"x-threads"
        return str(value.decode().rpartition("_")[0])

    with override("en"):
        log_in = reverse("login")
    for path in (
        "/",
        "/en/",
        "/en/s/work/",
        "/static/x.js",
        "/api/submissions",
        "/en/staffing",
        "/en/shared",
    ):
        assert threads_of(path) == "pages", path
    for path in (
        STAFF_PATH,
        "/zh-hans/staff/people/",
        "/en/admin/",
        "/en/staff",
        log_in,
        reverse("openid_back"),
    ):
        assert threads_of(path) == "staff", path
    assert threads_of(log_in, "POST") == threads_of("/zh-hans/staff/log-in/", "POST") == "log-ins"
    assert threads_of("/live") == "live"
    assert threads_of("/ready") == "ready"
    assert threads_of("/metrics") == "ready"
    for path in ("/en/shared/abc/", "/zh-hans/shared/abc/report/"):
        assert threads_of(path) == "shared", path


def test_large_staff_uploads_are_processed_one_at_a_time() -> None:
    busy, began, let_go = threading.Lock(), threading.Event(), threading.Event()

    def work(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["CONTENT_LENGTH"] != "1":
            assert busy.acquire(blocking=False), "two at a time"
            began.set()
            assert let_go.wait(300)
            busy.release()
        return echo(environ, start_response)

    large = b"x" * (SMALL_BYTES + 1)

    async def scene() -> list[Exchange]:
        application = Application(work, threads=4, rank_of=lambda _environ: ())

        def sent(body: bytes) -> Exchange:
            return Exchange(application, scope_of(STAFF_PATH, content_length=str(len(body))), body)

        waiting = [asyncio.create_task(sent(large).run()) for _ in range(3)]
        await asyncio.to_thread(began.wait, 60)
        small = await sent(b"x").run()
        let_go.set()
        return [small, *await asyncio.gather(*waiting)]

    assert [done.body for done in in_a_loop(scene())] == [b"x", large, large, large]


def test_logins_run_one_at_a_time_and_prefer_infrequent_clients() -> None:
    order: list[str] = []
    busy = threading.Lock()
    began, let_go = threading.Event(), threading.Event()

    def log_in(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        assert busy.acquire(blocking=False), "two at a time"
        began.set()
        assert let_go.wait(300)
        order.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [])
        busy.release()
        return []

    tally: dict[str, int] = {}

    def rank_of(environ: dict[str, Any]) -> tuple[int, ...]:
        who = environ["REMOTE_ADDR"]
        tally[who] = tally.get(who, -1) + 1
        return (tally[who],)

    async def scene() -> list[Exchange]:
        application = Application(log_in, threads=4, rank_of=rank_of)
        post = scope_of("/en/staff/log-in/")
        flood = [asyncio.create_task(Exchange(application, post).run()) for _ in range(40)]
        await asyncio.to_thread(began.wait, 60)
        honest = asyncio.create_task(Exchange(application, {**post, "client": ("198.51.100.1", 1)}).run())
        await asyncio.sleep(0.01)
        let_go.set()
        return list(await asyncio.gather(honest, *flood))

    honest, *flood = in_a_loop(scene())
    assert honest.status == 200
    assert order[1] == "198.51.100.1"
    # One request runs and twenty wait, one of them honest; the others are asked to retry.
    assert sorted(done.status for done in flood) == [200] * 20 + [503] * 20


def test_responses_leave_their_thread_complete_or_in_large_pieces() -> None:
    closed: list[str] = []

    class Response:
        def __init__(self, count: int) -> None:
            self.count = count

        def __iter__(self) -> Iterator[bytes]:
            return iter([b"x" * 10_000] * self.count)

        def close(self) -> None:
            closed.append(threading.current_thread().name)

    def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Response:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return Response(int(environ["QUERY_STRING"]))

    short = ask(wsgi, scope_of("/?50", "GET"))
    assert [message["type"] for message in short.sent] == ["http.response.start", "http.response.body"]
    assert short.body == b"x" * 500_000
    long = ask(wsgi, scope_of("/?300", "GET"))
    assert long.body == b"x" * 3_000_000
    assert all(PIECE_BYTES <= len(message["body"]) < PIECE_BYTES + 10_000 for message in long.sent[1:-1])
    assert [message["more_body"] for message in long.sent[1:]] == [True, True, False]
    assert len(closed) == 2
    assert all(name.startswith("pages") for name in closed)


def test_the_environment_conforms_to_wsgi() -> None:
    scope = scope_of("/en/%C3%A9/%ff?a=b%20c", "GET", host="survey.example.org", accept="text/html")
    scope["headers"] += [(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"*/*")]
    scope["headers"] += [(b"content-type", b"text/plain"), (b"x_forwarded_for", b"203.0.113.9")]
    environ = environ_of(scope)
    assert environ["PATH_INFO"].encode("latin-1") == "/en/é/".encode() + b"\xff"
    assert environ["QUERY_STRING"] == "a=b%20c"
    assert environ["HTTP_HOST"] == "survey.example.org"
    assert environ["HTTP_COOKIE"] == "a=1;b=2"
    assert environ["HTTP_ACCEPT"] == "text/html,*/*"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["REMOTE_ADDR"] == "192.0.2.7"
    # With an underscore, a header could pass as the one that only a proxy sets.
    assert not any("FORWARDED" in name for name in environ)


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(tmp_path / "web.log") as server:
        yield server
