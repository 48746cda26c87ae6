"""The pages on which administrators manage people."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from surveys.accounts.lock_out import attempt_count
from surveys.accounts.people import link_path
from surveys.accounts.roles import Role, roles_of
from surveys.models import AuditEvent, Survey
from surveys.policy import MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.runs import published
from tests.fixtures.staff import PASSWORD, member, with_password

pytestmark = pytest.mark.django_db
PEOPLE = "/en/staff/people/"
SAID_TWICE = {"new_password1": PASSWORD, "new_password2": PASSWORD}


@pytest.fixture
def adam(client: Client) -> Client:
    """Return an administrator's browser."""
    client.force_login(with_password("adam", Role.ADMINISTRATOR))
    return client


def page(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def link_of(response: HttpResponse) -> str:
    found = re.search(r'value="http://testserver(/en/staff/set-password/[^"]+)"', response.content.decode())
    assert found, "no link on the page"
    return found[1]


def keep_out(name: str) -> None:
    for _time in range(MOST_OF_NAME_AT_ADDRESS):
        attempt_count(name=name, address="192.0.2.7", now=timezone.now())


def set_password(link: str, data: dict[str, str] = SAID_TWICE) -> HttpResponse:
    """Open a link in a new browser and submit the form."""
    browser = Client()
    opened = browser.get(link)
    return browser.post(opened["Location"], data) if opened.status_code == 302 else opened


def test_invited_users_set_a_password_by_link_and_log_in(adam: Client) -> None:
    form = {"name": "ana", "full_name": "Ana", "email": "", "roles": ["researcher"]}
    answer = adam.post(f"{PEOPLE}invite", form)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    led = set_password(link_of(answer))
    assert (led.status_code, led["Location"]) == (302, "/en/staff/log-in/")
    browser = Client()
    browser.post("/en/staff/log-in/", {"username": "ana", "password": PASSWORD})
    assert "You have no surveys yet" in page(browser.get("/en/staff/"))
    assert list(AuditEvent.objects.order_by("pk").values_list("actor", "action", "target")) == [
        ("adam", "account_invite", "ana"),
        ("ana", "password_set", "ana"),
        ("ana", "log_in", "ana"),
    ]


def test_password_links_are_shown_once_and_work_once(adam: Client) -> None:
    answer = adam.post(f"{PEOPLE}invite", {"name": "ana", "roles": ["reviewer"]})
    link, ana = link_of(answer), User.objects.get(username="ana")
    for later in (PEOPLE, f"{PEOPLE}{ana.pk}/", "/en/staff/log/"):
        assert "set-password" not in page(adam.get(later))
    assert set_password(link).status_code == 302
    again = set_password(link, {"new_password1": "another-long-one", "new_password2": "another-long-one"})
    assert again.status_code == 410
    assert User.objects.get(pk=ana.pk).check_password(PASSWORD)


@pytest.mark.soak
def test_new_links_and_stopping_the_account_invalidate_links(adam: Client) -> None:
    ana = with_password("ana", Role.RESEARCHER)
    first = link_of(adam.post(f"{PEOPLE}{ana.pk}/link"))
    second = link_of(adam.post(f"{PEOPLE}{ana.pk}/link"))
    assert set_password(first).status_code == 410
    adam.post(f"{PEOPLE}{ana.pk}/stop")
    assert set_password(second).status_code == 410
    assert adam.post(f"{PEOPLE}{ana.pk}/link").status_code == 409
    adam.post(f"{PEOPLE}{ana.pk}/resume")
    assert set_password(second).status_code == 302


def test_password_links_expire_after_three_days(adam: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    link = link_path(member("ana", Role.RESEARCHER))
    now = default_token_generator._now()
    # Tokens have a resolution of one second.
    for days, status in ((2.999, 302), (3.001, 410)):
        monkeypatch.setattr(default_token_generator, "_now", lambda late=now + timedelta(days=days): late)
        assert Client().get(link).status_code == status


@pytest.mark.parametrize(
    ("password", "again", "why"),
    [
        ("short", "short", "at least 12 characters"),
        ("qwertyuiopasdfgh", "qwertyuiopasdfgi", "match"),
        ("ana.lindqvist.1", "ana.lindqvist.1", "too similar"),
        ("ilovemyfamily", "ilovemyfamily", "too common"),
    ],
)
def test_weak_passwords_are_rejected_with_the_reason(password: str, again: str, why: str) -> None:
    ana = member("ana.lindqvist", Role.RESEARCHER)
    answer = set_password(link_path(ana), {"new_password1": password, "new_password2": again})
    assert answer.status_code == 422
    assert why in page(answer)
    assert not User.objects.get(pk=ana.pk).has_usable_password()


def test_a_password_link_unlocks_a_locked_account() -> None:
    ana = member("ana", Role.RESEARCHER)
    keep_out("ana")
    set_password(link_path(ana))
    answer = Client().post(
        "/en/staff/log-in/", {"username": "ana", "password": PASSWORD}, REMOTE_ADDR="198.51.100.1"
    )
    assert answer.status_code == 302


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": "adam"}, "There is already an account adam. Choose another login name."),
        ({"name": "ana lind"}, "Enter a valid username"),
        ({"name": ""}, "Fill in this field."),
        ({"roles": []}, "Choose at least one role"),
        ({"roles": ["owner"]}, "“owner” cannot be chosen here. Choose one of these."),
        ({"email": "nowhere"}, "Enter a valid email address."),
    ],
)
def test_invalid_invitations_explain_why(adam: Client, change: dict[str, object], why: str) -> None:
    answer = adam.post(f"{PEOPLE}invite", {"name": "ana", "roles": ["researcher"]} | change)
    assert answer.status_code == 422
    assert why in page(answer)
    assert list(User.objects.values_list("username", flat=True)) == ["adam"]


@pytest.mark.soak
def test_no_role_is_preselected_in_the_invitation_form(adam: Client) -> None:
    asked = adam.get(f"{PEOPLE}invite").content.decode()
    boxes = re.findall(r'<input type="checkbox" name="roles"[^>]*>', asked)
    assert len(boxes) == len(Role)
    assert not [box for box in boxes if "checked" in box]
    assert "Choose at least one role." in asked
    ticked = re.findall(r'name="roles" value="([a-z]+)"[^>]*checked', asked)
    adam.post(f"{PEOPLE}invite", {"name": "rita", "roles": [*ticked, "reviewer"]})
    assert roles_of(User.objects.get(username="rita")) == {Role.REVIEWER}


@pytest.mark.soak
def test_role_changes_take_effect_immediately(adam: Client) -> None:
    ana, browser = with_password("ana", Role.RESEARCHER), Client()
    browser.force_login(ana)
    assert browser.get("/en/staff/surveys/new").status_code == 200
    led = adam.post(f"{PEOPLE}{ana.pk}/", {"full_name": "Ana", "roles": ["reviewer"]}, follow=True)
    assert "Account ana was changed." in page(led)
    assert browser.get("/en/staff/surveys/new").status_code == 403
    assert roles_of(User.objects.get(pk=ana.pk)) == {Role.REVIEWER}


def test_the_last_administrator_sees_why_they_must_remain(adam: Client) -> None:
    own = User.objects.get().pk
    for answer, status in (
        (adam.post(f"{PEOPLE}{own}/", {"roles": ["reviewer"]}), 422),
        (adam.post(f"{PEOPLE}{own}/stop"), 409),
    ):
        assert answer.status_code == status
        assert "No administrator except adam can log in. Make someone else" in page(answer).replace(
            "</strong></p><p>", " "
        )
    assert adam.post(f"{PEOPLE}{own}/link").status_code == 409


def test_an_administrator_who_stops_themselves_is_logged_out(adam: Client) -> None:
    with_password("berta", Role.ADMINISTRATOR)
    led = adam.post(f"{PEOPLE}{User.objects.get(username='adam').pk}/stop")
    assert led["Location"] == "/en/staff/log-in/"
    assert adam.get(PEOPLE).status_code == 302


def test_locked_accounts_are_marked_and_can_be_unlocked(adam: Client) -> None:
    ana = with_password("ana", Role.RESEARCHER)
    assert "locked until" not in page(adam.get(PEOPLE))
    keep_out("ana")
    assert "locked until" in page(adam.get(PEOPLE))
    adam.post(f"{PEOPLE}{ana.pk}/let-in")
    assert "locked until" not in page(adam.get(PEOPLE))
    keep_out("a name that nobody has")
    assert "There are locked logins" in page(adam.get(PEOPLE))
    adam.post(f"{PEOPLE}unlock-all")
    assert "There are locked logins" not in page(adam.get(PEOPLE))


def test_accounts_that_are_not_staff_return_404(adam: Client) -> None:
    outsider = User.objects.create_user("outsider")
    assert adam.get(f"{PEOPLE}{outsider.pk}/").status_code == 404
    assert adam.get(f"{PEOPLE}4711/").status_code == 404


@pytest.mark.parametrize(
    ("roles", "offered", "empty"),
    [
        ((), set(), "You have no role yet"),
        ((Role.RESEARCHER,), {"Create a survey"}, "You have no surveys yet"),
        ((Role.REVIEWER,), set(), "No rules to review"),
        ((Role.RESEARCHER, Role.REVIEWER), {"Create a survey"}, "You have no surveys yet"),
        ((Role.ADMINISTRATOR,), {"Create a survey", "Invite a person", "People", "Log"}, "No surveys yet"),
    ],
)
def test_the_start_page_offers_what_the_role_allows(
    client: Client, roles: tuple[Role, ...], offered: set[str], empty: str
) -> None:
    client.force_login(member("ana", *roles))
    first = page(client.get("/en/staff/"))
    assert empty in first
    builds = not {Role.RESEARCHER, Role.ADMINISTRATOR}.isdisjoint(roles)
    linked = set(re.findall(r"<a [^>]*>([^<]+)</a>", first))
    if roles:
        offered = offered | {"How it works"}
    if builds:
        offered = offered | {"Publish records"}
    assert linked == offered | {"Sottovoce", "Surveys", "ana", "Skip to the content", "简体中文"}
    published()
    Survey.objects.update(owner=User.objects.get(username="ana"))
    assert ("New survey" in page(client.get("/en/staff/"))) == builds


@pytest.mark.soak
def test_shared_pages_link_only_to_permitted_pages(client: Client) -> None:
    """Pages do not show links that their user may not follow."""
    published()
    ana = member("ana", Role.RESEARCHER)
    Survey.objects.update(owner=ana)
    for user in (ana, member("rita", Role.REVIEWER), member("adam", Role.ADMINISTRATOR)):
        client.force_login(user)
        for shared in ("/en/staff/", "/en/staff/surveys/habits/", "/en/staff/account/"):
            for address in re.findall(r' href="(/[^"#]*)"', page(client.get(shared))):
                if not address.startswith("/static/"):
                    assert client.get(address).status_code == 200, f"{user}: {shared} links to {address}"
