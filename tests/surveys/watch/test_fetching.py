"""What a watcher makes of an answer: a server that is watched may mean it harm."""

from __future__ import annotations

import gzip
from email.message import Message

import pytest

from surveys.watch.fetching import MOST_BYTES, unpacked


def packed() -> Message:
    headers = Message()
    headers["Content-Encoding"] = "gzip"
    return headers


def test_a_packed_answer_is_read_as_it_was_meant() -> None:
    assert unpacked(200, packed(), gzip.compress(b"page")).body == b"page"
    assert unpacked(200, Message(), b"page").body == b"page"


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(bytes(MOST_BYTES + 1)),
        gzip.compress(gzip.compress(b"page"))[:-4],
        b"page",
        b"",
    ],
    ids=["too large", "cut off", "not packed", "empty"],
)
def test_an_answer_that_cannot_be_unpacked_or_fills_the_computer_is_no_answer(body: bytes) -> None:
    with pytest.raises(OSError, match="cannot be unpacked"):
        unpacked(200, packed(), body)
