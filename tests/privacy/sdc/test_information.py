import numpy as np
import pytest
from hypothesis import given

from privacy.sdc import Classes, ClassMatrix, leakage
from privacy.sdc.information import class_divergences
from tests.cast.tables import eleven
from tests.privacy.sdc.test_models import tables


def test_the_eleven_rows_of_source_001_tell_what_was_computed_for_them():
    table = eleven()
    found = leakage(ClassMatrix.of(Classes.of_columns(table.quasi_identifiers), table.column("problem")))
    assert found.mutual_information == pytest.approx(1.0627, abs=5e-5)
    assert found.entropy == pytest.approx(1.8586, abs=5e-5)


@given(tables)
def test_mutual_information_is_the_entropy_that_goes_away(rows):
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
    assert class_divergences(matrix).max() == pytest.approx(found.largest_divergence)


def test_a_constant_column_has_nothing_to_tell():
    found = leakage(ClassMatrix.from_counts([[3], [2]]))
    assert (found.entropy, found.mutual_information, found.share) == (0, 0, 0)
