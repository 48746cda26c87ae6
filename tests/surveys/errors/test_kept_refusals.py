"""Why a job failed, told to readers of other languages than the worker's."""

from __future__ import annotations

import json

from django.utils.translation import override

from privacy.errors import PrivacyError
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.errors.kept_refusals import refusal_kept, refusal_said
from surveys.jobs import lease


def test_a_refusal_of_a_service_is_said_in_the_language_of_the_reader_with_its_values() -> None:
    refusal = SurveyError("too_few", 7, least=100)
    stored = refusal_kept(refusal)
    assert refusal_said(stored) == (
        "There are too few protected answers for a result. Results appear once there are 100 "
        "protected answers."
    )
    with override("zh-hans"):
        said = refusal_said(stored)
        assert said == sentences(refusal)
    assert "100" in said
    assert "answers" not in said


def test_what_an_older_worker_stored_is_said_as_ever() -> None:
    stored = json.dumps(
        {
            "code": "seconds",
            "value": 61,
            "message": {"text": "The run took longer than %(seconds)s seconds.", "values": {"seconds": 60}},
            "remedy": "Ask for more.",
        }
    )
    assert refusal_said(stored) == "The run took longer than 60 seconds. Ask for more."


def test_a_refusal_of_the_core_is_said_by_its_case_and_fields() -> None:
    refusal = PrivacyError("max_candidates", 80_123, shape="2")
    stored = refusal_kept(refusal)
    assert refusal_said(stored) == sentences(refusal)
    with override("zh-hans"):
        said = refusal_said(stored)
        assert said == sentences(refusal)
    assert "80123" in said
    assert "itemsets" not in said


def test_an_advice_of_its_own_is_kept_too() -> None:
    refusal = PrivacyError("whole.range", 0, code="refusal", advice="skip", name="refusal", low=1, high=9)
    stored = refusal_kept(refusal)
    for language in ("en", "zh-hans"):
        with override(language):
            assert refusal_said(stored) == sentences(refusal)


def test_what_cannot_be_stored_as_it_is_is_stored_as_it_is_shown() -> None:
    stored = refusal_kept(PrivacyError("list", {3}, name="\ud800"))
    assert stored.isascii()
    assert refusal_said(stored) == "\ud800 = {3} is not a list. Use a list."


def test_rows_of_before_and_sentences_without_values_are_said_too() -> None:
    assert refusal_said("") == ""
    assert refusal_said("Start a new run.") == "Start a new run."
    assert refusal_said(lease.FAULT) == lease.FAULT
    with override("zh-hans"):
        assert refusal_said(lease.FAULT) != lease.FAULT
        assert refusal_said("{odd} text of an older version") == "{odd} text of an older version"
