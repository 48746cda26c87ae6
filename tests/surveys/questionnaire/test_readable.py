"""The list of what a draft stores as answered, and the changes that protect or store a question."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.readable import (
    protected_document,
    readable_questions,
    stored_document,
    unsettled_skips,
    unsuggested_questions,
)
from surveys.questionnaire.stated_protection import with_stated_protection
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no

HIT = {"key": "hit", "kind": "yes_no", "text": {"en": "Has anybody hit you?"}}
AGE = {"key": "age", "kind": "yes_no", "text": {"en": "Are you 18 or older?"}}
IF_HIT = {"question": "hit", "options": ["yes"]}
ROUTED = document_of(unprotected("first", HIT, AGE), protected("then", yes_no("hurt"), asked_if=IF_HIT))


def conditions(document: Any) -> list[object]:
    return [block.get("asked_if") for block in document["blocks"]]


def test_delicate_questions_come_first_with_what_depends_on_them() -> None:
    hit, age = readable_questions(ROUTED)
    assert (hit.key, hit.words, hit.dependents) == ("hit", "hit", ("Did you ever hurt?",))
    assert (age.key, age.words, age.dependents) == ("age", "", ())
    assert age.why == "it only asks for background that others know (age)"
    assert unsuggested_questions(ROUTED) == [hit]
    assert unsettled_skips(ROUTED) == []


def test_a_question_after_a_sensitive_answer_or_under_a_sensitive_heading_looks_sensitive() -> None:
    when = {"key": "when", "kind": "yes_no", "text": {"en": "Was it this year?"}}
    after = unprotected("then", when) | {"asked_if": IF_HIT}
    document = document_of(unprotected("first", HIT), after, protected("b", yes_no("steal")))
    assert [each.key for each in unsuggested_questions(document)] == ["hit", "when"]
    headed = unprotected("then", when) | {"title": {"en": "Violence"}}
    assert [each.key for each in unsuggested_questions(document_of(headed))] == ["when"]


def test_questions_in_an_unread_language_count_as_sensitive() -> None:
    other = {"key": "q", "kind": "yes_no", "text": {"ha": "Shekarunka nawa?"}}
    (found,) = unsuggested_questions(document_of(unprotected("b", other)))
    assert found.words == "?"


def test_protecting_a_question_asks_everyone_what_depended_on_it() -> None:
    document = protected_document(ROUTED, "hit")
    assert set(conditions(document)) == {None}
    assert [each.key for each in readable_questions(document)] == ["age"]
    assert not definition_read(document, is_worded=False).problems


@pytest.mark.parametrize(
    ("joined", "left"), [("all", {"question": "age", "options": ["yes"]}), ("any", None)]
)
def test_conditions_on_several_questions_keep_only_what_excludes_no_one(joined: str, left: object) -> None:
    both = {joined: [IF_HIT, {"question": "age", "options": ["yes"]}]}
    document = document_of(unprotected("first", HIT, AGE), protected("then", yes_no("hurt"), asked_if=both))
    assert conditions(protected_document(document, "hit"))[-1] == left


def test_a_skip_on_a_protected_question_is_unsettled_until_it_is_stored() -> None:
    first = {"key": "first", "title": {"en": "First"}, "questions": [HIT]}
    document = document_of(first, protected("then", yes_no("hurt"), asked_if=IF_HIT))
    document, notes = with_stated_protection(document)
    assert notes == ("part 1: the file does not say whether it is protected, so it is",)
    (point,) = unsettled_skips(document)
    assert (point.key, point.dependents) == ("hit", ("Did you ever hurt?",))
    assert definition_read(document, is_worded=False).problems
    stored = stored_document(document, "hit")
    assert unsettled_skips(stored) == []
    assert conditions(stored)[-1] == IF_HIT
    assert not definition_read(stored, is_worded=False).problems
