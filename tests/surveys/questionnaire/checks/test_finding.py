"""Findings in plain words: the same findings, without the details for experts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from surveys.authoring.publish import survey_import
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.checks.finding import plain_finding
from surveys.questionnaire.draft_reading import draft_read
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.runs import definition
from tests.surveys.test_plain_pages import for_experts_in

pytestmark = pytest.mark.django_db


def findings() -> Iterator[dict[str, str]]:
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    for document in (bold, definition("light", light=True)):
        survey = survey_import(document, by="alice")
        checked = draft_read(survey).definition
        assert checked is not None
        yield from (finding.to_json() for finding in check_draft(survey, checked))


def test_each_finding_stays_with_its_weight_and_place_and_loses_its_greek_letters() -> None:
    given = list(findings())
    assert any(for_experts_in(f"{finding['message']} {finding['remedy']}") for finding in given)
    for finding in given:
        plain = plain_finding(finding)
        assert for_experts_in(f"{plain['message']} {plain['remedy']}") == [], finding["code"]
        assert {**plain, "message": "", "remedy": ""} == {**finding, "message": "", "remedy": ""}


def test_what_is_plain_already_stays_as_it_is() -> None:
    finding = {"code": "people_unknown", "message": "nobody said how many", "remedy": "say how many people"}
    assert plain_finding(finding) == finding


@pytest.mark.parametrize("remedy", ["set p to at most 60%", "its θ", "把 p 设为至多 60%"])
def test_a_remedy_alone_can_be_for_experts(remedy: str) -> None:
    plain = plain_finding({"code": "question_odds", "message": "one answer tells much", "remedy": remedy})
    assert plain["remedy"].startswith("choose a stronger protection")
