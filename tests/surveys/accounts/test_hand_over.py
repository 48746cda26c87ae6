"""Surveys are handed over to accounts that may build surveys, and the change is logged."""

import pytest

from surveys.accounts.hand_over import survey_hand_over
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from tests.fixtures.pages import open_page
from tests.fixtures.runs import published
from tests.fixtures.staff import browser_of, member, with_password
from tests.surveys.accounts.test_people import events

pytestmark = pytest.mark.django_db


def test_surveys_can_change_owner_and_lose_it() -> None:
    survey, ana = published().survey, member("ana", Role.RESEARCHER)
    before = AuditEvent.objects.count()
    assert survey_hand_over(survey, ana, by="adam")
    assert not survey_hand_over(survey, ana, by="adam")
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


@pytest.mark.soak
def test_administrators_hand_over_surveys_on_the_survey_page() -> None:
    published()
    adam = browser_of("adam", Role.ADMINISTRATOR)
    ana = with_password("ana", Role.RESEARCHER)
    assert "No owner" in open_page(adam, "/en/staff/surveys/habits/")
    form = open_page(adam, "/en/staff/surveys/habits/owner")
    assert f'<option value="{ana.pk}">ana</option>' in form
    adam.post("/en/staff/surveys/habits/owner", {"owner": ana.pk})
    assert Survey.objects.get().owner == ana
    assert "Owner: ana" in open_page(adam, "/en/staff/surveys/habits/")
    again = adam.post("/en/staff/surveys/habits/owner", {"owner": ana.pk}, follow=True).content.decode()
    assert "The survey has this owner already. Nothing was changed." in again
    refused = adam.post("/en/staff/surveys/habits/owner", {"owner": member("rita", Role.REVIEWER).pk})
    assert refused.status_code == 422
    assert Survey.objects.get().owner == ana
