"""The distribution of right pairs agrees with an exhaustive count."""

import base64
import json
import secrets
from itertools import permutations

import numpy as np
import pytest

from tests.attack.matching import most_by_chance, right_pairs
from tests.attack.needles import Needles


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_distribution_of_right_pairs_matches_all_permutations(size: int) -> None:
    hits = [sum(a == b for a, b in enumerate(order)) for order in permutations(range(size))]
    expected = [hits.count(k) / len(hits) for k in range(size + 1)]
    assert right_pairs([size]) == pytest.approx(expected)
    assert right_pairs([size, size])[: size + 1] == pytest.approx(np.convolve(expected, expected)[: size + 1])
    assert right_pairs([50] * 4).sum() == pytest.approx(1)


def test_random_matches_exceed_the_limit_as_rarely_as_stated() -> None:
    chances = right_pairs([3, 3])
    limit = most_by_chance([3, 3], alarm=0.05)
    assert chances[limit + 1 :].sum() <= 0.05 < chances[limit:].sum()


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
