"""Remarks behind the last question."""

import pytest

from surveys.imports.pasted_text import read_paste

TEXT = "Club\n\n1. How often do you come?\n- daily\n- weekly\n2. Do you swim?\n- yes\n- no\n\n"


@pytest.mark.parametrize(
    "remark",
    [
        "Any questions? Call Ms Brown.",
        "PS: where do we park? Behind the church.",
        "What do you think? Is it fine like this?",
        "Note for Bob: I would leave out number 2, right?",
    ],
)
def test_a_remark_that_asks_the_author_is_no_question(remark: str) -> None:
    """It needed answers; now it is left out with a note at its line."""
    survey = read_paste(TEXT + remark)
    assert len(survey.questions) == 2
    assert any(note.line == 10 for note in survey.notes)


@pytest.mark.parametrize(
    "asked",
    [
        "3. Anything else?",
        "Is there anything else? ______",
        "Where do you live? here / there",
        "How old are you?",
    ],
)
def test_a_last_question_stays(asked: str) -> None:
    assert len(read_paste(TEXT + asked).questions) == 3


def test_a_last_question_may_have_a_label_as_others_do() -> None:
    text = "Club\n\nPoint of view: is lying right?\n- yes\n- no\n\nPoint of order: should votes be secret?"
    assert [each.line for each in read_paste(text).questions] == [3, 7]
