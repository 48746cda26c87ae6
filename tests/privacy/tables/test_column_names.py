from privacy.tables.column_names import name_columns
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
