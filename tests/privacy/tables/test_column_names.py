import pytest

from privacy.tables.column_names import name_columns, numbers_rows
from privacy.tables.columns import ReadTable


def test_every_column_gets_a_unique_name() -> None:
    """This also holds if a column would get the name of a later one."""
    header = ["", "age", "age", "age (2)", "", "q" * 120, "q" * 130, "column 1"]
    table = name_columns(ReadTable.of_rows(header, [[str(place) for place in range(8)]]))
    cut = "q" * 100
    names = ["column 1 (2)", "age", "age (3)", "age (2)", "column 5", cut, f"{cut} (2)", "column 1"]
    assert table.header == names
    assert [column.label for column in table.columns][5:7] == ["q" * 120, "q" * 130]
    assert next(table.rows()) == tuple("01234567")


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
