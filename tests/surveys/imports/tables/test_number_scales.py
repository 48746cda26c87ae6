"""Scales of numbers whose steps stand on lines of their own."""

import pytest

from surveys.imports.lines.source_lines import ANSWER, ENDS, SourceLine, read_line
from surveys.imports.tables.number_scales import read_number_scales


def read(*texts: str) -> list[SourceLine]:
    lines = [read_line(number, text, has_gap=number == 1) for number, text in enumerate(texts, start=1)]
    read_number_scales(lines)
    return lines


def test_lines_that_count_up_are_steps_and_words_around_them_name_the_ends() -> None:
    question, low, *steps, high = read("How content are you?", "Not at all", "1", "2", "3", "4", "Completely")
    assert question.role == ""
    assert [line.role for line in (low, *steps, high)] == [ENDS, *[ANSWER] * 4, ENDS]
    assert [line.body for line in steps] == ["1 – Not at all", "2", "3", "4 – Completely"]


def test_steps_with_their_own_words_keep_them() -> None:
    _question, *steps = read("How often?", "0 = never", "1", "2", "3 = always")
    assert [line.body for line in steps] == ["0 – never", "1", "2", "3 – always"]


@pytest.mark.parametrize(
    "texts", [("How many?", "1", "2"), ("Years", "1", "3", "5"), ("1 cat", "2 dogs", "3 cows")]
)
def test_two_numbers_gaps_and_numbered_texts_are_no_scale(texts: tuple[str, ...]) -> None:
    assert {line.role for line in read(*texts)} == {""}
