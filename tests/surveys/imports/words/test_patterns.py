"""Patterns that several readers share match what their names say, and nothing similar."""

import pytest

from surveys.imports.scores.answer_keys import key_in
from surveys.imports.scores.score_levels import levels_in
from surveys.imports.words.patterns import BETWEEN_CELLS, SPACE_TO_WRITE, WHOLE_NUMBER


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


@pytest.mark.parametrize("word", ["points", "pts", "Punkten", "pkt", "puntos", "баллов", "puan", "poin"])
def test_keys_and_levels_know_the_same_words_for_points(word: str) -> None:
    """Keys read "1 puan" as the number of an item, and levels were called "puan low"."""
    assert key_in(f"“yes” 1 {word}: 2, 3; “no” 1 {word}: 4, 5") == ({4, 5}, {2, 3})
    assert levels_in(f"0-4 {word} low, 5-9 {word} high") == [(None, "low"), (5, "high")]
