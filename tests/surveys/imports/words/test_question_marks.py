"""Question marks at the end of a text and within it."""

import pytest

from surveys.imports.words.question_marks import asks, holds_question


def test_lines_that_ask_end_with_a_question_mark() -> None:
    assert [
        asks(text) for text in ("Do you?", "您呢？ *", "Do you? (Tick all)", "Do you? Never", "Never")
    ] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("text", ["Do you? Never", "您呢？从不", "هل تدخن؟ لا"])
def test_a_question_mark_of_any_script_may_be_within_a_line(text: str) -> None:
    assert holds_question(text)
    assert not asks(text)


def test_a_question_mark_far_from_the_end_does_not_end_a_text() -> None:
    assert not asks("Do you? (" + "very " * 40 + "long)")
