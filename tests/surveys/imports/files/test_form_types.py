"""Types of a form are read in capital letters, in KoboToolbox's tables, and with further answers allowed."""

from typing import Any

import pytest

from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.files.form_types import allows_other
from tests.fixtures.workbooks import Lines, short, workbook, xlsform_read

CHOICES: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]
CHOICES += [["often", "1", "Never"], ["often", "2", "Once"], ["often", "3", "Daily"]]


def read(*rows: list[Any], headers: tuple[str, ...] = ("type", "name", "label")) -> Questionnaire:
    return xlsform_read(workbook(survey=[list(headers), *rows], choices=CHOICES))


def losses(survey: Questionnaire) -> list[str]:
    return [f"{short(note.where)}: {note.message}" for note in survey.notes if note.effect == "lost"]


@pytest.mark.parametrize("kind", ["Select_One yn", "SELECT_ONE YN", "select one yn", "Select1 yn"])
def test_types_and_lists_in_capital_letters_are_read(kind: str) -> None:
    survey = read(["Begin Group", "g", "Home"], [kind, "hit", "Were you hit?"], ["EndGroup"])
    assert [(each.key, each.kind) for each in survey.questions] == [("hit", "yes_no")]
    assert losses(survey) == []
    assert any("the list yn" in note.message for note in survey.notes) == ("YN" in kind)


def test_the_rows_of_a_score_of_kobotoolbox_are_questions_in_a_table() -> None:
    survey = read(
        ["begin_score", "s", "How often did you", "often"],
        ["score__row", "lied", "lie?"],
        ["score__row", "stole", "steal?"],
        ["end_score"],
        ["begin_rank", "r", "Order these"],
        ["rank__level", "first", "1st"],
        ["end_rank"],
        headers=("type", "name", "label", "kobo--score-choices"),
    )
    assert [(each.key, each.kind, len(each.options), "table" in each.flags) for each in survey.questions] == [
        ("lied", "single", 3, True),
        ("stole", "single", 3, True),
    ]
    assert survey.parts[0].texts == {"en": "How often did you"}
    assert [loss.partition(":")[0] for loss in losses(survey)] == ["survey 6 type", "survey 7 type"]


def test_another_answer_is_added_for_the_question_that_allows_it_alone() -> None:
    survey = read(
        ["select_one yn", "lied", "Did you lie?"],
        ["select_one yn or_other", "stole", "Did you steal?"],
        ["select_multiple often or specify other", "when", "When?"],
        ["select_one yn", "why", "Why?", "selected(${when}, 'other')"],
        headers=("type", "name", "label", "relevant"),
    )
    assert [(each.kind, len(each.options)) for each in survey.questions] == [
        ("yes_no", 0),
        ("single", 3),
        ("several", 4),
        ("yes_no", 0),
    ]
    assert survey.questions[3].condition == {"question": "when_other", "options": ["yes"]}
    assert [loss.partition(",")[0] for loss in losses(survey)] == [
        f"survey {row} type: the form adds the answer “Other” with a field for text" for row in (3, 4)
    ]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("select_one", "it names no list"),
        ("Select One", "it names no list"),
        ("likert", "this type is unknown"),
        ("number", "this type is unknown"),
        ("string", "free text"),
        ("rank often", "there is no such question"),
    ],
)
def test_a_type_that_is_left_out_says_why(kind: str, said: str) -> None:
    survey = read([kind, "q", "How much?"], ["integer", "n", "How many drinks?"])
    assert [each.key for each in survey.questions] == ["n"]
    (loss,) = losses(survey)
    assert said in loss
    assert not any("has a fault" in note.message for note in survey.notes)


def test_only_lists_allow_another_answer() -> None:
    assert not allows_other("text or_other")
