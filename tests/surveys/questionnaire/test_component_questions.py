"""A question becomes a component, and the component the same question again."""

from typing import Any

import pytest

from surveys.questionnaire.component_questions import can_be_component, component_of, counted, question_of
from tests.surveys.questionnaire.test_one_answer import DRINKS, OFTEN, STEM, WHERE, act

LISTS = {"stems": [STEM]}


@pytest.mark.parametrize(
    "question", [act("hit"), OFTEN, DRINKS, WHERE[0]], ids=["yes", "choice", "number", "line"]
)
def test_a_component_becomes_its_question_again(question: dict[str, Any]) -> None:
    assert question_of(component_of(question, LISTS), question, LISTS) == question


def test_a_component_without_an_earlier_question_becomes_a_protected_one() -> None:
    made = question_of(component_of(OFTEN, {}), None, {})
    assert (made["kind"], len(made["unrelated"])) == ("single", 3)


def test_a_component_keeps_the_help_of_its_list_and_the_line_does_not() -> None:
    lists = {"stems": [STEM | {"help": {"en": "Today only."}}]}
    component = component_of(WHERE[0], lists)
    assert component["help"] == {"en": "Today only."}
    assert question_of(component, WHERE[0], lists) == WHERE[0]
    # A text that was changed meanwhile, or a help of its own, stays.
    changed = component | {"help": {"en": "This week."}}
    assert question_of(changed, WHERE[0], lists)["help"] == {"en": "This week."}
    own = WHERE[0] | {"help": {"en": "Own."}}
    assert component_of(own, lists)["help"] == {"en": "Own."}


def test_a_changed_line_leaves_its_list() -> None:
    component = component_of(WHERE[0], LISTS) | {"text": {"en": "At home?"}}
    assert "stem" not in question_of(component, WHERE[0], LISTS)


@pytest.mark.parametrize(
    "number",
    [
        None,
        {},
        {"low": 0},
        {"low": 2, "high": 1},
        {"low": 0, "high": 1e9},
        {"calendar": "day"},
        {"low": "0", "high": "1"},
    ],
)
def test_numbers_that_are_no_whole_numbers_are_refused(number: Any) -> None:
    assert not can_be_component({"kind": "number", "number": number})


def test_counting_gives_each_answer_one_point_at_most() -> None:
    assert [option["points"] for option in counted(component_of(OFTEN, {}))["options"]] == [0, 1, 1]
