"""What a service refuses, in sentences."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError, in_sentences


def test_a_refusal_has_a_code_for_programs_and_two_sentences_for_people() -> None:
    refusal = SurveyError("closed.publish", slug="work")
    assert refusal.code == "closed"
    assert str(refusal) == "survey work is closed; import it under another slug and publish that"
    assert sentences(refusal) == "Survey work is closed. Import it under another slug and publish that."


def test_a_refusal_is_said_in_the_language_of_who_reads_it_whenever_it_was_raised() -> None:
    refusal = SurveyError("closed.publish", slug="work")
    with override("zh-hans"):
        said = sentences(refusal)
        assert "work" in said
        assert said.endswith("。")
        assert "closed" not in said
    assert refusal.message == "survey work is closed"


def test_a_request_is_answered_with_the_status_of_the_case() -> None:
    statuses = [SurveyError(case).status for case in ("closed.submission", "closed.draft", "too_few")]
    assert statuses == [410, 409, 422]


def test_a_case_that_the_catalogue_does_not_know_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        assert SurveyError("no such case").message


def test_sentences_end_as_those_of_the_language_do() -> None:
    with override("zh-hans"):
        assert in_sentences("问卷已结束", "请复制。") == "问卷已结束。请复制。"
