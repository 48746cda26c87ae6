"""A value is found in whatever form a program is likely to have written it, and nothing else is."""

import base64
import json
import secrets

import pytest

from tests.attack.needles import Needles

VALUE = bytes(range(0xF0, 0x100)) + bytes(range(7))


@pytest.mark.parametrize(
    "written",
    [
        VALUE,
        VALUE.hex().encode(),
        VALUE.hex().upper().encode(),
        repr(VALUE).encode(),
        repr({"row": VALUE}).encode(),
        json.dumps(list(VALUE)).encode(),
        str(int.from_bytes(VALUE, "big")).encode(),
        *(base64.b64encode(bytes(lead) + VALUE + b"more") for lead in range(5)),
        *(base64.urlsafe_b64encode(bytes(lead) + VALUE + b"more") for lead in range(5)),
    ],
)
def test_each_written_form_is_found_at_any_position(written: bytes) -> None:
    needles = Needles({"row": {VALUE}, "key": {secrets.token_bytes(16)}})
    for before in (0, 1, 100, (1 << 22) - 3, (1 << 22) + 5):
        assert needles.times(bytes(before) + written + b"after") == {"row": 1}


def test_random_bytes_contain_no_needles() -> None:
    needles = Needles({"key": {secrets.token_bytes(16) for _ in range(1_000)}})
    assert len(needles) == 1_000
    assert needles.times(secrets.token_bytes(1_000_000)) == {}
    assert needles.times(b"") == needles.times(b"ab") == {}
