"""Numbers and letters on lines of their own."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.marks_alone import join_marks
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("end", ["→", "", ".", " →", "/3"])
def test_numbers_and_letters_above_their_lines_count_these(end: str) -> None:
    """The letters were answers, and the number of the next question, too."""
    text = (
        f"1{end}\nWhich class?\nA\nSpin\nB\nYoga\nC\nBoxing\n2{end}\nAgain?\nY\nYes\nN\nNo\n3{end}\nWhy not?"
    )
    survey = read_paste(text, ("en",))
    assert [labels_of(each) for each in survey.questions] == [("Spin", "Yoga", "Boxing"), (), ()]
    assert survey.questions[1].kind == "yes_no"


@pytest.mark.parametrize(
    "lines",
    [["Which grade?", "A", "B", "C"], ["Blood group?", "A", "B", "AB", "0"], ["How many?", "1", "2", "3"]],
)
def test_letters_and_numbers_stay_answers(lines: list[str]) -> None:
    assert join_marks(lines) == lines
