"""Findings in words for people who are not experts."""

from collections.abc import Iterator

import pytest

from surveys.authoring.drafts import survey_import
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.plain_findings import plain_finding
from tests.fixtures.checked_surveys import (
    document_of,
    protected,
    yes_no,
)
from tests.fixtures.runs import definition
from tests.site.test_plain_pages import for_experts_in

pytestmark = pytest.mark.django_db


def findings() -> Iterator[dict[str, str]]:
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    for document in (bold, definition("light", light=True)):
        survey = survey_import(document, by="alice")
        checked = draft_read(survey).definition
        assert checked is not None
        yield from (one.to_json() for one in check_draft(survey, checked))


def test_plain_findings_keep_level_and_place_and_drop_greek_letters() -> None:
    given = list(findings())
    assert any(for_experts_in(f"{one['message']} {one['remedy']}") for one in given)
    for one in given:
        plain = plain_finding(one)
        assert for_experts_in(f"{plain['message']} {plain['remedy']}") == [], one["code"]
        assert {**plain, "message": "", "remedy": ""} == {**one, "message": "", "remedy": ""}


def test_plain_findings_are_left_unchanged() -> None:
    one = {"code": "people_unknown", "message": "nobody said how many", "remedy": "say how many people"}
    assert plain_finding(one) == one


@pytest.mark.parametrize("remedy", ["set p to at most 60%", "its θ", "把 p 设为至多 60%"])
def test_a_remedy_alone_can_be_made_plain(remedy: str) -> None:
    plain = plain_finding({"code": "question_odds", "message": "one answer tells much", "remedy": remedy})
    assert plain["remedy"].startswith("choose a stronger protection")
