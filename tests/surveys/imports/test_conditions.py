"""Instructions to skip and conditions are found by the numbers of questions, in any language."""

import pytest

from surveys.imports.pasted_text import read_paste


def conditional(text: str) -> list[int]:
    """Return the lines of the questions that only some people are asked."""
    reading = read_paste(text)
    return sorted({note.target for note in reading.notes if note.asks == "keep" and note.target})


@pytest.mark.parametrize(
    "behind",
    [
        "(SKIP TO 4)",
        "→ 4",
        "-> weiter mit 4",
        "[PASE A 4]",
        "← انتقل إلى السؤال 4",
        "（跳至4）",
        "(przejdź do 4)",
    ],
)
def test_an_instruction_behind_an_answer_skips_the_questions_up_to_its_number(behind: str) -> None:
    followed = "2. Who?\na) A friend\nb) A stranger\n3. When?\na) Now\nb) Then\n4. Where?"
    text = f"1. Has anyone hit you?\na) Yes\nb) No {behind}\n{followed}"
    assert conditional(text) == [4, 7]
    assert [next(iter(option.texts.values())) for option in read_paste(text).questions[1].options] == [
        "A friend",
        "A stranger",
    ]


def test_points_and_answers_with_numbers_are_no_instructions() -> None:
    assert conditional("1. Where?\na) Here (2 points)\nb) There (3)\n2. How?\n3. Why?") == []


@pytest.mark.parametrize("stated", ["If Q1 = Yes", "Nur wenn bei Q1 „Yes“ gewählt", "（若Q1选“Yes”）"])
def test_a_line_that_names_a_question_and_its_answer_is_a_condition(stated: str) -> None:
    followed = "Q2. How much?\na) Little\nb) Much\n\nQ3. Where?\na) Here\nb) There"
    text = f"Q1. Do you smoke?\na) Yes\nb) No\n\n({stated.strip('（）')})\n\n{followed}"
    assert conditional(text) == [7]


def test_a_condition_may_name_the_questions_that_follow() -> None:
    followed = "2. Who?\na) A\nb) B\n3. When?\na) A\nb) B\n4. Where?\na) A\nb) B"
    text = f"1. Do you?\na) Yes\nb) No\n\n*** 2 y 3 solo si contestó “Yes” en la 1 ***\n\n{followed}"
    assert conditional(text) == [7, 10]


def test_a_condition_in_front_of_a_question_is_cut() -> None:
    reading = read_paste("1. Rauchen Sie?\n- ja\n- nein\n2. Falls ja: Wie viel?\n- wenig\n- viel")
    assert reading.questions[1].texts["de"] == "Wie viel?"
    assert conditional("1. Do you?\n- Yes\n- No\n2. If you have fallen, where?\n- Here\n- There") == [4]
