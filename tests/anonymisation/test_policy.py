"""The effect of each policy number of releases, with literal numbers, so that a change fails a test."""

from anonymisation.releases.query_pages import OpenForm


def test_questions_each__the_default_limit_is_a_hundred() -> None:
    assert OpenForm()["each"].value() == 100


def test_most_questions_each__the_limit_can_be_up_to_ten_thousand() -> None:
    assert [OpenForm({"each": each}).is_valid() for each in (10_000, 10_001)] == [True, False]
