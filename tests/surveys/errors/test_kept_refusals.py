"""Why a job failed, told to readers of other languages than the worker's."""

from __future__ import annotations

import pytest
from django.utils.translation import gettext_noop, override

from mining.errors import OverBudget
from privacy.errors import PrivacyError
from surveys.errors.kept_refusals import Told, refusal_kept, refusal_said
from surveys.jobs import lease

LEAST = Told(gettext_noop("Results are shown from %(least)s protected answers on."), least=100)
TOO_FEW = Told(gettext_noop("There are too few protected answers for a result."))
IN_CHINESE = {
    "There are too few protected answers for a result.": "受保护的回答太少。",
    "Results are shown from %(least)s protected answers on.": "至少 %(least)s 份。",
}


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surveys.errors.kept_refusals.gettext", lambda text: IN_CHINESE.get(text, text))


def test_a_refusal_is_said_as_it_was_to_who_reads_the_language_of_the_worker() -> None:
    stored = refusal_kept(PrivacyError("too_few", TOO_FEW, 7, LEAST))
    assert refusal_said(stored) == (
        "There are too few protected answers for a result. Results are shown from 100 protected answers on."
    )


@pytest.mark.usefixtures("chinese")
def test_a_sentence_of_the_catalogue_is_said_in_the_language_of_the_reader_with_its_values() -> None:
    stored = refusal_kept(PrivacyError("too_few", TOO_FEW, 7, LEAST))
    with override("zh-hans"):
        assert refusal_said(stored) == "受保护的回答太少。至少 100 份。"


def test_a_refusal_of_the_core_is_said_by_its_code_and_value() -> None:
    refusal = OverBudget("max_candidates", "80123 candidates of size 3", 80_123, "raise the support")
    stored = refusal_kept(refusal)
    assert refusal_said(stored) == "80123 candidates of size 3. Raise the support."
    with override("zh-hans"):
        said = refusal_said(stored)
    assert "80123" in said
    assert "candidates" not in said


def test_what_cannot_be_stored_as_it_is_is_stored_as_it_is_shown() -> None:
    stored = refusal_kept(PrivacyError("kind", "this is wrong: \ud800", {3}, "mend it"))
    assert stored.isascii()
    assert refusal_said(stored) == "This is wrong: \ud800. Mend it."


def test_rows_of_before_and_sentences_without_values_are_said_too() -> None:
    assert refusal_said("") == ""
    assert refusal_said("Ask for a new run.") == "Ask for a new run."
    assert refusal_said(lease.FAULT) == lease.FAULT
    with override("zh-hans"):
        assert refusal_said(lease.FAULT) != lease.FAULT
        assert refusal_said("{odd} text of an older version") == "{odd} text of an older version"
