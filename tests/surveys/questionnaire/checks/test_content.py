"""Checks of content hold for the right parts."""

import pytest

from surveys.questionnaire.ready_parts import ready_parts
from tests.fixtures.checked_surveys import codes, protected, yes_no


@pytest.mark.parametrize("prevalence", [0, 5_000, 9_999, 10_000])
def test_no_expected_share_switches_off_a_check(prevalence: int) -> None:
    """Only ready-made check questions are exempt: any other question is about the respondent."""
    part = protected("b", yes_no("hiv", prevalence=prevalence, known=True))
    assert codes(part) == [("known_fact", "blocks[0].questions[0]")]
    part = protected("b", yes_no("hiv", prevalence=prevalence))
    del part["no_skip"]
    assert codes(part) == [("no_skip", "blocks[0]")]


def test_ready_made_check_questions_may_ask_known_facts() -> None:
    asked = protected("b", yes_no("lie"), refusal=2000)
    for anchor in ready_parts()["anchors"]:
        part = {**anchor, "truth_probability": 5000, "refusal": 2000}
        own = {**part, "title": {"en": part["title"]["en"]}}
        (question,) = part["questions"]
        own["questions"] = [{**question, "text": {"en": question["text"]["en"]}, "known": True}]
        assert codes(asked, own) == []
        # With another wording, it is a question like any other.
        own["questions"] = [{**own["questions"][0], "text": {"en": "I have copied."}}]
        assert ("known_fact", "blocks[1].questions[0]") in codes(asked, own)
