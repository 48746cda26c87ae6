"""Patterns that several readers share match what their names say, and nothing similar."""

import pytest

from surveys.imports.patterns import BETWEEN_CELLS, SPACE_TO_WRITE, WHOLE_NUMBER


def test_parts_of_fractions_and_long_numbers_are_not_whole_numbers() -> None:
    assert WHOLE_NUMBER.findall("12 of 1.5 or 2,5 or 1234567, and 0") == ["12", "0"]


@pytest.mark.parametrize(
    ("text", "is_space"),
    [
        ("Name: ___", True),
        ("Name: ......", True),
        ("Name: ……", True),
        ("At work ...", False),
        ("a__b…", False),
    ],
)
def test_an_ellipsis_is_not_a_space_to_write(text: str, is_space: bool) -> None:
    assert bool(SPACE_TO_WRITE.search(text)) is is_space


def test_cells_are_divided_by_tabs_and_by_more_blanks_than_words() -> None:
    assert BETWEEN_CELLS.split("One a\ttwo  b    three") == ["One a", "two  b", "three"]
