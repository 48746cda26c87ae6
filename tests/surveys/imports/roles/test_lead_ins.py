"""The lead-in of a scale is not lost: it is read as the introduction of the items below it."""

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.roles.lead_ins import LEAD_IN, can_introduce, introduce

LEAD = "Over the last 2 weeks, how often did these happen?"
ITEMS = "7. I felt sad.\n(0) Never\n(1) Often\n8. I felt low.\n(0) Never\n(1) Often"


def test_the_lead_in_of_a_scale_becomes_its_introduction_with_a_note() -> None:
    """It used to be a question without answers, and items lost their time frame if that was left out."""
    survey = read_paste(f"T\n1. Do you lie?\n# Mood\n{LEAD}\n{ITEMS}")
    assert [question.line for question in survey.questions] == [2, 5, 8]
    assert survey.parts[1].help == {"en": LEAD}
    assert [note.line for note in survey.notes if note.cause == LEAD_IN] == [4]
    assert not survey.unclear
    assert [line.role for line in survey.lines if line.line == 4] == ["help"]
    _lie, *items = [question for block in draft_of(survey)["blocks"] for question in block["questions"]]
    assert [question["help"] for question in items] == [{"en": LEAD}, {"en": LEAD}]


@pytest.mark.parametrize(
    "text",
    [
        # Numbered like the items, above other answers, or without a second item.
        f"T\n# Mood\n6. {LEAD}\n{ITEMS}",
        f"T\n# Mood\n{LEAD}\n7. How are you?\n- well\n- ill\n8. Where?\n- here\n- there",
        f"T\n# Mood\n{LEAD}\n7. I felt sad.\n(0) Never\n(1) Often",
    ],
)
def test_other_questions_without_answers_are_asked_about(text: str) -> None:
    survey = read_paste(text)
    assert [note.asks for note in survey.unclear if note.line == 3] == ["answers"]


def test_a_line_that_a_person_calls_a_question_stays_one() -> None:
    survey = read_paste(f"T\n# Mood\n{LEAD}\n{ITEMS}", roles={3: "question"})
    assert [question.line for question in survey.questions] == [3, 4, 7]


def test_a_question_introduces_those_that_follow_in_its_part_only() -> None:
    survey = read_paste("T\n# A\n1. Do you lie?\n2. Think of last week?\n3. Do you drink?\n# B\n4. And now?")
    _lie, think, drink, now = survey.questions
    assert [can_introduce(survey, question) for question in survey.questions] == [True, True, False, False]
    introduce(survey, think)
    assert [[each.line for each in part.questions] for part in survey.parts] == [
        [3],
        [drink.line],
        [now.line],
    ]
    assert survey.parts[1].help == {"en": "Think of last week?"}
