"""Bit columns that are built when they are first used."""

import numpy as np

from benchmarks.simulation import study_design
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.lazy_columns import uncounted_columns
from mining.columns.precomputed_counts import precomputed_requests
from mining.columns.row_writer import RowWriter
from privacy.survey.layout import Layout
from tests.mining.columns.test_counted_rows import counted

DESIGN = study_design([4, 2], truth_probability=3000, unrelated=6000)


REQUESTS = precomputed_requests(DESIGN)


WIDTH = Layout(DESIGN).n_bytes


def packed(n: int, seed: int = 1) -> bytes:
    cells = np.random.default_rng(seed).integers(0, 2, size=(n, 1 + len(DESIGN.items)), dtype=np.int8)
    # Every respondent answers yes to the last question, so its column is full.
    cells[:, -1] = 1
    return RowWriter(DESIGN).pack(cells)


def test_columns_are_built_once_and_only_for_longer_itemsets() -> None:
    rows = packed(200)
    whole, found = BitMatrix.from_rows(DESIGN, rows), counted([rows])
    asked = 0

    def make() -> BitMatrix:
        nonlocal asked
        asked += 1
        return whole

    matrix = uncounted_columns(DESIGN, (found.n_direct, found.n_protected), found.stored_at, make)
    cache = CountCache(matrix, precomputed=found.precomputed)
    plain = CountCache(whole)
    assert cache.need([(0, 1, 2)])[0, 1, 2] == plain.need([(0, 1, 2)])[0, 1, 2]
    assert (matrix.n, matrix.full, asked) == (200, whole.full, 0)
    assert cache.need([(0, 1, 2, 3)])[0, 1, 2, 3] == plain.need([(0, 1, 2, 3)])[0, 1, 2, 3]
    assert asked == 1


def test_reordered_columns_are_mapped_to_the_given_order() -> None:
    rows = packed(200)
    whole = BitMatrix.from_rows(DESIGN, rows)
    each_apart = np.arange(DESIGN.n_columns)
    matrix = uncounted_columns(DESIGN, (whole.n_direct, whole.n_protected), each_apart, lambda: whole)
    for items in [(0,), (3, 5), (0, 1, 2, 3)]:
        assert CountCache(matrix).need([items])[items] == CountCache(whole).need([items])[items]
