"""Surveys are handed over to accounts that may build surveys, and the change is logged."""

import pytest

from surveys.accounts.hand_over import survey_hand_over
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from tests.fixtures.runs import published
from tests.fixtures.staff import member
from tests.surveys.accounts.test_people import events

pytestmark = pytest.mark.django_db


def test_surveys_can_change_owner_and_lose_it() -> None:
    survey, ana = published().survey, member("ana", Role.RESEARCHER)
    before = AuditEvent.objects.count()
    survey_hand_over(survey, ana, by="adam")
    survey_hand_over(survey, ana, by="adam")
    assert Survey.objects.get(pk=survey.pk).owner == ana
    survey_hand_over(survey, None, by="adam")
    assert Survey.objects.get(pk=survey.pk).owner is None
    assert events()[before:] == [
        ("adam", "survey_hand_over", "habits", {"to": "ana", "before": ""}),
        ("adam", "survey_hand_over", "habits", {"to": "", "before": "ana"}),
    ]


def test_surveys_cannot_be_handed_over_to_accounts_without_builder_role() -> None:
    survey = published().survey
    for user in (member("rita", Role.REVIEWER), member("nobody")):
        with pytest.raises(SurveyError, match="cannot create surveys") as refusal:
            survey_hand_over(survey, user, by="adam")
        assert refusal.value.code == "no_builder"
    assert Survey.objects.get(pk=survey.pk).owner is None
