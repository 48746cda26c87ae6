import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts.roles import Role, roles_keep
from surveys.models import AuditEvent, Survey
from tests.fixtures.drafts import published_survey
from tests.fixtures.runs import answered_version, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


PATH = "/en/staff/surveys/habits/delete"


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create(username="ada", is_staff=True)
    roles_keep(user, [Role.ADMINISTRATOR])
    client.force_login(user)
    return client


def test_deletion_requires_typing_the_survey_name(ada: Client) -> None:
    answered_version()
    page = ada.get(PATH).content.decode()
    assert "<dt>batches of answers</dt><dd>2</dd>" in page
    refused = ada.post(PATH, {"slug": "habit"})
    assert refused.status_code == 422
    assert "Nothing was deleted" in refused.content.decode()
    assert "name in its address is <code>habits</code>" in refused.content.decode()
    assert Survey.objects.exists()
    done = ada.post(PATH, {"slug": "habits"}, follow=True)
    assert "Survey habits was deleted." in done.content.decode()
    assert not Survey.objects.exists()
    assert AuditEvent.objects.get(action="survey_delete").actor == "ada"


def test_unfinished_surveys_cannot_be_deleted(ada: Client) -> None:
    published()
    assert "The survey is not over yet" in ada.get(PATH).content.decode()
    refused = ada.post(PATH, {"slug": "habits"})
    assert refused.status_code == 422
    assert Survey.objects.exists()


def test_deletion_days_of_open_surveys_are_never_postponed(ada: Client) -> None:
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
        ("", "Enter a day as year-month-day"),
    ):
        refused = ada.post(PATH, {"delete_on": day})
        assert refused.status_code == 422
        assert says.lower() in refused.content.decode().lower()
    assert str(Survey.objects.get().delete_on) == "2099-03-01"


def test_survey_list_survey_and_closing_pages_show_the_deletion_day(client: Client) -> None:
    published_survey(time_zone="Europe/Berlin", delete_on="2099-03-01")
    rita = member("rita", Role.RESEARCHER)
    Survey.objects.update(owner=rita)
    client.force_login(rita)
    assert "deleted on 2099-03-01" in client.get("/en/staff/").content.decode()
    page = client.get("/en/staff/surveys/work/").content.decode()
    assert "on 2099-03-01, with all answers and results" in page
    close = client.get("/en/staff/surveys/work/close").content.decode()
    assert "It will be deleted on 2099-03-01, with all answers and results." in close
