"""Cells of CSV files are escaped, and lines follow the order of the columns."""

from surveys.formats.csv_cells import cell_of, records_as_csv


def test_csv_cells_are_escaped_and_follow_the_column_order() -> None:
    assert [cell_of(value) for value in (None, True, -0.5, "\r=1+1")] == ["", 1, -0.5, "'\r=1+1"]
    lines = list(records_as_csv(("b", "a"), [{"a": "=1", "b": None}]))
    assert lines == ["b,a\r\n", ",'=1\r\n"]
