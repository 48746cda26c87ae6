"""What each shape of mark stands for."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import labels_of


@pytest.mark.parametrize(("outer", "inner"), [("→", "•"), ("❖", "-"), ("▶", "○"), ("*", "-")])
def test_a_sign_above_runs_of_another_sign_stands_before_questions(outer: str, inner: str) -> None:
    asked = (("How often", "never", "often"), ("How long", "an hour", "a day"))
    blocks = [f"{outer} {text}\n{inner} {first}\n{inner} {second}" for text, first, second in asked]
    survey = read_paste("\n".join(["Poll", *blocks]))
    assert [(each.texts["en"], labels_of(each)) for each in survey.questions] == [
        ("How often", ("never", "often")),
        ("How long", ("an hour", "a day")),
    ]
