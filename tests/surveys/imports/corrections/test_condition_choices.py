"""Decisions on filters: conditions are chosen and removed, follow-ups are sent, kept or left out."""

from typing import Any

import pytest

from privacy.planning.protection import MEDIUM, PROTECTIONS
from surveys.imports.corrections.condition_choices import (
    EVERYONE,
    apply_choices,
    ask_everyone,
    choose_condition,
    deciders_for,
    drop_broken,
    leave_followers,
    one_answer_hindrance,
    send_one_answer,
)
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.pasted_text import read_paste
from surveys.imports.roles.outline import SKIPPED
from surveys.questionnaire.one_answer import with_each_answer

FILTER = (
    "T\n1. Has anyone ever forced you to do something?\n- Yes\n- No\n"
    "2. If yes, how often?\n- once\n- twice\n- more often\n3. If yes, did you tell anyone?\n- Yes\n- No\n"
    "4. Do you steal?\n- Never\n- Rarely\n- Often\n"
)


def asked(survey: Questionnaire) -> list[tuple[int, str]]:
    return [(note.line, note.asks) for note in survey.notes if note.asks]


def test_a_chosen_condition_makes_its_question_a_point_and_can_be_removed() -> None:
    survey = read_paste("T\n1. Do you steal?\n- Yes\n- No\n2. If you took it home, do you hide it?")
    first, second = survey.questions
    assert asked(survey) == [(5, "keep")]
    assert deciders_for(survey, second) == [first]
    assert choose_condition(survey, second, first, [1])
    assert second.condition == {"question": "steal", "options": ["no"]}
    assert asked(survey) == [(2, "skip")]
    ask_everyone(survey, second)
    assert second.condition is None
    assert asked(survey) == [(5, "keep")]


@pytest.mark.parametrize("positions", [[], [0, 1], [7]])
def test_a_condition_needs_some_answers_but_not_all(positions: list[int]) -> None:
    survey = read_paste("T\n1. Do you steal?\n- Yes\n- No\n2. If you took it home, do you hide it?")
    first, second = survey.questions
    assert not choose_condition(survey, second, first, positions)
    assert not choose_condition(survey, first, second, [0])
    assert asked(survey) == [(5, "keep")]


def test_follow_ups_are_left_out_with_their_own() -> None:
    text = (
        "T\n1. Do you steal?\n- Yes\n- No → 4\n2. Do you lie?\n- Yes\n- No → 4\n"
        "3. How often do you lie?\n- a\n- b\n- c\n4. How are you?\n- a\n- b"
    )
    survey = read_paste(text)
    leave_followers(survey, survey.questions[0])
    assert [question.line for question in survey.questions] == [2, 12]
    assert survey.questions[0].is_protected
    assert sum(note.cause == "left out" for note in survey.notes) == 2


def test_a_condition_on_a_question_that_was_left_out_is_asked_about_again() -> None:
    survey = read_paste(FILTER)
    survey.parts[0].questions.pop(0)
    drop_broken(survey)
    assert [question.condition for question in survey.questions] == [None] * 3
    assert [line for line, asks in asked(survey) if asks == "keep"] == [5, 9]


def test_choices_are_repeated_if_the_text_is_read_again() -> None:
    before, again = read_paste(FILTER), read_paste(FILTER)
    apply_choices(before, again, {"5": EVERYONE, "12": "2:0"})
    key = again.questions[0].key
    assert [question.condition for question in again.questions] == [
        None,
        None,
        {"question": key, "options": ["yes"]},
        {"question": key, "options": ["yes"]},
    ]
    other = read_paste(FILTER.replace("Do you steal?", "Do you dig?"))
    apply_choices(before, other, {"12": "2:0"})
    assert other.questions[3].condition is None


def composites(survey: Questionnaire) -> list[dict[str, Any]]:
    return [
        question
        for block in draft_of(survey)["blocks"]
        for question in block["questions"]
        if "computed" in question
    ]


def test_a_filter_and_its_follow_ups_become_answers_that_share_it() -> None:
    survey = read_paste(FILTER)
    filter_question = survey.questions[0]
    assert one_answer_hindrance(survey, filter_question) == ""
    send_one_answer(survey, filter_question)
    first, second = composites(survey)
    assert [option["text"]["en"] for option in first["options"]] == [
        "No",
        "Yes: how often? once",
        "Yes: how often? twice",
        "Yes: how often? more often",
    ]
    assert [option["text"]["en"] for option in second["options"]] == [
        "No",
        "Yes: did you tell anyone? No",
        "Yes: did you tell anyone? Yes",
    ]
    shared = [each["computed"]["components"][0] for each in (first, second)]
    assert shared[0] == shared[1]
    assert shared[0]["shared"]
    assert second["computed"]["components"][1]["asked_if"] == {
        "component": filter_question.key,
        "options": ["yes"],
    }


def test_each_combination_of_answers_has_its_own_level() -> None:
    text = (
        "T\n1. How often do you steal?\n- Never\n- Rarely\n- Often\n"
        "2. (only if 1 = Rarely or Often) Alone?\n- Alone\n- With others\n"
    )
    survey = read_paste(text)
    send_one_answer(survey, survey.questions[0])
    (only,) = composites(survey)
    assert [option["text"]["en"] for option in only["options"]] == [
        "Never",
        *(
            f"{often}: {survey.questions[1].texts['en']} {who}"
            for often in ("Rarely", "Often")
            for who in ("Alone", "With others")
        ),
    ]
    first, second = only["computed"]["components"]
    assert [option["points"] for option in first["options"]] == [0, 2, 4]
    assert [option["points"] for option in second["options"]] == [0, 1]
    assert [level.get("from") for level in only["computed"]["levels"]] == [None, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FILTER.replace("- once\n- twice\n- more often\n", "0-100\n"), "each follow-up must be"),
        (FILTER.replace("2. If yes,", "2. Well?\n- a\n- b\n3. (only if 1 = yes)"), "directly below"),
        (FILTER.replace("Do you steal?", "If yes, do you steal?"), "also depends on other questions"),
    ],
)
def test_a_filter_that_cannot_be_one_answer_says_why(text: str, why: str) -> None:
    survey = read_paste(text)
    if "depends" in why:
        choose_condition(survey, survey.questions[3], survey.questions[2], [0])
    assert why in one_answer_hindrance(survey, survey.questions[0])


def test_answers_that_share_a_filter_can_be_sent_each_again() -> None:
    survey = read_paste(FILTER)
    send_one_answer(survey, survey.questions[0])
    document = draft_of(survey)
    sent = [question["key"] for question in document["blocks"][0]["questions"]]
    # One press for all of them, because none is complete without the filter.
    document = with_each_answer(document, sent[0], protection=PROTECTIONS[MEDIUM])
    questions = {question["text"]["en"] for block in document["blocks"] for question in block["questions"]}
    assert questions == {question.whole_texts["en"] for question in survey.questions}
    assert all(block["protected"] for block in document["blocks"])


def test_a_condition_is_cut_from_its_question_unless_everyone_is_asked() -> None:
    survey = read_paste("T\n1. Do you smoke?\n- Yes\n- No\n2. If yes, then how often?\n- Once\n- Often")
    question = survey.questions[1]
    assert question.condition
    assert question.texts == {"en": "How often?"}
    asked = [each["text"]["en"] for block in draft_of(survey)["blocks"] for each in block["questions"]]
    # The filter is protected, so everyone is asked.
    assert asked == ["Do you smoke?", "If yes, then how often?"]
    ask_everyone(survey, question)
    assert question.texts == {"en": "If yes, then how often?"}
    unclear = read_paste("T\n1. Do you smoke?\n2. If you once smoked a lot, how much?").questions[1]
    assert unclear.texts == {"en": "If you once smoked a lot, how much?"}


SKIPS = (
    "T\n1. Wurden Sie bedroht?\n- manchmal\n- selten\n- nie (weiter mit Frage 3)\n"
    "2. {}Haben Sie den Vorfall gemeldet?\n- ja, sofort\n- nein\n- weiß nicht\n"
    "3. Wie alt sind Sie?\n- 18-30\n- älter"
)


@pytest.mark.parametrize("lead", ["Wenn ja: ", "(Falls ja) "])
def test_a_condition_that_is_not_read_stays_in_its_question_and_is_quoted(lead: str) -> None:
    survey = read_paste(SKIPS.format(lead))
    question = survey.questions[1]
    assert question.condition is None
    assert question.whole_texts == {"de": f"{lead}Haben Sie den Vorfall gemeldet?"}
    (said,) = [note.message for note in survey.notes if note.asks == "keep" and note.target == question.line]
    asked = [each["text"]["de"] for block in draft_of(survey)["blocks"] for each in block["questions"]]
    assert question.whole_texts["de"] in asked
    # "(weiter mit Frage 3)" is after the answer that skips it.
    assert lead.strip() in said
    assert "weiter mit" not in said


def test_an_instruction_to_skip_is_quoted_with_its_answer_and_not_as_a_condition() -> None:
    text = SKIPS.format("").replace("- manchmal", "- immer (weiter mit Abschnitt B)")
    survey = read_paste(text)
    (said,) = [note.message for note in survey.notes if note.asks == "keep" and note.target == 6]
    assert "skip" in said


def test_a_chosen_condition_replaces_the_notes_on_unused_skips() -> None:
    survey = read_paste(SKIPS.format("Wenn ja: "))
    assert [note.line for note in survey.notes if note.cause == SKIPPED] == [5]
    assert choose_condition(survey, survey.questions[1], survey.questions[0], [0, 1])
    assert not [note for note in survey.notes if note.cause == SKIPPED]
