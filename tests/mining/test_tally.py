from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mining import tally as module
from mining.bitmatrix import BitMatrix
from mining.tally import Tally
from tests.mining.cast import grouped


def test_nothing_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[int, ...]] = []
    count = module.count

    def spy(matrix: BitMatrix, requests: list[tuple[int, ...]], **options: Any) -> Any:
        counted.extend(requests)
        return count(matrix, requests, **options)

    monkeypatch.setattr(module, "count", spy)
    rows = np.array([[True, True], [True, False], [False, True]])
    tally = Tally(BitMatrix.from_booleans(grouped([2]), rows, np.array([True, False, False])))
    first = tally.need([(), (0,), (0,)])
    second = tally.need([(0,), (0, 1), ()])
    assert counted == [(), (0,), (0, 1)]
    assert dict(first) == {(): (1, 2), (0,): (1, 1)}
    assert dict(second) == {(): (1, 2), (0,): (1, 1), (0, 1): (1, 0)}
    assert dict(tally.counts) == dict(second)
