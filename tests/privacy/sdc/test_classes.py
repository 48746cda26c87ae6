"""Classes, and the matrix of their values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import classes as module
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.table import Column, Table
from tests.fixtures.tables import codes_column, eleven, table_of

# Two classes: a, a, b, c and b, b.
TWO = ClassMatrix.from_counts([[2, 1, 1], [0, 2, 0]])
# Three people of one class: one has a and b, the others a; one of a second class has c.
PEOPLE = ClassMatrix.from_counts([[3, 1, 0], [0, 0, 1]], crowd=np.array([4, 1]), n_answered=np.array([3, 1]))


def column(*values: str) -> Column:
    (made,) = table_of(["d"], [(value,) for value in values], sensitive=["d"]).columns
    return made


def test_labels_become_numbers_in_their_order() -> None:
    found = Classes.from_numbers([30, 10, 30, 20])
    assert (found.number.tolist(), found.count, len(found)) == ([2, 0, 2, 1], 3, 3)
    assert found.sizes.tolist() == [1, 1, 2]


def test_classes_of_parts_do_not_mix() -> None:
    pair, single = Classes.from_numbers([0, 1]), Classes.from_numbers([5])
    found = Classes.of_parts([(np.array([2, 0]), pair), (np.array([1]), single)])
    assert (found.number.tolist(), found.count) == ([1, 2, 0], 3)
    assert Classes.of_parts([]).count == 0


def test_records_that_agree_in_all_columns_form_a_class() -> None:
    table = table_of(["a", "b"], [("x", "1"), ("x", "2"), ("x", "1"), ("y", "1")])
    found = Classes.of_columns(table.columns)
    assert found.count == 3
    assert found.number[0] == found.number[2]
    assert len(set(found.number.tolist())) == 3
    with pytest.raises(PrivacyError) as refused:
        Classes.of_columns([])
    assert refused.value.case == "no_quasi_identifier.classes"


def test_people_count_once_in_each_class() -> None:
    found = Classes.from_numbers([0, 0, 0, 1])
    assert found.crowds(np.array([7, 7, 8, 7])).tolist() == [2, 1]
    assert found.crowds(None).tolist() == [3, 1]


def test_a_matrix_counts_the_values_of_each_class() -> None:
    found = ClassMatrix.of(Classes.from_numbers([0, 0, 0, 0, 1, 1]), column("a", "a", "b", "c", "b", "b"))
    assert found.dense().tolist() == TWO.dense().tolist() == [[2, 1, 1], [0, 2, 0]]
    assert (found.classes.tolist(), found.values.tolist()) == ([0, 0, 0, 1], [0, 1, 2, 1])
    assert (found.n_classes, found.n_values, found.crowd, found.n_answered) == (2, 3, None, None)


def test_people_with_several_values_count_in_each_but_once() -> None:
    classes, people = Classes.from_numbers([0, 0, 0, 0, 1]), np.array([1, 1, 1, 2, 1])
    found = ClassMatrix.of(classes, column("a", "a", "b", "a", "b"), people)
    assert found.dense().tolist() == [[2, 1], [0, 1]]
    assert found.crowd is not None
    assert found.n_answered is not None
    assert (found.crowd.tolist(), found.n_answered.tolist()) == ([2, 1], [2, 1])


def test_missing_values_are_no_values_but_their_people_stay_in_the_class() -> None:
    rule = ColumnRule(name="d", role="sensitive", kind="categorical", missing="value")
    (given,) = Table.from_rows(["d"], [("a",), ("",), ("b",), ("",)], [rule]).columns
    found = ClassMatrix.of(Classes.from_numbers([0, 0, 0, 1]), given)
    assert found.dense().tolist() == [[1, 1], [0, 0]]
    assert found.crowd is not None
    assert (found.crowd.tolist(), found.sizes.tolist()) == ([3, 1], [2, 0])


@pytest.mark.parametrize("cells", [0, 4_000_000])
def test_the_sparse_count_equals_the_dense_one(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    number, codes = rng.integers(0, 300, 400), rng.integers(0, 90, 400)
    values = tuple(f"v{code:02}" for code in range(90))
    sensitive = Column(
        name="d", role="sensitive", kind="categorical", values=values, codes=codes.astype(np.int32)
    )
    classes = Classes.from_numbers(number)
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", cells)
    found = ClassMatrix.of(classes, sensitive)
    expected = np.zeros((classes.count, 90), dtype=np.int64)
    np.add.at(expected, (classes.number, codes), 1)
    assert (found.dense() == expected).all()
    assert (found.counts > 0).all()
    if cells:
        assert [len(block) for block in found.blocks()] == [classes.count]
    else:
        assert [len(block) for block in found.blocks()] == [1] * classes.count
    assert (np.concatenate(list(found.blocks())) == expected).all()


def test_sizes_totals_and_shares_of_records() -> None:
    assert (TWO.sizes.tolist(), TWO.totals.tolist(), TWO.n) == ([4, 2], [2, 3, 1], 6)
    assert TWO.n_counted.tolist() == [4, 2]
    assert TWO.distinct.tolist() == [3, 1]
    assert TWO.row_share.tolist() == TWO.row_part.tolist() == [0.5, 0.25, 0.25, 1.0]
    assert TWO.table_share.tolist() == pytest.approx([2 / 6, 3 / 6, 1 / 6])
    assert TWO.table_part.tolist() == pytest.approx([2 / 6, 3 / 6, 1 / 6])


def test_shares_of_people_are_of_those_who_answered() -> None:
    assert (PEOPLE.sizes.tolist(), PEOPLE.n_counted.tolist(), PEOPLE.n) == ([3, 1], [4, 1], 4)
    assert PEOPLE.row_share.tolist() == pytest.approx([1, 1 / 3, 1])
    assert PEOPLE.row_part.tolist() == pytest.approx([3 / 4, 1 / 4, 1])
    assert PEOPLE.table_share.tolist() == pytest.approx([3 / 4, 1 / 4, 1 / 4])
    assert PEOPLE.table_part.tolist() == pytest.approx([3 / 5, 1 / 5, 1 / 5])
    # All three have the first value, so it is certain, although one has another value, too.
    assert PEOPLE.distinct.tolist() == [1, 1]


def test_some_classes_are_compared_with_the_whole_table() -> None:
    some = ClassMatrix.from_counts([[0, 2, 0]], table=TWO)
    assert some.table_share.tolist() == TWO.table_share.tolist()
    assert some.table_part.tolist() == TWO.table_part.tolist()


def test_ranks_begin_with_the_most_frequent_value_of_each_class() -> None:
    most, rank = ClassMatrix.from_counts([[1, 3, 2], [0, 0, 0], [4, 0, 5]]).largest()
    assert most.tolist() == [3, 0, 5]
    assert rank.tolist() == [2, 0, 1, 1, 0]


def test_sums_and_maxima_over_the_pairs_of_each_class() -> None:
    terms = np.array([1.0, 2.0, 4.0, -8.0])
    assert TWO.per_class(terms).tolist() == [7, -8]
    assert TWO.largest_per_class(terms).tolist() == [4, 0]


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


def test_the_largest_count_of_each_class_by_hand() -> None:
    """Class 0 has a twice and b once, class 1 only b, class 2 all three values once."""
    values = codes_column("s", [0, 0, 1, 1, 0, 1, 2])
    most, rank = ClassMatrix.of(Classes.from_numbers([0, 0, 0, 1, 2, 2, 2]), values).largest()
    assert most.tolist() == [2, 1, 1]
    assert sorted(rank.tolist()) == [0, 0, 0, 1, 1, 2]
