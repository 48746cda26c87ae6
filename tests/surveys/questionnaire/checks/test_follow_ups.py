"""Findings on questions that refer to another one."""

from typing import Any

import pytest

from surveys.imports.corrections.condition_choices import send_one_answer
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.protection import protect_question, store_question
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.checks.follow_ups import check_follow_ups
from tests.fixtures.checked_surveys import document_of, findings_of, protected, unprotected, yes_no

BRIBE = yes_no("bribe", text={"en": "Has anyone offered you money?"})
ACCEPT = yes_no("accept", text={"en": "If so, did you accept it?"})


def alone(*blocks: dict[str, Any]) -> list[str]:
    return [found.path for found in check_follow_ups(document_of(*blocks))]


@pytest.mark.parametrize(
    "text",
    [
        "If so, did you accept it?",
        "If you were offered money, did you accept it?",
        "Wenn ja, haben Sie es angenommen?",
        "Si oui, l’avez-vous accepté ?",
        "如果有，您接受了吗？",
        "Если предлагали, приняли ли вы?",
        "Kama ndiyo, ulikubali?",
    ],
)
def test_a_follow_up_that_is_asked_of_everyone_is_named(text: str) -> None:
    own = {**ACCEPT, "text": {"en": text}}
    assert alone(protected("b", BRIBE, own)) == ["blocks[0].questions[1]"]
    # It may be asked without the other, even if that is openly asked.
    open_one = {name: BRIBE[name] for name in ("key", "kind", "text")}
    assert alone(unprotected("a", open_one), protected("b", own)) == ["blocks[1].questions[0]"]


def test_a_follow_up_with_a_condition_is_asked_of_those_whom_it_concerns() -> None:
    open_one = {name: BRIBE[name] for name in ("key", "kind", "text")}
    asked_if = {"question": "bribe", "options": ["yes"]}
    assert alone(unprotected("a", open_one), protected("b", ACCEPT, asked_if=asked_if)) == []


def test_an_assumption_below_a_question_with_other_answers_is_not_a_condition() -> None:
    often = {**BRIBE, "kind": "single", "options": [{"key": key, "text": {"en": key}} for key in "abc"]}
    assume = {**ACCEPT, "text": {"en": "If a friend asked you, would you accept it?"}}
    assert alone(protected("b", often, assume)) == []
    assert alone(protected("b", assume)) == []


def test_an_assumption_below_a_number_is_not_a_condition() -> None:
    number = {"low": 0, "high": 99, "bin": 5}
    often = {"key": "often", "kind": "number", "text": {"en": "How often?"}, "number": number}
    assume = {**ACCEPT, "text": {"en": "If a friend asked you, would you accept it?"}}
    assert alone(protected("a", often), protected("b", assume)) == []


def test_people_can_leave_open_questions_empty() -> None:
    assert alone(unprotected("b", BRIBE, ACCEPT)) == []


def test_checks_warn_about_it_with_a_remedy() -> None:
    (found,) = [each for each in findings_of(protected("b", BRIBE, ACCEPT)) if each.code == "asked_alone"]
    assert not found.is_refusal
    assert "“If so, did you accept it?” refers to another question" in found.message
    assert found.remedy.startswith("reword it so that it makes sense on its own")


@pytest.mark.parametrize(
    ("change", "count"), [(protect_question, 1), (store_question, 0), (send_one_answer, 0)]
)
def test_each_way_of_a_filter_in_a_text_is_named_only_if_the_follow_up_may_be_asked_alone(
    change: Any, count: int
) -> None:
    survey = read_paste(
        "T\n1. Has anyone offered you money?\n- Yes\n- No\n2. If so, did you accept it?\n- Yes\n- No\n"
        "3. Have you lied?\n- Yes\n- No\n"
    )
    change(survey, survey.questions[0])
    assert len([*check_follow_ups(draft_of(survey))]) == count
