"""What another program would fill in is found in texts, and is in the way of publishing."""

from __future__ import annotations

from typing import Any

import pytest

from surveys.questionnaire.checks.finding import Level
from surveys.questionnaire.checks.leftovers import check_leftovers, leftovers
from tests.fixtures.checked_surveys import findings_of, protected, yes_no


@pytest.mark.parametrize(
    "text", ["You said ${hit}", "Dear {{name}}", "See #{x}", "In <output>", "[Field-name]?"]
)
def test_what_another_program_fills_in_is_found(text: str) -> None:
    assert len(leftovers(text)) == 1


@pytest.mark.parametrize("text", ["Cost in $", "{x}", "a < b", "[open]", "{odds}"])
def test_other_signs_are_no_leftovers(text: str) -> None:
    assert leftovers(text) == ()


@pytest.mark.parametrize(
    "question",
    [
        {"text": {"en": "You said ${hit}. Sure?"}},
        {"text": {"en": "Sure?"}, "help": {"en": "See {{name}}"}},
        {"text": {"en": "Sure?"}, "options": [{"key": "a", "text": {"en": "${a}"}}]},
    ],
)
def test_a_leftover_is_refused_at_its_question(question: dict[str, Any]) -> None:
    (finding,) = check_leftovers({"blocks": [{"title": {"en": "A"}, "questions": [question]}]})
    assert (finding.level, finding.code, finding.path) == (
        Level.REFUSE,
        "leftover",
        "blocks[0].questions[0]",
    )
    assert finding.remedy


def test_publishing_is_told_of_it() -> None:
    found = findings_of(protected("b", yes_no("steal", text={"en": "You said ${hit}. Sure?"})))
    assert [finding.code for finding in found] == ["leftover"]
    assert findings_of(protected("b", yes_no("steal", text={"en": "Sure?"}))) == []
