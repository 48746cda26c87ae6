from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from pytest_django import Settings

from surveys.accounts import permissions
from surveys.accounts.roles import Role
from surveys.models import Run, Survey
from tests.fixtures.runs import answered_version, requested_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def charlie() -> User:
    """Return a former administrator."""
    return User.objects.create_user("charlie", is_staff=True, is_active=False, is_superuser=True)


@pytest.fixture
def run() -> Run:
    """Return a run of Ana's survey."""
    found = requested_run(answered_version())
    Survey.objects.filter(pk=found.survey_id).update(owner=member("ana", Role.RESEARCHER))
    return found


def opened(check: Callable[[], object]) -> str:
    """Return the result of a permission check: "open", 403 or 404."""
    try:
        check()
    except PermissionDenied:
        return "403"
    except Http404:
        return "404"
    return "open"


def through(user: User | AnonymousUser, run: Run) -> dict[str, str]:
    return {
        "build": opened(lambda: permissions.get_survey_for_builder(user, run.survey.slug)),
        "report": opened(lambda: permissions.get_survey_for_report(user, run.survey.slug)),
        "run": opened(lambda: permissions.get_run_for_report(user, run.pk)),
        "share": opened(lambda: permissions.get_run_for_owner(user, run.pk)),
        "judge": opened(lambda: permissions.get_run_for_reviewer(user, run.pk)),
        "page": opened(lambda: permissions.get_survey_for_staff(user, run.survey.slug)),
        "accounts": opened(lambda: permissions.get_administrator(user)),
        "own account": opened(lambda: permissions.get_staff(user)),
    }


def row(*outcomes: str) -> dict[str, str]:
    names = ("build", "report", "run", "share", "judge", "page", "accounts", "own account")
    return dict(zip(names, outcomes, strict=True))


def test_several_roles_add_up_and_superusers_may_do_everything(run: Run) -> None:
    """`test_roles.py` tests users with one role."""
    people = {
        "charlie": charlie(),
        "both": member("both", Role.RESEARCHER, Role.REVIEWER),
        "superuser": User.objects.create_superuser("root"),
    }
    assert {name: through(user, run) for name, user in people.items()} == {
        "charlie": row("403", "403", "403", "403", "403", "403", "403", "403"),
        "both": row("404", "open", "open", "404", "open", "open", "403", "open"),
        "superuser": row("open", "open", "open", "open", "open", "open", "open", "open"),
    }


def test_a_setting_restricts_reports_to_reviewers(run: Run, settings: Settings) -> None:
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False
    ana = User.objects.get(username="ana")
    assert through(ana, run) == row("open", "403", "403", "403", "403", "open", "403", "open")
    assert through(member("rita", Role.REVIEWER), run)["run"] == "open"


def test_researchers_cannot_open_surveys_without_an_owner(run: Run) -> None:
    Survey.objects.filter(pk=run.survey_id).update(owner=None)
    assert through(User.objects.get(username="ana"), run)["build"] == "404"
    assert through(member("adam", Role.ADMINISTRATOR), run)["build"] == "open"


def test_shown_links_match_the_actual_permissions(run: Run) -> None:
    survey = Survey.objects.get(pk=run.survey_id)
    for user in (
        AnonymousUser(),
        User.objects.get(username="ana"),
        member("other", Role.RESEARCHER),
        member("rita", Role.REVIEWER),
        member("adam", Role.ADMINISTRATOR),
    ):
        expected = through(user, run)
        assert permissions.may_build(user, survey) == (expected["build"] == "open")
        assert permissions.may_read_report(user, survey) == (expected["report"] == "open")


def test_missing_surveys_and_runs_return_404() -> None:
    adam = member("adam", Role.ADMINISTRATOR)
    assert opened(lambda: permissions.get_survey_for_staff(adam, "nothing")) == "404"
    assert opened(lambda: permissions.get_survey_for_builder(adam, "nothing")) == "404"
    assert opened(lambda: permissions.get_run_for_report(adam, 4711)) == "404"


def test_staff_without_a_role_see_no_surveys(run: Run) -> None:
    assert list(permissions.get_surveys_for_staff(member("staff"))) == []


@pytest.mark.soak
def test_staff_pages_are_not_cached(client: Client) -> None:
    answered_version()
    client.force_login(member("rita", Role.REVIEWER))
    for path in ("/en/staff/", "/en/staff/surveys/habits/"):
        assert "no-store" in client.get(path)["Cache-Control"]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("wanted", "led"), [("/en/staff/surveys/habits/",) * 2, ("https://elsewhere.example/", "/en/staff/")]
)
def test_staff_log_ins_redirect_to_the_requested_page(client: Client, wanted: str, led: str) -> None:
    User.objects.create_user("dora", password="a-long-password", is_staff=True)
    form = {"username": "dora", "password": "a-long-password", "next": wanted}
    response = client.post("/en/staff/log-in/", form)
    assert (response.status_code, response["Location"]) == (302, led)
