"""Every published figure stays: of the demonstration's run, and of cases of all else that is estimated."""

from __future__ import annotations

import csv
import math
from functools import lru_cache
from typing import Any

import pytest

from tests.golden.figures import HERE, tables
from tests.golden.make_golden import written

TOLERANCE = 1e-12


@lru_cache(maxsize=1)
def _found() -> dict[str, list[dict[str, Any]]]:
    return tables()


@pytest.mark.parametrize("name", ["demo_itemsets", "demo_rules", "cases"])
def test_figures_are_those_of_the_golden_table(name: str) -> None:
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        golden = list(csv.DictReader(file))
    found = _found()[name]
    assert len(found) == len(golden)
    wrong = [
        (place, key, text, record.get(key))
        for place, (record, row) in enumerate(zip(found, golden, strict=True))
        for key, text in row.items()
        if not _same(text, record.get(key))
    ]
    assert not wrong, wrong[:20]


def _same(text: str, value: Any) -> bool:
    if isinstance(value, float) and text:
        there = float(text)
        if math.isnan(there) or math.isinf(there):
            return repr(there) == repr(value)
        return abs(value - there) <= TOLERANCE * max(1.0, abs(there))
    return written(value) == text
