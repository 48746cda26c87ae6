"""A question of a source can be asked in another way, and nothing that depends on it breaks silently."""

import pytest

from surveys.imports.corrections.question_changes import (
    CHOICES,
    ChangeRefused,
    answers_text,
    carry_changes,
    change_question,
    choice_of,
    move_question,
)
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.protection import protect_question
from surveys.imports.drafts.questionnaire import Question, Questionnaire
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.languages import text_in
from tests.fixtures.workbooks import form, form_with_skips

TEXT = """Sleep
1. Do you take pills?
2. How often do you dream?
- Never
- Often
3. How many hours do you sleep? 0-24
4. Which of these do you drink? [several]
- Tea
- Wine
5. Which department do you work in?
- Sales
- Care
"""
SCALE = """Mood
1. How often are you sad?
(0) Never
(1) Often
2. How often are you tired?
(0) Never
(1) Often
Score: 0-1 low, 2-2 high
"""


def read(text: str = TEXT) -> tuple[Questionnaire, list[Question]]:
    survey = read_paste(text, ("en",))
    return survey, survey.questions


def test_every_kind_has_a_name_and_its_answers_are_lines() -> None:
    survey, questions = read()
    assert [choice_of(question) for question in questions] == ["yes_no", "one", "number", "several", "one"]
    assert [answers_text(question, survey.languages) for question in questions] == [
        "", "Never\nOften", "0-24", "Tea\nWine", "Sales\nCare",
    ]  # fmt: skip


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("choice", [choice for choice in CHOICES if choice != "none"])
@pytest.mark.few(
    "several-0", "number-1", "yes_no-2", "row-3", "rating-4", "one-0", why="each kind, and each question"
)
def test_every_question_can_get_every_kind(position: int, choice: str) -> None:
    survey, questions = read()
    answers = "0-7" if choice == "number" else "A\nB\nC"
    change_question(survey, questions[position], choice, answers)
    changed = survey.questions[position]
    assert choice_of(changed) == choice
    assert answers_text(changed, survey.languages) == ("" if choice == "yes_no" else answers)
    blocks = draft_of(survey)["blocks"]
    drafts = [entry for block in blocks for entry in block["questions"] if entry["text"]["en"] != ""]
    named = {
        "yes_no": [{"kind": "yes_no"}],
        "one": [{"kind": "single"}],
        "rating": [{"kind": "single", "look": "rating"}],
        "row": [{"kind": "single", "look": "matrix"}],
        "several": [{"kind": "yes_no"}] * 3,
        "number": [{"kind": "number"}],
    }[choice]
    texts = ["A", "B", "C"] if choice == "several" else [changed.texts["en"]]
    found = [entry for entry in drafts if entry["text"]["en"] in texts]
    assert [{name: entry[name] for name in one} for entry, one in zip(found, named, strict=True)] == named


@pytest.mark.parametrize(
    ("choice", "answers", "why"),
    [
        ("one", "", "at least two"),
        ("several", "Tea\n \n", "at least two"),
        ("rating", "A\nB\nA", "“A” occurs twice"),
        ("number", "7-0", "Write one range"),
        ("number", "0-7\n8-9", "Write one range"),
        ("number", "many", "Write one range"),
    ],
)
def test_answers_that_cannot_be_asked_are_refused_and_nothing_changes(
    choice: str, answers: str, why: str
) -> None:
    survey, questions = read()
    before = survey.to_json()
    with pytest.raises(ChangeRefused, match=why):
        change_question(survey, questions[1], choice, answers)
    assert survey.to_json() == before


def test_texts_in_two_languages_are_separated_and_others_keep_their_signs() -> None:
    survey, questions = read()
    change_question(survey, questions[1], "one", "A | B\nC")
    assert [option.texts for option in survey.questions[1].options] == [{"en": "A | B"}, {"en": "C"}]
    both = form_with_skips(form())
    change_question(both, both.by_key["years"], "one", "A | 一\nB")
    assert [option.texts for option in both.by_key["years"].options] == [
        {"en": "A", "zh-hans": "一"},
        {"en": "B"},
    ]
    with pytest.raises(ChangeRefused, match="between the texts"):
        change_question(both, both.by_key["years"], "one", "A | 一 | 1\nB")


def test_a_number_without_a_range_gets_a_proposed_one_with_a_note() -> None:
    survey, questions = read()
    change_question(survey, questions[1], "number", "")
    assert survey.questions[1].range == "0–99"
    assert any("no range" in note.message for note in survey.notes if note.line == questions[1].line)


def test_dates_are_a_range_too() -> None:
    survey, questions = read()
    change_question(survey, questions[1], "number", "2024-01 to 2025-12")
    assert survey.questions[1].own["number"]["calendar"] == "month"


def test_renamed_answers_keep_their_points_and_new_ones_have_none() -> None:
    survey, (sad, _tired) = read(SCALE)
    change_question(survey, sad, "one", "Rarely\nOften")
    assert [option.points for option in survey.questions[0].options] == [0, 1]
    change_question(survey, survey.questions[0], "one", "Often\nRarely\nAlways")
    assert [option.points for option in survey.questions[0].options] == [1, 0, None]


@pytest.mark.parametrize("answers", ["Never\nOften\nAlways", ""])
def test_a_score_of_a_question_without_points_goes_with_a_note(answers: str) -> None:
    survey, (sad, _tired) = read(SCALE)
    change_question(survey, sad, "one" if answers else "none", answers)
    assert not survey.scores
    assert not [note for note in survey.notes if note.asks == "score"]
    assert any("the score is not added up" in note.message and note.effect == "lost" for note in survey.notes)


def test_a_stored_question_with_new_answers_is_protected_unless_it_still_asks_for_background() -> None:
    survey, questions = read()
    department = questions[4]
    assert department.is_protected is False
    change_question(survey, department, "one", "Sales\nCare\nWarehouse")
    assert survey.questions[4].is_protected is False
    assert [note.effect for note in survey.notes if note.line == department.line] == ["stored"]
    change_question(survey, survey.questions[4], "one", "I steal there\nI do not steal")
    assert survey.questions[4].is_protected is True
    assert not [note for note in survey.notes if note.line == department.line]


def test_a_protected_question_stays_protected() -> None:
    survey, questions = read()
    protect_question(survey, questions[4])
    change_question(survey, questions[4], "one", "Sales\nCare\nWarehouse")
    assert survey.questions[4].is_protected is True


def test_a_question_that_is_left_out_is_listed_as_lost() -> None:
    survey, questions = read()
    change_question(survey, questions[0], "none", "")
    assert [question.line for question in survey.questions] == [each.line for each in questions[1:]]
    assert [note.message for note in survey.notes if note.effect == "lost"] == [
        "you left out “Do you take pills?”"
    ]


def test_answers_that_decide_who_is_asked_others_stay() -> None:
    survey = form_with_skips(form())
    leads = survey.by_key["leads"]
    before = survey.to_json()
    for choice, answers in (("none", ""), ("one", "A\nB")):
        with pytest.raises(ChangeRefused, match="depends on these answers"):
            change_question(survey, leads, choice, answers)
    assert survey.to_json() == before
    # Another wording of the same answers changes no condition.
    years = survey.by_key["years"]
    keys = [option.key for option in years.options]
    change_question(survey, years, "one", "1 year | 一年\nMore | 更久")
    assert [option.key for option in survey.by_key["years"].options] == keys


def test_a_question_moves_within_its_part_but_not_before_the_one_that_decides_it() -> None:
    survey, questions = read()
    assert move_question(survey, questions[1], -1)
    assert [question.line for question in survey.questions][:2] == [questions[1].line, questions[0].line]
    assert not move_question(survey, questions[1], -1)
    assert not move_question(survey, questions[4], 1)
    conditional, pills = survey.questions[2], survey.questions[1]
    pills.key = "pills"
    conditional.condition = {"question": "pills", "in": ["yes"]}
    assert not move_question(survey, conditional, -1)
    assert not move_question(survey, pills, 1)


def test_changes_are_carried_to_another_reading_of_the_text() -> None:
    survey, questions = read()
    changed = {questions[position].line: text_in(questions[position].texts) for position in (0, 1)}
    change_question(survey, questions[0], "none", "")
    change_question(survey, questions[1], "rating", "1\n2\n3")
    move_question(survey, survey.questions[0], 1)
    again, _questions = read()
    carry_changes(survey, again, changed)
    assert [question.line for question in again.questions] == [question.line for question in survey.questions]
    assert choice_of(again.questions[1]) == "rating"
    # A line that another role makes a different question is left as it is read.
    other, _questions = read(TEXT.replace("How often do you dream", "How often do you snore"))
    carry_changes(survey, other, changed)
    assert {choice_of(question) for question in other.questions if "snore" in text_in(question.texts)} == {
        "one"
    }


def test_a_score_whose_text_states_a_rule_for_missing_answers_stays_if_its_points_do() -> None:
    survey, (sad, _tired) = read(f"{SCALE}If one answer is missing, do not compute the score.\n")
    assert survey.scores[0].rule["missing"]
    change_question(survey, sad, "one", "Rarely\nOften")
    assert survey.scores


def test_points_in_front_of_typed_answers_are_their_points() -> None:
    """They stayed in the texts: *(0) Not at all*."""
    survey, questions = read()
    change_question(survey, questions[1], "one", "(0) Not at all\n(1) Often")
    options = survey.questions[1].options
    assert [(option.texts["en"], option.points) for option in options] == [("Not at all", 0), ("Often", 1)]


def test_a_corrected_question_has_no_note_on_its_misreading() -> None:
    """*All its answers begin with the same sign* stayed after the answers were written anew."""
    survey, (first, second) = read("Team\n1. Do you drink?\n- O ja\n- O nein\n2. Do you lie?\n- x a\n- x b\n")
    assert [note.line for note in survey.notes if "same sign" in note.message] == [2, 5]
    change_question(survey, first, "yes_no", "")
    change_question(survey, second, "one", "x a\nx b\nx c")
    assert [note.line for note in survey.notes if "same sign" in note.message] == [5]
