"""Only administrators can delete a survey, by typing its name, and only after it has ended."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts.permissions import Role, roles_keep
from surveys.models import AuditEvent, Survey
from tests.fixtures.runs import alice, answered, published

pytestmark = pytest.mark.django_db
PATH = "/en/staff/surveys/habits/delete"


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create(username="ada", is_staff=True)
    roles_keep(user, [Role.ADMINISTRATOR])
    client.force_login(user)
    return client


def test_the_name_has_to_be_typed(ada: Client) -> None:
    answered()
    page = ada.get(PATH).content.decode()
    assert "<dt>batches of answers</dt><dd>2</dd>" in page
    refused = ada.post(PATH, {"slug": "habit"})
    assert refused.status_code == 422
    assert "Nothing was deleted" in refused.content.decode()
    assert Survey.objects.exists()
    done = ada.post(PATH, {"slug": "habits"}, follow=True)
    assert "Survey habits was deleted." in done.content.decode()
    assert not Survey.objects.exists()
    assert AuditEvent.objects.get(action="survey_delete").actor == "ada"


def test_a_survey_that_is_not_over_is_kept(ada: Client) -> None:
    published()
    assert "The survey is not over yet" in ada.get(PATH).content.decode()
    refused = ada.post(PATH, {"slug": "habits"})
    assert refused.status_code == 422
    assert Survey.objects.exists()


def test_a_reviewer_may_not(client: Client) -> None:
    answered()
    client.force_login(alice())
    assert client.get(PATH).status_code == client.post(PATH, {"slug": "habits"}).status_code == 403
    assert Survey.objects.exists()


def test_a_day_is_set_on_a_survey_that_is_still_open_and_never_put_off(ada: Client) -> None:
    published()
    assert "Set the day" in ada.get(PATH).content.decode()
    done = ada.post(PATH, {"delete_on": "2099-03-01"}, follow=True)
    assert "Survey habits is deleted on 2099-03-01." in done.content.decode()
    assert str(Survey.objects.get().delete_on) == "2099-03-01"
    assert AuditEvent.objects.get(action="survey_retention").actor == "ada"
    for day, says in (
        ("2099-03-02", "Respondents read that all answers are deleted on 2099-03-01."),
        ("2020-01-01", "2020-01-01 has begun"),
        ("soon", "soon is not a date"),
        ("", "This field is required"),
    ):
        refused = ada.post(PATH, {"delete_on": day})
        assert refused.status_code == 422
        assert says.lower() in refused.content.decode().lower()
    assert str(Survey.objects.get().delete_on) == "2099-03-01"


def test_a_reviewer_sets_no_day(client: Client) -> None:
    published()
    client.force_login(alice())
    assert client.post(PATH, {"delete_on": "2099-03-01"}).status_code == 403
    assert Survey.objects.get().delete_at is None
