"""What a service refuses, in sentences."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from surveys.accounts.refusal import AccountError
from surveys.authoring.state import SurveyStateError
from surveys.errors.error import StateRefusal, in_sentences


@pytest.mark.parametrize("kind", [AccountError, SurveyStateError])
def test_a_refusal_has_a_code_for_programs_and_two_sentences_for_people(kind: type[StateRefusal]) -> None:
    refusal = kind("closed", "the survey work is closed", "duplicate it")
    assert refusal.code == "closed"
    assert str(refusal) == "the survey work is closed; duplicate it"
    assert refusal.sentences == "The survey work is closed. Duplicate it."


def test_sentences_end_as_those_of_the_language_do() -> None:
    with override("zh-hans"):
        assert in_sentences("问卷已结束", "请复制。") == "问卷已结束。请复制。"
