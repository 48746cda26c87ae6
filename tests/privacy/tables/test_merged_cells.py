"""Merged cells of a sheet belong to every record that they cover, and codes keep their zeros."""

import io
from typing import Any

import openpyxl

from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable
from privacy.tables.merged_cells import MergedCells
from privacy.tables.table_file import file_table


def read(rows: list[list[Any]], *merged: str, formats: str = "") -> ReadTable:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for each in merged:
        sheet.merge_cells(each)
    if formats:
        for row in sheet.iter_rows(min_row=2, max_col=1):
            row[0].number_format = formats
    content = io.BytesIO()
    book.save(content)
    return name_columns(file_table("a.xlsx", io.BytesIO(content.getvalue())))


PEOPLE = [["A", 30, "flu"], [None, 40, "cold"], [None, 50, "flu"], ["B", 60, "flu"]]


def test_a_merged_cell_is_the_value_of_each_record_it_covers() -> None:
    table = read([["town", "age", "ill"], *PEOPLE], "A2:A4")
    assert table.column("town").texts == ["A", "A", "A", "B"]
    assert [str(each) for each in table.decisions] == [
        "Merged cells of the sheet were filled with their value, for example “A” (2 cells)."
    ]


def test_empty_cells_that_are_not_merged_stay_empty() -> None:
    table = read([["town", "age", "ill"], *PEOPLE])
    assert table.column("town").texts == ["A", "", "", "B"]
    assert not table.decisions


def test_a_merged_header_stays_a_header() -> None:
    rows = [["town", "about", None], [None, "age", "ill"], *PEOPLE]
    table = read(rows, "A1:A2", "B1:C1", "A3:A5")
    assert table.header == ["town", "age", "ill"]
    assert table.column("town").texts == ["A", "A", "A", "B"]


def test_ranges_are_found_across_the_borders_of_chunks() -> None:
    for blanks in range((1 << 20) - 40, (1 << 20) + 2):
        merged = MergedCells.of_sheet(io.BytesIO(b" " * blanks + b'<mergeCell ref="AB2:AB3"/>'))
        rows = [["x"] * 28, ["x"] * 28, [*["x"] * 27, ""]]
        assert [*merged.filled(enumerate(rows, 1))][2][1][27] == "x"


def test_numbers_keep_the_zeros_that_their_format_shows() -> None:
    rows = [["zip", "age"], *[[1067 + number, 30 + number] for number in range(3)]]
    assert read(rows, formats="00000").column("zip").texts == ["01067", "01068", "01069"]
    assert read(rows, formats="0").column("zip").texts == ["1067", "1068", "1069"]
