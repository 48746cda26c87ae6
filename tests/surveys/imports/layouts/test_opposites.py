"""Scales between two opposite words become questions with a box for each step."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
from surveys.imports.layouts.opposites import write_opposites
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    "run",
    [
        "1 2 3 4 5",
        "☐ ☐ ☐ ☐ ☐",
        "☐☐☐☐☐",
        "| ○ ○ ○ ○ ○ |",
        "O\tO\tO\tO\tO",
        "_ _ _ _ _",
        "(1) (2) (3) (4) (5)",
        "2 1 0 1 2",
    ],
)
@pytest.mark.parametrize("marks", [("", ""), ("1. ", "2. "), ("a) ", "b) ")])
def test_words_around_a_scale_are_its_ends(run: str, marks: tuple[str, str]) -> None:
    """Before, no question was found, or a number was asked whose unit was the second word."""
    first, second = (
        f"{mark}{one}  {run}  {other}"
        for mark, one, other in zip(marks, ("calm", "weak"), ("wild", "strong"), strict=True)
    )
    survey = read_paste(f"My partner\n{first}\n{second}")
    assert [text_of(question) for question in survey.questions] == ["calm – wild", "weak – strong"]
    assert labels_of(survey.questions[0]) == ("1 – calm", "2", "3", "4", "5 – wild")


@pytest.mark.parametrize(
    "lines",
    [
        ["I lie  1 2 3 4  always", "I steal  1 2 3 4  always"],
        ["calm  1 2 3 4 5  wild"],
        ["I lie  1 2 3 4", "I steal  1 2 3 4"],
        ["Weight _ _ _ kg", "Height _ _ _ cm"],
    ],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert write_opposites(lines) == lines
