"""How a watcher handles responses of a server that may be malicious."""

import contextlib
import gzip
import itertools
import re
import socket
import threading
import time
from collections.abc import Iterator
from email.message import Message

import pytest

from surveys.watch.download import (
    MOST_DOWNLOAD_BYTES,
    SECONDS_IN_ALL,
    SECONDS_TO_ANSWER,
    fetch,
    fetching_within,
    unpack_answer,
)
from surveys.watch.no_answer import NoAnswer, UnreadableAnswer
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
    with pytest.raises(UnreadableAnswer, match="cannot be unpacked"):
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
    with pytest.raises(NoAnswer, match=r"not complete after 1 seconds"):
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
    with pytest.raises(NoAnswer, match="all answers together took more than 900 seconds"):
        fetch_in_time(url, {})


def test_the_systemd_timeout_exceeds_the_own_timeout_of_the_watcher() -> None:
    unit = (ROOT / "deploy/watch/sottovoce-watch.service").read_text(encoding="utf-8")
    (minutes,) = re.findall(r"^TimeoutStartSec=(\d+)min$", unit, re.MULTILINE)
    assert 60 * int(minutes) > SECONDS_IN_ALL + 2 * SECONDS_TO_ANSWER


def headers(*lines: tuple[str, str]) -> Message:
    message = Message()
    for name, value in lines:
        message[name] = value
    return message
