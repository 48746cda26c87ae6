"""Changes of accounts are complete and logged, an administrator always remains, and roles limit access."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import Http404
from django.test import Client
from pytest_django import Settings

from surveys.accounts import people, permissions
from surveys.accounts.lock_out import attempt_count
from surveys.accounts.permissions import Role, roles_keep, roles_of
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, LogInFailures, Run, Survey
from tests.fixtures.runs import answered_version, published, requested_run
from tests.fixtures.staff import PASSWORD, member, with_password
from tests.surveys.accounts.test_lock_out import NOON

pytestmark = pytest.mark.django_db
RESEARCHER = frozenset({Role.RESEARCHER})


def invited(name: str = "ana", roles: frozenset[Role] = RESEARCHER) -> User:
    return people.account_invite(name=name, full_name="", email="", roles=roles, by="adam")


def changed(user: User, *roles: Role, full_name: str = "", email: str = "") -> User:
    return people.account_change(user, full_name=full_name, email=email, roles=roles, by="adam")


def events() -> list[tuple[str, str, str, dict[str, Any]]]:
    return [(e.actor, e.action, e.target, e.detail) for e in AuditEvent.objects.order_by("pk")]


def test_invited_accounts_have_a_role_but_no_password() -> None:
    user = invited()
    assert roles_of(user) == RESEARCHER
    assert not user.has_usable_password()
    assert events() == [("adam", "account_invite", "ana", {"roles": ["researcher"]})]


@pytest.mark.parametrize("name", ["ana", "ANA"])
def test_log_in_names_are_unique_regardless_of_case(name: str) -> None:
    invited("ana")
    with pytest.raises(SurveyError, match=f"there is already an account {name};") as refused:
        invited(name)
    assert (refused.value.code, AuditEvent.objects.count()) == ("taken", 1)


def test_every_account_needs_a_role() -> None:
    user = invited()
    for refused in (lambda: invited("ben", frozenset()), lambda: changed(user)):
        with pytest.raises(SurveyError) as refusal:
            refused()
        assert refusal.value.code == "roles"
    assert not User.objects.filter(username="ben").exists()


def test_changes_log_old_values_and_no_op_changes_log_nothing() -> None:
    user = invited()
    changed(user, Role.REVIEWER, full_name="Ana", email="ana@example.org")
    changed(user, Role.REVIEWER, full_name="Ana", email="ana@example.org")
    assert events()[1:] == [
        (
            "adam",
            "account_change",
            "ana",
            {"changed": "name or e-mail", "roles": ["reviewer"], "before": ["researcher"]},
        )
    ]
    user = User.objects.get(username="ana")
    assert (user.first_name, user.email, roles_of(user)) == ("Ana", "ana@example.org", {Role.REVIEWER})


def test_the_last_administrator_cannot_be_removed() -> None:
    adam = with_password("adam", Role.ADMINISTRATOR)
    # Invited and stopped administrators do not count, because they cannot log in.
    invited("eva", frozenset({Role.ADMINISTRATOR}))
    people.account_stop(with_password("otto", Role.ADMINISTRATOR), by="adam")
    for refused in (lambda: people.account_stop(adam, by="adam"), lambda: changed(adam, Role.REVIEWER)):
        with pytest.raises(SurveyError, match="no administrator except adam can log in") as refusal:
            refused()
        assert refusal.value.code == "last_administrator"
    assert roles_of(User.objects.get(pk=adam.pk)) == {Role.ADMINISTRATOR}
    with_password("berta", Role.ADMINISTRATOR)
    people.account_stop(adam, by="berta")
    assert roles_of(User.objects.get(pk=adam.pk)) == frozenset()


def test_superusers_count_as_administrators() -> None:
    root = User.objects.create_superuser("root", password=PASSWORD)
    adam = with_password("adam", Role.ADMINISTRATOR)
    changed(root, Role.REVIEWER)
    assert roles_of(User.objects.get(pk=root.pk)) == {Role.REVIEWER}
    with pytest.raises(SurveyError):
        changed(adam, Role.REVIEWER)


def test_stopping_ends_sessions_and_resuming_restores_log_in() -> None:
    ana, client = with_password("ana", Role.RESEARCHER), Client()
    client.force_login(ana)
    assert client.get("/en/staff/").status_code == 200
    people.account_stop(ana, by="adam")
    people.account_stop(ana, by="adam")
    assert client.get("/en/staff/").status_code == 302
    assert not Client().login(username="ana", password=PASSWORD)
    people.account_resume(ana, by="adam")
    people.account_resume(ana, by="adam")
    assert Client().login(username="ana", password=PASSWORD)
    # The old session stays ended.
    assert client.get("/en/staff/").status_code == 302
    assert [event[1] for event in events()] == ["account_stop", "account_resume"]


def test_a_reset_ends_sessions_and_removes_the_password() -> None:
    ana, client = with_password("ana", Role.RESEARCHER), Client()
    client.force_login(ana)
    attempt_count(name="ana", address="192.0.2.7", now=NOON)
    people.account_reset(ana, by="adam")
    assert client.get("/en/staff/").status_code == 302
    assert not Client().login(username="ana", password=PASSWORD)
    assert not LogInFailures.objects.exclude(name="").exists()
    assert [event[1] for event in events()] == ["account_reset"]


def test_own_and_stopped_accounts_cannot_be_reset() -> None:
    adam, ana = with_password("adam", Role.ADMINISTRATOR), member("ana", Role.RESEARCHER)
    people.account_stop(ana, by="adam")
    for user, code in ((adam, "own"), (ana, "stopped")):
        with pytest.raises(SurveyError) as refusal:
            people.account_reset(user, by="adam")
        assert refusal.value.code == code
    assert User.objects.get(pk=adam.pk).check_password(PASSWORD)


def test_unlocking_clears_failures_and_is_recorded_only_if_any_existed() -> None:
    ana = member("ana", Role.RESEARCHER)
    people.account_let_in(ana, by="adam")
    people.everybody_let_in(by="adam")
    assert events() == []
    attempt_count(name="ana", address="192.0.2.7", now=NOON)
    people.account_let_in(ana, by="adam")
    people.everybody_let_in(by="adam")
    assert [event[1] for event in events()] == ["account_let_in", "everybody_let_in"]
    assert LogInFailures.objects.count() == 0


def test_surveys_can_change_owner_and_lose_it() -> None:
    survey, ana = published().survey, member("ana", Role.RESEARCHER)
    before = AuditEvent.objects.count()
    people.survey_hand_over(survey, ana, by="adam")
    people.survey_hand_over(survey, ana, by="adam")
    assert Survey.objects.get(pk=survey.pk).owner == ana
    people.survey_hand_over(survey, None, by="adam")
    assert Survey.objects.get(pk=survey.pk).owner is None
    assert events()[before:] == [
        ("adam", "survey_hand_over", "habits", {"to": "ana", "before": ""}),
        ("adam", "survey_hand_over", "habits", {"to": "", "before": "ana"}),
    ]


def test_surveys_cannot_be_handed_over_to_accounts_without_builder_role() -> None:
    survey = published().survey
    for user in (member("rita", Role.REVIEWER), member("nobody")):
        with pytest.raises(SurveyError, match="cannot create surveys") as refusal:
            people.survey_hand_over(survey, user, by="adam")
        assert refusal.value.code == "no_builder"
    assert Survey.objects.get(pk=survey.pk).owner is None


@pytest.mark.parametrize("there", [False, True])
def test_the_administrator_command_creates_or_restores_an_administrator(
    there: bool, capsys: pytest.CaptureFixture[str], client: Client
) -> None:
    if there:
        with_password("adam", Role.REVIEWER)
        people.account_stop(User.objects.get(), by="root")
    call_command("administrator", "adam", "--mail", "adam@example.org", "--address", "http://testserver/")
    said = capsys.readouterr().out
    assert ("was there" in said) == there
    adam = User.objects.get()
    assert roles_of(adam) == {Role.ADMINISTRATOR} | ({Role.REVIEWER} if there else set())
    assert not adam.has_usable_password()
    link = said.split()[-1]
    assert client.get(link, follow=True).status_code == 200
    assert events()[-1] == ("command line", "account_rescue", "adam", {"new": not there})


def test_the_command_refuses_invalid_log_in_names() -> None:
    with pytest.raises(CommandError, match="is not a valid login name"):
        call_command("administrator", "adam and eve")
    assert not User.objects.exists()


def bob() -> User:
    """Return a user who can log in but is not staff."""
    return User.objects.create_user("bob", password="a-long-password")


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


def test_roles_are_queried_once_and_refreshed_on_change(django_assert_num_queries: Any) -> None:
    visitor = User.objects.get(pk=member("rosa", Role.REVIEWER).pk)
    with django_assert_num_queries(1):
        assert [roles_of(visitor) for _time in range(3)] == [{Role.REVIEWER}] * 3
    roles_keep(visitor, [])
    assert roles_of(visitor) == frozenset()


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


def test_staff_pages_are_not_cached(client: Client) -> None:
    answered_version()
    client.force_login(member("rita", Role.REVIEWER))
    for path in ("/en/staff/", "/en/staff/surveys/habits/"):
        assert "no-store" in client.get(path)["Cache-Control"]


@pytest.mark.parametrize(
    ("wanted", "led"), [("/en/staff/surveys/habits/",) * 2, ("https://elsewhere.example/", "/en/staff/")]
)
def test_staff_log_ins_redirect_to_the_requested_page(client: Client, wanted: str, led: str) -> None:
    User.objects.create_user("dora", password="a-long-password", is_staff=True)
    form = {"username": "dora", "password": "a-long-password", "next": wanted}
    response = client.post("/en/staff/log-in/", form)
    assert (response.status_code, response["Location"]) == (302, led)
