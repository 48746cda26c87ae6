"""Several questions on one line are separated, or the others are named."""

import pytest

from surveys.imports.drafts.questionnaire import LOST, text_of
from surveys.imports.pasted_text import read_paste


def asked(text: str) -> list[tuple[str, str, int]]:
    return [(text_of(each), each.kind, len(each.options)) for each in read_paste(text).questions]


@pytest.mark.parametrize("gap", ["     ", "\t", "\t\t"])
def test_fields_of_one_line_are_questions_of_their_own(gap: str) -> None:
    """Before, the unit of the first and the label of the second were an answer: *years Sex*."""
    text = f"Person\n\nAge: ____ years{gap}Sex: ( ) m ( ) f ( ) d\n\nHave you lied?\n( ) Yes\n( ) No"
    assert asked(text)[:2] == [("Age:", "number", 0), ("Sex", "single", 3)]


def test_numbered_questions_of_one_line_are_separated() -> None:
    text = "Form\n1. Do you smoke? Y / N   2. Do you drink? Y / N\n\n3. Do you pray? Y / N"
    assert [kind for _text, kind, _n in asked(text)] == ["yes_no", "yes_no", "yes_no"]


def test_questions_without_room_are_named_at_their_line() -> None:
    text = "Umfrage\n1. Rauchen Sie? □ ja □ nein   Wenn ja, wie viele? ____\n2. Trinken Sie? □ ja □ nein"
    survey = read_paste(text)
    assert asked(text) == [("Rauchen Sie?", "yes_no", 0), ("Trinken Sie?", "yes_no", 0)]
    assert [(note.line, "Wenn ja" in note.message) for note in survey.notes if note.effect == LOST] == [
        (2, True)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "How is it?     Good: ☐     Fair: ☐     Poor: ☐",
        "Smoker? ☐ no   ☐ yes   since: ____",
        "Who? ☐ Boss  ☐ Client  ☐ Other: ____",
    ],
)
def test_labels_of_answers_begin_no_question(line: str) -> None:
    assert not [note for note in read_paste(f"T\n1. {line}\n2. Ill? Y / N").notes if note.effect == LOST]


@pytest.mark.parametrize("answers", ["Yes ____  No ____", "Sí ___  No ___", "ja ......   nein ......"])
def test_yes_and_no_in_front_of_lines_to_tick_are_answers(answers: str) -> None:
    """Next to a blank line they became two questions."""
    text = f"T\n\n1) Is it cold?\n   {answers}\n2) Is it dark?\n   {answers}\n\nThanks\n"
    assert [question.line for question in read_paste(text).questions] == [3, 5]


def test_numbered_labels_on_one_line_are_several_questions() -> None:
    """Before, they were one number from 2 to 3."""
    survey = read_paste("Ward\n\n1. Age: ____ 2. Sex: M F 3. HIV: positive negative\n4. Pregnant? yes / no")
    assert [text_of(question) for question in survey.questions] == ["Age:", "Pregnant?"]
    assert any(note.effect == LOST and "2. Sex: M F" in note.message for note in survey.notes)
