"""Notes below questions limit those that they name by their numbers."""

import pytest

from surveys.imports.pasted_text import read_paste

FOUR = "T\n\n1. Do you rent?\n- Yes\n- No\n2. Rent?\n- a\n- b\n3. Since?\n- c\n- d\n4. Well?\n- e\n- f\n\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Please note: questions 2 to 4 only for parents.", [6, 9, 12]),
        ("Questions 2 and 3 are for tenants only; question 4 only for owners.", [6, 9, 12]),
        ("Hinweis: Fragen 2 und 4 nur für Eltern", [6, 12]),
        ("NOTA: la pregunta 3, únicamente para docentes", [9]),
        ("说明：第二、三题只由学生回答。", [6, 9]),
    ],
)
def test_a_note_below_asks_about_all_questions_that_it_names(words: str, expected: list[int]) -> None:
    survey = read_paste(FOUR + words)
    assert [note.target for note in survey.notes if note.asks == "keep"] == expected


@pytest.mark.parametrize(
    "words",
    [
        "* Questions 2 and 3 only if question 1 = yes.",
        "Questions 2-3 only for tenants (Q1 = yes)",
        "说明：第2、3题只由租房者（第1题选是）回答",
    ],
)
def test_a_note_below_may_name_the_question_that_decides(words: str) -> None:
    survey = read_paste(FOUR + words)
    assert [question.line for question in survey.questions if question.condition] == [6, 9]
    assert not [note for note in survey.notes if note.asks == "keep"]


def test_a_question_that_a_line_names_as_its_condition_is_not_limited() -> None:
    survey = read_paste(f"{FOUR}5. When?\nOnly if yes at question 1.\n- g\n- h")
    assert [question.line for question in survey.questions if question.condition] == [16]


@pytest.mark.parametrize("words", ["* Tenants only", "* only if question 1 = yes", "* nur Mieter"])
def test_a_footnote_limits_the_questions_with_its_sign(words: str) -> None:
    text = "T\n\n1. Rent? yes / no\n2. Since when?* ____\n3. Is it noisy?* yes / no\n4. Well? yes / no\n\n"
    survey = read_paste(text + words)
    asked = [note.target for note in survey.notes if note.asks == "keep"]
    assert sorted([*asked, *(each.line for each in survey.questions if each.condition)]) == [4, 5]
