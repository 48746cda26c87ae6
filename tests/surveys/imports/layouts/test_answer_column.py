"""Answers in a column at the right of their question."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.answer_column import move_answers, unfold_answers
from surveys.imports.pasted_text import read_paste


def unfolded(text: str) -> list[str]:
    return unfold_answers(text.split("\n"))


def test_further_answers_join_the_first_and_their_lines_become_empty() -> None:
    text = "1. How often?      Never\n                   Once or\n                    Often\n2. When?"
    assert unfolded(text) == ["1. How often?", "Never / Once or / Often", "", "2. When?"]


def test_codes_behind_all_answers_stand_in_front_of_them() -> None:
    assert unfolded("1. Hit you?     Yes   1\n                No    2")[1] == "1 Yes / 2 No"
    assert unfolded("1. Hit you?     Yes   1\n                No")[1] == "Yes   1 / No"


@pytest.mark.parametrize(
    "text",
    [
        "Form of donors           page 14\n                         Yes     No\n1. Do you feel well?",
        "1. Hit you?     Yes\n        2. When?",
        "1. Hit you?     Yes\n                        No",
        "1. Hit you?  Yes\n             No",
    ],
)
def test_headers_other_columns_and_narrow_gaps_stay(text: str) -> None:
    assert unfolded(text) == text.split("\n")


def test_two_questions_with_a_column_of_coded_answers_are_yes_or_no() -> None:
    text = (
        "Violence\n\nB1. Has a partner ever pushed you?       Yes  1\n"
        "                                         No   2\n"
        "B2. Has a partner ever kicked you?       Yes  1\n"
        "                                         No   2\n"
    )
    read = read_paste(text)
    assert [(each.kind, each.texts["en"]) for each in read.questions] == [
        ("yes_no", "Has a partner ever pushed you?"),
        ("yes_no", "Has a partner ever kicked you?"),
    ]
    assert [note.message for note in read.notes] == ["the codes of the answers are left out"] * 2


def test_dots_stand_between_an_answer_and_its_code() -> None:
    lines = ["1. ¿Le ha pegado?      Sí ...... 1", "                       No ...... 2", "2. ¿Cuándo?"]
    assert unfold_answers(lines)[:2] == ["1. ¿Le ha pegado?", "1 Sí / 2 No"]


@pytest.mark.parametrize("answers", [("1 Yes", "2 No"), ("Yes\t1", "No\t2"), ("○ Yes", "○ No")])
def test_answers_in_rows_of_a_table_belong_to_the_question_in_its_first_cell(
    answers: tuple[str, str],
) -> None:
    first, second = answers
    rows = [f"{at}. Have you {act}?\t{first}\n\t{second}" for at, act in enumerate(("lied", "stolen"), 1)]
    survey = read_paste("\n".join(["Work", "", *rows]))
    assert [(each.kind, each.texts["en"]) for each in survey.questions] == [
        ("yes_no", "Have you lied?"),
        ("yes_no", "Have you stolen?"),
    ]


def test_codes_behind_dots_in_a_column_may_lead_to_another_question() -> None:
    """Before, the line with the arrow was no answer."""
    lines = ["102. Ill?           Yes .... 1", "                    No ..... 2 -> 104"]
    assert unfold_answers(lines) == ["102. Ill?", "1 Yes / 2 No -> 104"]


def test_boxes_in_front_of_numbered_questions_move_behind_them() -> None:
    lines = ["☐ Y ☐ N  1. Is anyone afraid?", "☐ Y ☐ N  2. Was anyone hit?"]
    assert move_answers(lines) == ["1. Is anyone afraid?    ☐ Y ☐ N", "2. Was anyone hit?    ☐ Y ☐ N"]


def test_an_answer_may_go_on_below_its_box() -> None:
    """A slash was written into the answer."""
    lines = ["     □ at home          □ in a bar or", "                          restaurant"]
    assert unfold_answers(["2. Where?   □ in a bar or", "              restaurant", "3. When?"]) == [
        "2. Where?",
        "□ in a bar or restaurant",
        "3. When?",
    ]
    question = read_paste("Bars\n\n1. Where were you?\n" + "\n".join(lines)).questions[0]
    assert labels_of(question) == ("at home", "in a bar or restaurant")
