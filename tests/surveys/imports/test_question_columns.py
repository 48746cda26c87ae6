"""Questions side by side are read one by one, each with the answers below it."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import labels_of, text_of


@pytest.mark.parametrize("answer", ["{}", "( ) {}", "[ ] {}", "a) {}", "1 {}"])
def test_two_columns_of_questions_are_separate_questions(answer: str) -> None:
    """Before, the second question and its answers were answers of the first."""
    left, right = ([answer.format(word) for word in words] for words in (("Blau", "Rot"), ("Viel", "Wenig")))
    columns = zip(["1. Was mögen Sie?", *left], ["2. Wie sehr?", *right], strict=True)
    rows = [f"{one:<34}{other}" for one, other in columns]
    found = read_paste("\n".join(["Farben", "", *rows])).questions
    assert [text_of(question) for question in found] == ["Was mögen Sie?", "Wie sehr?"]
    assert [labels_of(question) for question in found] == [("Blau", "Rot"), ("Viel", "Wenig")]


def test_columns_may_differ_in_length() -> None:
    rows = [
        "1. Lie?                 2. How often?",
        "Yes                     Never",
        "No                      Once",
    ]
    found = read_paste("\n".join(["Poll", "", *rows, " " * 24 + "Often"])).questions
    assert [len(question.options) for question in found] == [0, 3]
