"""Leakage is the reduction in entropy, and the published bits of one table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.leakage import leakage
from tests.fixtures.tables import eleven

tables = st.lists(
    st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), min_size=1, max_size=6
).filter(lambda rows: any(sum(column) for column in zip(*rows, strict=True)))


def test_the_eleven_rows_of_source_001_leak_the_published_bits():
    table = eleven()
    found = leakage(ClassMatrix.of(Classes.of_columns(table.quasi_identifiers), table.column("problem")))
    assert found.mutual_information == pytest.approx(1.0627, abs=5e-5)
    assert found.entropy == pytest.approx(1.8586, abs=5e-5)


@given(tables)
def test_mutual_information_is_the_reduction_in_entropy(rows):
    counts = np.array(rows, dtype=float)
    matrix = ClassMatrix.from_counts(rows)
    found = leakage(matrix)

    def entropy(row):
        share = row[row > 0] / row.sum()
        return float(-(share * np.log2(share)).sum())

    left = sum(row.sum() / counts.sum() * entropy(row) for row in counts)
    assert found.mutual_information == pytest.approx(entropy(counts.sum(axis=0)) - left, abs=1e-9)
    assert found.largest_loss == pytest.approx(
        max(entropy(counts.sum(axis=0)) - entropy(row) for row in counts), abs=1e-9
    )
    assert -1e-12 <= found.mutual_information <= found.entropy + 1e-9


def test_constant_columns_leak_nothing():
    found = leakage(ClassMatrix.from_counts([[3], [2]]))
    assert (found.entropy, found.mutual_information, found.share) == (0, 0, 0)
