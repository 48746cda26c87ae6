"""Parts of an imported definition that do not say whether they are protected."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.readable import readable_questions
from surveys.questionnaire.stated_protection import with_stated_protection
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no

HIT = {"key": "hit", "kind": "yes_no", "text": {"en": "Has anybody hit you?"}}
AGE = {"key": "age", "kind": "yes_no", "text": {"en": "Are you 18 or older?"}}
IF_HIT = {"question": "hit", "options": ["yes"]}
ROUTED = document_of(unprotected("first", HIT, AGE), protected("then", yes_no("hurt"), asked_if=IF_HIT))


def test_stated_protection_is_kept_and_what_is_open_is_noted() -> None:
    document, notes = with_stated_protection(ROUTED)
    assert document == ROUTED
    assert [note.partition("”")[0] for note in notes] == ["“Has anybody hit you?", "“Are you 18 or older?"]


@pytest.mark.parametrize("protection", [None, "missing"])
@pytest.mark.parametrize(
    "question",
    [
        {"key": "q", "kind": "yes_no", "text": {"en": "How old are you?"}},
        {"key": "q", "kind": "number", "number": {"low": 0, "high": 9, "bin": 1}, "text": {"en": "Age"}},
        {
            "key": "q",
            "kind": "multi",
            "text": {"en": "Which?"},
            "options": [{"key": key, "text": {"en": key}} for key in "ab"],
        },
    ],
)
def test_a_part_without_protection_becomes_a_complete_protected_part(protection: Any, question: Any) -> None:
    part = {"key": "b", "title": {"en": "B"}, "questions": [question]}
    part |= {"protected": None} if protection is None else {}
    document, _notes = with_stated_protection(document_of(part))
    assert document["blocks"][0]["protected"] is True
    assert not definition_read(document, is_worded=False).problems
    assert readable_questions(document) == []
