from __future__ import annotations

from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mining.columns.transposition import bit_columns

if find_spec("numba"):
    from benchmarks.depth_first import search

    @pytest.mark.slow
    @settings(deadline=None)
    @given(
        n=st.sampled_from([1, 63, 64, 65, 600]),
        n_items=st.integers(1, 9),
        share=st.sampled_from([0.1, 0.6, 0.95, 1.0]),
        least=st.integers(1, 40),
        max_size=st.integers(1, 9),
        seed=st.integers(0, 2**32 - 1),
    )
    def test_every_frequent_itemset_is_found_in_order_with_its_count(
        n: int, n_items: int, share: float, least: int, max_size: int, seed: int
    ) -> None:
        rows = np.random.default_rng(seed).random((n, n_items)) < share
        words = bit_columns(np.packbits(rows, axis=1), range(n_items))
        found = search(words, least=least, max_size=max_size, most=10_000)
        expected = [
            (items, count)
            for size in range(1, max_size + 1)
            for items in combinations(range(n_items), size)
            if (count := int(rows[:, items].all(axis=1).sum())) >= least
        ]
        assert found is not None
        itemsets = [tuple(items) for level in found.levels for items in level.tolist()]
        counts = [count for level in found.counts for count in level.tolist()]
        assert list(zip(itemsets, counts, strict=True)) == expected
        assert len(found) == len(expected)

    @pytest.mark.parametrize(("most", "enough"), [(2**12 - 1, True), (2**12 - 2, False), (11, False)])
    def test_it_gives_up_beyond_the_number_it_was_allowed(most: int, enough: bool) -> None:
        words = np.full((12, 1), 1, dtype=np.uint64)
        assert (search(words, least=1, max_size=12, most=most) is not None) is enough

    def test_python_tuples_are_the_arrays_row_by_row() -> None:
        words = np.array([[0b1111], [0b0111], [0b0011]], dtype=np.uint64)
        found = search(words, least=2, max_size=3, most=100)
        assert found is not None
        assert found.as_tuples() == [
            ((0,), 4), ((1,), 3), ((2,), 2), ((0, 1), 3), ((0, 2), 2), ((1, 2), 2), ((0, 1, 2), 2),
        ]  # fmt: skip
        assert len(found.as_tuples()) == len(found)
