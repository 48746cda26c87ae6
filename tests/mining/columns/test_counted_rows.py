"""Counting rows without keeping them gives the same counts as their columns, in any chunks."""

import numpy as np
import pytest

from benchmarks.simulation import study_design
from mining.columns import counted_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counted_rows import CountedRows, count_rows_of, counted_together
from mining.columns.precomputed_counts import PrecomputedCounts, precomputed_counts, precomputed_requests
from mining.columns.row_writer import RowWriter
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.layout import Layout

DESIGN = study_design([4, 2], truth_probability=3000, unrelated=6000)
REQUESTS = precomputed_requests(DESIGN)
WIDTH = Layout(DESIGN).n_bytes


def packed(n: int, seed: int = 1) -> bytes:
    cells = np.random.default_rng(seed).integers(0, 2, size=(n, 1 + len(DESIGN.items)), dtype=np.int8)
    # Every respondent answers yes to the last question, so its column is full.
    cells[:, -1] = 1
    return RowWriter(DESIGN).pack(cells)


def counted(buffers: list[bytes]) -> CountedRows:
    assert REQUESTS is not None
    return count_rows_of(DESIGN, buffers, REQUESTS)


@pytest.mark.parametrize("cuts", [[300], [1, 2, 297], [100, 0, 200]])
def test_counts_of_portions_equal_counts_of_the_whole(
    cuts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted_rows, "COUNTED_AT_A_TIME", 70)
    read: list[int] = []

    def counts_of(matrix: BitMatrix, requests: Whole) -> PrecomputedCounts:
        read.append(matrix.n)
        return precomputed_counts(matrix, requests)

    monkeypatch.setattr(counted_rows, "precomputed_counts", counts_of)
    rows = packed(300)
    buffers, start = [], 0
    for n in cuts:
        buffers.append(rows[start * WIDTH : (start + n) * WIDTH])
        start += n
    whole = BitMatrix.from_rows(DESIGN, rows)
    found = counted(buffers)
    # A chunk is complete once it has 70 rows, so with one row too few it is almost twice as large.
    assert sum(read) == 300
    assert len(read) > 1
    assert max(read) < 2 * 70
    assert REQUESTS is not None
    assert (found.n_direct, found.n_protected, found.n) == (whole.n_direct, whole.n_protected, 300)
    assert np.array_equal(found.precomputed.counts, precomputed_counts(whole, REQUESTS).counts)
    assert frozenset(np.flatnonzero(found.stored_at == -1).tolist()) == whole.full


def test_counted_parts_add_up_and_survive_serialisation() -> None:
    assert REQUESTS is not None
    parts = [counted([packed(n, seed=n)]) for n in (50, 80)]
    back = [
        CountedRows.from_bytes(part.to_bytes(), DESIGN, REQUESTS, n_direct=part.n_direct, n=part.n)
        for part in parts
    ]
    whole = counted([packed(50, seed=50), packed(80, seed=80)])
    together = counted_together(back)
    assert np.array_equal(together.precomputed.counts, whole.precomputed.counts)
    assert together.n_direct == whole.n_direct
    with pytest.raises(PrivacyError, match="but this design needs"):
        CountedRows.from_bytes(parts[0].to_bytes()[8:], DESIGN, REQUESTS, n_direct=1, n=50)


def test_zero_rows_give_zero_counts() -> None:
    assert counted([]).n == 0
    assert not counted([]).precomputed.counts.any()
