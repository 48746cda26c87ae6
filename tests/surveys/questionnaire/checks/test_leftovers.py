from typing import Any

import pytest

from surveys.questionnaire.checks.leftovers import check_leftovers, leftovers
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import findings_of, protected, yes_no


@pytest.mark.parametrize(
    "text", ["You said ${hit}", "Dear {{name}}", "See #{x}", "In <output>", "[Field-name]?"]
)
def test_leftover_placeholders_of_other_programs_are_found(text: str) -> None:
    assert len(leftovers(text)) == 1


@pytest.mark.parametrize("text", ["Cost in $", "{x}", "a < b", "[open]", "{odds}"])
def test_ordinary_symbols_are_not_leftovers(text: str) -> None:
    assert leftovers(text) == ()


@pytest.mark.parametrize(
    "question",
    [
        {"text": {"en": "You said ${hit}. Sure?"}},
        {"text": {"en": "Sure?"}, "help": {"en": "See {{name}}"}},
        {"text": {"en": "Sure?"}, "options": [{"key": "a", "text": {"en": "${a}"}}]},
    ],
)
def test_a_leftover_placeholder_is_refused_at_its_question(question: dict[str, Any]) -> None:
    (finding,) = check_leftovers({"blocks": [{"title": {"en": "A"}, "questions": [question]}]})
    assert (finding.level, finding.code, finding.path) == (Level.REFUSE, "leftover", "blocks[0].questions[0]")
    assert finding.remedy


def test_checks_report_leftover_placeholders() -> None:
    found = findings_of(protected("b", yes_no("steal", text={"en": "You said ${hit}. Sure?"})))
    assert [finding.code for finding in found] == ["leftover"]
    assert findings_of(protected("b", yes_no("steal", text={"en": "Sure?"}))) == []
