import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import classes as module
from privacy.sdc.classes import Classes, ClassMatrix
from tests.fixtures.tables import codes_column, eleven


def test_identical_records_form_one_class():
    table = eleven()
    assert sorted(Classes.of_columns(table.quasi_identifiers).sizes.tolist()) == [2, 2, 2, 2, 3]


def test_grouping_without_columns_is_rejected():
    with pytest.raises(PrivacyError, match="no column groups"):
        Classes.of_columns([])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1))
def test_class_matrices_count_class_and_value_pairs(pairs):
    classes = Classes.from_numbers([pair[0] for pair in pairs])
    column = codes_column("s", [*(pair[1] for pair in pairs)])
    matrix = ClassMatrix.of(classes, column)
    dense = np.zeros((classes.count, len(column.values)), dtype=int)
    for number, (_, value) in zip(classes.number.tolist(), pairs, strict=True):
        dense[number, value] += 1
    assert (matrix.dense() == dense).all()
    assert (ClassMatrix.from_counts(dense.tolist()).dense() == dense).all()
    assert matrix.sizes.tolist() == dense.sum(axis=1).tolist()
    assert matrix.totals.tolist() == dense.sum(axis=0).tolist()


def test_row_blocks_concatenate_to_the_whole_matrix(monkeypatch):
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 6)
    matrix = ClassMatrix.from_counts([[1, 0, 2], [0, 1, 0], [3, 1, 1], [0, 0, 1], [1, 1, 0]])
    parts = list(matrix.blocks())
    assert len(parts) == 3
    assert (np.concatenate(parts) == matrix.dense()).all()


def test_sparse_and_dense_class_counts_agree(monkeypatch):
    rng = np.random.default_rng(5)
    classes = Classes.from_numbers(rng.integers(0, 40, 200))
    column = codes_column("s", rng.integers(0, 30, 200).tolist())
    dense = ClassMatrix.of(classes, column).dense()
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 0)
    assert (ClassMatrix.of(classes, column).dense() == dense).all()
