"""Changes of accounts are complete and logged, an administrator always remains, and roles limit access."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.accounts import people
from surveys.accounts.lock_out import attempt_count
from surveys.accounts.people import account_stop
from surveys.accounts.roles import Role, roles_of
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, LogInFailures
from tests.fixtures.staff import PASSWORD, member, with_password
from tests.fixtures.threads import run_at_once
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


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_both_stop_each_other() -> None:
    adam, berta = with_password("adam", Role.ADMINISTRATOR), with_password("berta", Role.ADMINISTRATOR)
    let_through = run_at_once(
        [lambda: account_stop(adam, by="berta"), lambda: account_stop(berta, by="adam")],
        refusals=(SurveyError,),
    )
    assert sum(let_through) == 1
    assert User.objects.filter(is_active=True).count() == 1
