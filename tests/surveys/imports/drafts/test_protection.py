"""Which questions of a source are protected, and the notes that say why."""

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.protection import (
    decide_protection,
    lost_conditions,
    protect_question,
    store_question,
)
from surveys.imports.drafts.questionnaire import OFFERED, Part, Question, Questionnaire
from surveys.imports.pasted_text import read_paste


def decided(question: Question, part_flags: frozenset[str] = frozenset()) -> Questionnaire:
    part = Part(line=1, texts={}, flags=part_flags, questions=[question])
    survey = Questionnaire(languages=("en",), parts=[part])
    decide_protection(survey)
    return survey


def test_protection_follows_what_the_source_says_then_the_rule() -> None:
    def is_protected(text: str, flags: frozenset[str], part_flags: frozenset[str]) -> bool | None:
        question = Question(line=1, texts={"en": text}, flags=flags, kind="single")
        decided(question, part_flags)
        return question.is_protected

    is_open, is_hidden = frozenset({"open"}), frozenset({"protected"})
    assert is_protected("How old are you?", frozenset(), frozenset()) is False
    assert is_protected("Do you steal?", frozenset(), frozenset()) is True
    assert is_protected("Do you steal?", frozenset(), is_open) is False
    assert is_protected("Do you steal?", is_hidden, is_open) is True
    assert is_protected("How old are you?", is_hidden, frozenset()) is True


@pytest.mark.parametrize(
    "flags", [frozenset(), frozenset({"open"})], ids=["plain background", "open in the text"]
)
def test_each_question_that_is_stored_as_answered_has_a_note(flags: frozenset[str]) -> None:
    question = Question(line=3, texts={"en": "How old are you?"}, flags=flags, kind="number")
    (note,) = decided(question).notes
    assert (note.line, note.effect) == (3, "stored")
    assert question.why
    assert note.message == f"stored as answered, because {question.why}"


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "What was your last grade?", "single"),
        ("en", "Which grade did you get in your last exam?", "number"),
        ("en", "How many hours do you sleep?", "number"),
        ("en", "Which faculty are you in?", "single"),
        ("zh", "您上次考试成绩是多少？", "number"),
    ],
)
def test_rarely_hidden_facts_start_unprotected_with_a_reason(language: str, text: str, kind: str) -> None:
    question = Question(line=1, texts={language: text}, kind=kind)
    decided(question)
    assert question.is_protected is False
    assert question.why


def follow_up() -> Questionnaire:
    """Two questions, of which the first decides who is asked the second."""
    hit = Question(line=2, texts={"en": "Has anybody hit you?"}, kind="yes_no", key="hit")
    hurt = Question(line=3, texts={"en": "Were you hurt?"}, kind="yes_no", key="hurt")
    hurt.condition = {"question": "hit", "options": ["yes"]}
    survey = Questionnaire(languages=("en",), parts=[Part(line=0, texts={}, questions=[hit, hurt])])
    decide_protection(survey)
    return survey


def conditions(survey: Questionnaire) -> list[tuple[bool, object]]:
    return [(block["protected"], block.get("asked_if")) for block in draft_of(survey)["blocks"]]


def test_a_question_that_decides_is_protected_until_the_researcher_settles_it() -> None:
    survey = follow_up()
    (point,) = survey.unclear
    assert (point.line, point.asks) == (2, "skip")
    assert [question.is_protected for question in survey.questions] == [True, True]
    assert {condition for _protected, condition in conditions(survey)} == {None}
    assert [(each.key, [one.key for one in deciders]) for each, deciders in lost_conditions(survey)] == [
        ("hurt", ["hit"])
    ]


def test_the_researcher_keeps_a_skip_and_takes_it_back() -> None:
    survey = follow_up()
    hit, hurt = survey.questions
    store_question(survey, hit)
    assert conditions(survey) == [(False, None), (True, hurt.condition)]
    assert [(note.line, note.effect) for note in survey.notes] == [(2, "stored")]
    assert "you kept the skip" in survey.notes[0].message
    protect_question(survey, hit)
    assert {condition for _protected, condition in conditions(survey)} == {None}
    assert survey.notes == []


def test_what_a_plain_question_depends_on_can_keep_it_protected() -> None:
    survey = follow_up()
    age = Question(line=4, texts={"en": "Age"}, kind="number", condition=survey.questions[1].condition)
    survey.parts[0].questions.append(age)
    decide_protection(survey)
    assert age.is_protected is True
    age.condition, age.is_protected = None, None
    decide_protection(survey)
    assert age.is_protected is False


def test_the_note_on_left_out_options_states_what_the_page_offers() -> None:
    survey = read_paste(
        "T\n1. Which of these have you used? Tick all that apply.\n[ ] Coffee\n[ ] Pills\n[ ] None of these"
    )
    (question,) = survey.questions

    def offered() -> list[str]:
        return [f"{note.message}; {note.remedy}" for note in survey.notes if note.cause == OFFERED]

    (said,) = offered()
    assert "people answer each option with yes or no: “None of these”" in said
    assert "page offers" not in said
    # Only a list that is stored as answered has boxes, and "None of these" below them.
    store_question(survey, question)
    assert draft_of(survey)["stems"][0]["look"] == "boxes"
    (said,) = offered()
    assert "the page offers “None of these” below the list" in said
    protect_question(survey, question)
    assert "yes or no" in offered()[0]
    assert len(offered()) == 1


def test_an_answer_that_declines_is_noted_next_to_the_offer_of_the_page() -> None:
    """Pages offered *I would rather not say* and *Prefer not to say*, and no note said so."""
    answers = "- Often\n- Never\n- Don't know\n- I would rather not say"
    reading = read_paste(f"Work\n1. How often did you steal?\n{answers}", ("en",))
    assert [note.message for note in reading.notes if note.cause == "offered"] == [
        "this answer and “Prefer not to say” are both offered: I would rather not say"
    ]
