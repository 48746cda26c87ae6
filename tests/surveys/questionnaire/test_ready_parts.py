"""Ready parts: whole in both languages, and refused where the right answer is none."""

from __future__ import annotations

from typing import Any

import pytest

from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.ready_parts import ready_parts
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no
from tests.cast.devices import shipped_definition


def test_the_ready_parts_are_published_in_both_languages_with_one_statement_for_each_person() -> None:
    document = shipped_definition()
    parts = ready_parts()
    document["blocks"] = [*parts["before"], *document["blocks"], *parts["after"]]
    found = definition_parse(document)
    assert found.languages == ("en", "zh-hans")
    (item,) = found.design.arms
    assert found.design.questions[item].shares == (2500,) * 4
    # Which statement somebody reads divides nobody for the protected questions.
    assert choices_of_arms(found.design) == {}
    assert found.wording["blocks"][0]["questions"][0]["right"] == "nothing"


@pytest.mark.parametrize("right", ["other", 1, ["a"]])
def test_a_right_answer_that_is_no_option_is_refused(right: Any) -> None:
    options = [{"key": key, "text": {"en": key}} for key in "ab"]
    question = {"key": "q", "kind": "single", "text": {"en": "Q?"}, "options": options, "right": right}
    with pytest.raises(DefinitionError) as refused:
        definition_parse(document_of(unprotected("you", question), protected("b", yes_no("copied"))))
    assert [problem.path for problem in refused.value.problems] == ["blocks[0].questions[0].right"]


def test_a_protected_question_has_no_right_answer() -> None:
    with pytest.raises(DefinitionError, match="right"):
        definition_parse(document_of(protected("b", yes_no("copied", right="yes"))))
