"""How a watcher handles responses of a server that may be malicious."""

import contextlib
import gzip
import itertools
import re
import socket
import threading
import time
from collections.abc import Iterator
from datetime import date
from email.message import Message
from pathlib import Path

import pytest

from surveys.errors.error import SurveyError
from surveys.respondent.client_program import POLICY
from surveys.watch.download import (
    MOST_DOWNLOAD_BYTES,
    SECONDS_IN_ALL,
    SECONDS_TO_ANSWER,
    fetch,
    fetching_within,
    unpack_answer,
)
from surveys.watch.file_comparison import (
    AddressView,
    changes_since,
    memory_read,
    memory_write,
    odd_headers,
    odd_policy,
)
from tests.conftest import ROOT


def packed() -> Message:
    headers = Message()
    headers["Content-Encoding"] = "gzip"
    return headers


def test_a_compressed_response_is_decompressed() -> None:
    assert unpack_answer(200, packed(), gzip.compress(b"page")).body == b"page"
    assert unpack_answer(200, Message(), b"page").body == b"page"


@pytest.mark.parametrize(
    "body",
    [gzip.compress(bytes(MOST_DOWNLOAD_BYTES + 1)), gzip.compress(gzip.compress(b"page"))[:-4], b"page", b""],
    ids=["too large", "cut off", "not packed", "empty"],
)
def test_undecodable_and_oversized_responses_are_rejected(body: bytes) -> None:
    with pytest.raises(OSError, match="cannot be unpacked"):
        unpack_answer(200, packed(), body)


def dripping(pieces: Iterator[bytes]) -> tuple[str, threading.Thread]:
    """Start a server that sends pieces so often that no read times out."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listening, listening.accept()[0] as connection, contextlib.suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(0.02)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}/", thread


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 404 Not Found\r\n\r\n",
    ],
    ids=["status", "header", "body", "body without a length", "body of another status"],
)
def test_a_slow_server_is_abandoned_after_the_time_limit(start: bytes) -> None:
    """No read times out, so only a limit for the whole response ends the download."""
    url, thread = dripping(itertools.chain([start], itertools.repeat(b"x")))
    with pytest.raises(TimeoutError, match=r"not complete after 1 seconds"):
        fetch(url, {}, seconds=1.0)
    # The connection is really closed.
    thread.join(timeout=300)
    assert not thread.is_alive()


def test_a_timely_response_is_returned_with_any_status() -> None:
    for status in (b"200 OK", b"404 Not Found"):
        url, _thread = dripping(iter([b"HTTP/1.1 " + status + b"\r\nContent-Length: 4\r\n\r\n", b"page"]))
        answer = fetch(url, {})
        assert (answer.status, answer.body) == (int(status[:3]), b"page")


def test_the_total_download_time_is_limited() -> None:
    """Thirty seconds for each of about a hundred files would be an hour."""
    now = [0.0]
    fetch_in_time = fetching_within(900, clock=lambda: now[0])
    url, _thread = dripping(iter([b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", b"page"]))
    assert fetch_in_time(url, {}).body == b"page"
    now[0] = 900.0
    with pytest.raises(TimeoutError, match="all answers together took more than 900 seconds"):
        fetch_in_time(url, {})


def test_the_systemd_timeout_exceeds_the_own_timeout_of_the_watcher() -> None:
    unit = (ROOT / "deploy/watch/sottovoce-watch.service").read_text(encoding="utf-8")
    (minutes,) = re.findall(r"^TimeoutStartSec=(\d+)min$", unit, re.MULTILINE)
    assert 60 * int(minutes) > SECONDS_IN_ALL + 2 * SECONDS_TO_ANSWER


SERVER = "https://survey.example"


def headers(*lines: tuple[str, str]) -> Message:
    message = Message()
    for name, value in lines:
        message[name] = value
    return message


@pytest.mark.parametrize(
    "name", ["Refresh", "Link", "Set-Cookie", "Clear-Site-Data", "NEL", "Report-To", "SourceMap"]
)
def test_headers_that_redirect_or_track_visitors_are_reported(name: str) -> None:
    assert odd_headers(headers(("Date", "now"), (name, "x"), (name, "y"))) == [name]


@pytest.mark.parametrize(
    ("policy", "odd"),
    [
        ("frame-ancestors 'none'", []),
        (f"frame-ancestors 'none'; connect-src 'self' {SERVER};", []),
        (
            "frame-ancestors 'none'; connect-src https://elsewhere.example",
            ["its policy contains connect-src https://else"],
        ),
        ("frame-ancestors 'none'; script-src 'self' 'unsafe-inline'", ["its policy contains script-src"]),
        ("frame-ancestors 'none'; report-uri https://e.example", ["its policy contains report-uri"]),
        (
            "frame-ancestors https://e.example",
            ["its policy contains frame-ancestors", "its policy allows other pages"],
        ),
        ("default-src 'none'", ["its policy allows other pages"]),
    ],
)
def test_a_content_policy_may_allow_only_what_the_page_needs(policy: str, odd: list[str]) -> None:
    found = list(odd_policy(headers(("Content-Security-Policy", policy)), server=SERVER))
    assert len(found) == len(odd)
    assert all(said.startswith(begin) for said, begin in zip(found, odd, strict=True))


def test_the_policy_of_the_page_itself_is_strict_except_for_connections() -> None:
    own = headers(("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'"))
    (said,) = odd_policy(own, server=SERVER)
    assert "connect-src" in said


def test_a_second_content_policy_is_checked_too() -> None:
    both = headers(
        ("Content-Security-Policy", "frame-ancestors 'none'"),
        ("Content-Security-Policy", "img-src https://e.example"),
    )
    assert list(odd_policy(both, server="")) == ["its policy contains img-src https://e.example"]


ADDRESS = "https://a.example/en/s/work/"
MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)


def seen(root: str | None, client: str = "c" * 64) -> AddressView:
    return AddressView(address=ADDRESS, client=client, root=root)


def test_the_first_visit_reports_no_news(tmp_path: Path) -> None:
    assert memory_read(tmp_path / "none.json") == {}
    assert changes_since(seen("a"), {}) == []


def test_a_changed_survey_or_client_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    memory_write(path, {}, [seen("a", "c")], today=MONDAY)
    assert changes_since(seen("b", "d"), memory_read(path)) == [
        "the client is another one since 2026-11-23: c before, d now",
        "the survey is another one since 2026-11-23: a before, b now",
    ]
    memory_write(path, memory_read(path), [seen("b", "d")], today=TUESDAY)
    assert changes_since(seen("b", "d"), memory_read(path)) == []
    assert memory_read(path)[ADDRESS]["since"] == "2026-11-24"


def test_an_unreachable_survey_keeps_its_remembered_state(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    memory_write(path, {"https://b.example/en/s/x/": {"root": "x"}}, [seen("a")], today=MONDAY)
    memory_write(path, memory_read(path), [seen(None)], today=TUESDAY)
    stored = memory_read(path)
    assert (stored[ADDRESS]["root"], stored[ADDRESS]["since"]) == ("a", "2026-11-23")
    assert stored["https://b.example/en/s/x/"] == {"root": "x"}


def test_an_unwritable_memory_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match="cannot be read"):
        memory_write(tmp_path / "none" / "seen.json", {}, [seen("a")], today=MONDAY)
