"""Refusals as the database stores them."""

from django.utils.translation import override

from privacy.errors import PrivacyError
from surveys.errors.stored_refusals import refusal_json, refusal_text
from surveys.jobs import lease


def test_unstorable_error_values_are_stored_as_displayed() -> None:
    stored = refusal_json(PrivacyError("list", {3}, name="\ud800"))
    assert stored.isascii()
    assert refusal_text(stored) == "\ud800 = {3} is not a list. Use a list."


def test_stored_texts_of_errors_without_values_are_translated() -> None:
    assert refusal_text("") == ""
    assert refusal_text("Start a new run.") == "Start a new run."
    assert refusal_text(lease.FAULT) == lease.FAULT
    with override("zh-hans"):
        assert refusal_text(lease.FAULT) != lease.FAULT
        assert refusal_text("{odd} text") == "{odd} text"
