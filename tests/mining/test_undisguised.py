from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mining import undisguised as module
from mining.undisguised import frequent_itemsets
from privacy.errors import PrivacyError


@pytest.mark.slow
@given(
    n=st.integers(1, 60),
    support=st.sampled_from([0.001, 0.05, 0.1, 0.25, 0.5, 1.0]),
    max_size=st.integers(1, 4),
    little_memory=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_itemset_at_or_above_the_threshold_is_listed_in_order(
    n: int, support: float, max_size: int, little_memory: bool, seed: int
) -> None:
    rows = np.random.default_rng(seed).random((n, 5)) < 0.6
    expected = [
        (items, rows[:, items].all(axis=1).mean())
        for size in range(1, max_size + 1)
        for items in combinations(range(5), size)
        if rows[:, items].all(axis=1).sum() / n >= support
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LARGEST_TABLE", 0 if little_memory else 1 << 28)
        found = frequent_itemsets(rows, support=support, max_size=max_size)
    assert list(found) == [items for items, _ in expected]
    assert list(found.values()) == pytest.approx([share for _, share in expected], abs=1e-12)


def test_it_refuses_to_mine_nothing() -> None:
    with pytest.raises(PrivacyError, match="there are no rows to mine; wait for answers") as refusal:
        frequent_itemsets(np.ones((0, 3), dtype=bool), support=0.1, max_size=2)
    assert refusal.value.code == "no_rows"
