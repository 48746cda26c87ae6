"""What a message is signed with."""

from __future__ import annotations

import base64

import pytest

from surveys.webhooks.signature import KEY_BYTES, key_made, key_shown, signature, signed_headers
from tests.cast.receiver import holds

BODY = b'{"type": "test"}'


def test_a_key_has_256_random_bits() -> None:
    keys = {key_made() for _ in range(50)}
    assert len(keys) == 50
    assert {len(base64.b64decode(key)) for key in keys} == {KEY_BYTES} == {32}


def test_a_receiver_that_computes_it_apart_finds_it_right() -> None:
    key, other = key_made(), key_made()
    headers = signed_headers([key, other], number="msg_1", timestamp=1_800_000_000, body=BODY)
    assert holds(key_shown(key), headers, BODY)
    assert holds(other, headers, BODY)
    assert not holds(key_made(), headers, BODY)


@pytest.mark.parametrize(("header", "value"), [("webhook-id", "msg_2"), ("webhook-timestamp", "1800000001")])
def test_number_time_and_body_cannot_be_changed(header: str, value: str) -> None:
    key = key_made()
    headers = signed_headers([key], number="msg_1", timestamp=1_800_000_000, body=BODY)
    assert holds(key, headers, BODY)
    assert not holds(key, headers | {header: value}, BODY)
    assert not holds(key, headers, BODY + b" ")


def test_where_number_ends_and_time_begins_is_signed_too() -> None:
    key = key_made()
    one = signature(key, number="msg_1", timestamp=23, body=BODY)
    assert one != signature(key, number="msg_12", timestamp=3, body=BODY)
