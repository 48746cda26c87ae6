"""Columns that only number rows."""

import pytest

from privacy.tables.columns import ReadTable
from privacy.tables.row_numbers import numbers_rows


@pytest.mark.parametrize("name", ["column 1", "Unnamed: 0", "...1", "X", "row_names", "__index_level_0__"])
def test_row_number_columns_are_recognised_by_name_and_values(name: str) -> None:
    for cells, is_known in (
        ("0123", True),
        ("1234", True),
        # A subset of rows keeps their numbers, in its own order.
        ("1243", name != "X"),
        ("2345", True),
        ("1259", True),
        ("1224", False),
        ("12x4", False),
    ):
        assert numbers_rows(ReadTable.of_rows([name], list(cells)).columns[0]) == is_known
    assert not numbers_rows(ReadTable.of_rows(["age"], list("1234")).columns[0])
