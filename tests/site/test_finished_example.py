"""All staff can read the finished example, and no researcher's survey replaces it."""

import re
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.errors.error import SurveyError
from surveys.models import Job, Run, SharedPage, Survey
from surveys.models.finished_example import page_of_example
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.runs import answered_version, definition, mined_run, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

HOME = "/en/"
EXAMPLE = "/en/shared/example/"


@pytest.fixture
def example() -> Run:
    """Return a run of simulated respondents with known truth."""
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    Survey.objects.filter(pk=run.survey_id).update(known_truth={"late": 0.35})
    return run


@pytest.mark.soak
def test_visitors_and_all_staff_can_read_the_example(client: Client, example: Run) -> None:
    assert f'href="{EXAMPLE}"' in client.get(HOME).content.decode()
    answer = client.get(EXAMPLE)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "Example: public data, answered by simulated respondents" in text
    assert "Have you cheated?" in text
    assert "/staff/" not in text
    assert "Set-Cookie" not in answer.headers
    assert client.get(f"{EXAMPLE}report/").status_code == 200
    client.force_login(member("rita", Role.RESEARCHER))
    assert client.get(reverse("report:results", args=[example.pk])).status_code == 404
    assert client.get(EXAMPLE).status_code == 200
    for page in ("/en/staff/", "/en/staff/account/way/"):
        assert f'href="{EXAMPLE}"' in client.get(page).content.decode()


@pytest.mark.soak
def test_visitors_find_two_entrances_and_how_to_answer(client: Client) -> None:
    home = client.get(HOME).content.decode()
    assert (
        "You need a staff login to create surveys and read reports. "
        "To answer a survey, open the link you received." in home
    )
    for name, address in (("Create a survey", "authoring:new"), ("Read reports", "report:surveys")):
        assert re.search(rf'href="{reverse(address)}">{name}</a>', home)
        answer = client.get(reverse(address))
        assert (answer.status_code, "log-in" in answer.headers["Location"]) == (302, True)


@pytest.mark.soak
def test_the_example_url_opens_only_its_results(client: Client, example: Run) -> None:
    assert [client.get(f"{EXAMPLE}{page}/").status_code for page in ("risk", "preview")] == [404, 404]
    assert not SharedPage.objects.exists()


@pytest.mark.soak
def test_a_survey_of_real_people_is_not_an_example(client: Client) -> None:
    mined_run(answered_version(800, n_direct=0, policy="protected"))
    assert page_of_example() is None
    assert client.get(EXAMPLE).status_code == 404
    assert "/shared/" not in client.get(HOME).content.decode()


def test_importing_a_definition_cannot_create_an_example() -> None:
    with suppress(DefinitionError, SurveyError):
        survey_import({**definition("planted"), "known_truth": {"late": 1.0}}, by="mallory")
    assert not Survey.objects.filter(known_truth__isnull=False).exists()


@pytest.mark.soak
def test_the_home_page_links_only_the_practice_survey_of_the_example(client: Client, example: Run) -> None:
    published("a-first-by-name", practice=True)
    published(f"{example.survey.slug}-practice", practice=True)
    text = client.get(HOME).content.decode()
    assert "a-first-by-name" not in text
    assert reverse("respond:page", args=[f"{example.survey.slug}-practice"]) in text
    # If the example has an owner, only the owner may share it.
    Survey.objects.filter(practice=True).update(owner=member("rita", Role.RESEARCHER))
    assert "/s/" not in client.get(HOME).content.decode()


def test_the_home_page_shows_the_command_of_a_checkout_or_wheel(client: Client, settings: Any) -> None:
    assert "<code>sottovoce demo</code>" in client.get(HOME).content.decode()
    settings.PROGRAM = ".venv/bin/python manage.py"
    assert "<code>.venv/bin/python manage.py demo</code>" in client.get(HOME).content.decode()


@pytest.mark.soak
def test_the_home_page_announces_an_example_in_preparation(client: Client) -> None:
    absent, coming = "There is no finished example on this server", "A worked example is being prepared"
    assert absent in client.get(HOME).content.decode()
    version = answered_version(800, n_direct=0, policy="protected")
    Survey.objects.filter(pk=version.survey_id).update(known_truth={"late": 0.35})
    text = client.get(HOME).content.decode()
    assert coming in text
    assert absent not in text
    run = mined_run(version)
    Job.objects.filter(pk=run.job_id).update(state=Job.State.RUNNING)
    assert coming in client.get(HOME).content.decode()
    Job.objects.filter(pk=run.job_id).update(state=Job.State.FAILED)
    assert absent in client.get(HOME).content.decode()
    Job.objects.filter(pk=run.job_id).update(state=Job.State.FINISHED)
    text = client.get(HOME).content.decode()
    assert coming not in text
    assert absent not in text
