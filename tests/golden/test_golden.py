"""Published figures do not change: those of the demonstration's run, and of numbers and places."""

from functools import lru_cache
from typing import Any

import pytest

from tests.golden.figures import tables
from tests.golden.make_golden import golden, same


@lru_cache(maxsize=1)
def _computed_tables() -> dict[str, list[dict[str, Any]]]:
    return tables()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo_itemsets", "demo_rules", "cases"])
def test_figures_match_the_golden_table(name: str) -> None:
    there = golden(name)
    found = _computed_tables()[name]
    assert len(found) == len(there)
    wrong = [
        (place, key, text, record.get(key))
        for place, (record, row) in enumerate(zip(found, there, strict=True))
        for key, text in row.items()
        if not same(text, record.get(key))
    ]
    assert not wrong, wrong[:20]
