import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.display_settings import is_expert
from surveys.accounts.roles import Role
from surveys.accounts.tokens import use_token
from surveys.models import ApiToken, AuditEvent, StaffPreference, Survey
from tests.fixtures.api_clients import token_for
from tests.fixtures.pages import open_page
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.staff import browser_of, member, with_password

pytestmark = pytest.mark.django_db


PAGE = "/en/staff/account/tokens/"


def test_tokens_are_shown_once_and_belong_to_their_creator() -> None:
    browser = browser_of("ana", Role.RESEARCHER)
    assert "None yet." in browser.get(PAGE).content.decode()
    answer = browser.post(PAGE, {"name": "notebook", "days": "30"})
    (token,) = re.findall(r'value="(sotto_[^"]+)"', answer.content.decode())
    assert answer.headers["Cache-Control"].count("no-store") == 1
    opened = use_token(token, today=timezone.now().date())
    assert opened is not None
    assert opened.user.get_username() == "ana"
    page = browser.get(PAGE).content.decode()
    assert token not in page
    assert "notebook" in page


def test_the_page_shows_institution_users_when_tokens_end() -> None:
    said = "not log in for 30 days, your tokens are revoked"
    assert said in browser_of("ana").get(PAGE).content.decode()
    with_password("ana")
    assert said not in browser_of("ana").get(PAGE).content.decode()


def test_tokens_of_other_users_are_hidden() -> None:
    token_for(member("ben"))
    browser = browser_of("ana", Role.ADMINISTRATOR)
    assert "notebook" not in browser.get(PAGE).content.decode()
    assert browser.post(f"{PAGE}{ApiToken.objects.get().pk}/end").status_code == 404
    assert ApiToken.objects.count() == 1


def test_users_can_revoke_their_own_tokens() -> None:
    browser = browser_of("ana", Role.RESEARCHER)
    token = token_for(member("ana", Role.RESEARCHER))
    led = browser.post(f"{PAGE}{ApiToken.objects.get().pk}/end", follow=True)
    assert "The token was revoked." in led.content.decode()
    assert use_token(token, today=timezone.now().date()) is None


@pytest.mark.parametrize(
    "form",
    [
        {"name": "", "days": "30"},
        {"name": "x" * 61, "days": "30"},
        {"name": "x", "days": "31"},
        {"name": "x", "days": ""},
        {"name": "a\0b", "days": "30"},
    ],
)
def test_invalid_token_requests_are_refused(form: dict[str, str]) -> None:
    assert browser_of("ana").post(PAGE, form).status_code == 422
    assert not ApiToken.objects.exists()


def test_too_many_tokens_are_rejected_with_a_remedy() -> None:
    browser = browser_of("ana")
    for _ in range(20):
        token_for(member("ana"))
    answer = browser.post(PAGE, {"name": "one more", "days": "30"})
    assert answer.status_code == 422
    assert "You have 20 tokens. Revoke one" in answer.content.decode()


ADDRESS = "/en/staff/account/view"


@pytest.fixture
def ana(client: Client) -> User:
    """Log in a new account without any preference."""
    user = member("ana", Role.RESEARCHER)
    StaffPreference.objects.all().delete()
    client.force_login(user)
    return user


@pytest.mark.soak
def test_new_accounts_use_the_plain_view_and_see_the_introduction_once(client: Client, ana: User) -> None:
    assert not is_expert(User.objects.get())
    first = open_page(client, "/en/staff/")
    assert "How it works" in first
    assert first.count('role="img"') == 5
    assert "Switch to expert view" in first
    assert client.post("/en/staff/account/way/seen").headers["Location"] == "/en/staff/"
    again = open_page(client, "/en/staff/")
    assert 'role="img"' not in again
    # The introduction can be opened again, from here and from the account's page.
    own = open_page(client, "/en/staff/account/")
    assert "API tokens" in own
    for page in (again, own):
        assert f'href="{reverse("accounts:way")}"' in page
    assert open_page(client, "/en/staff/account/way/").count('role="img"') == 5


@pytest.mark.soak
def test_the_expert_view_is_kept_with_the_account(client: Client, ana: User) -> None:
    back = "/en/staff/surveys/new"
    assert client.post(ADDRESS, {"view": "expert", "back": back}).headers["Location"] == back
    client.post("/en/staff/account/way/seen")
    assert is_expert(User.objects.get())
    client.logout()
    client.force_login(ana)
    first = open_page(client, "/en/staff/")
    assert "Switch to expert view" not in first
    client.post(ADDRESS, {"view": "plain"})
    assert not is_expert(User.objects.get())
    # Choosing the same interface again does not log a second switch.
    client.post(ADDRESS, {"view": "plain"})
    actions = AuditEvent.objects.filter(target="ana", action__in=("account_expert", "account_plain"))
    assert list(actions.order_by("pk").values_list("action", flat=True)) == [
        "account_expert",
        "account_plain",
    ]


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "none", ""]
)
def test_the_view_switch_never_redirects_to_another_server(client: Client, ana: User, elsewhere: str) -> None:
    answer = client.post(ADDRESS, {"view": "expert", "back": elsewhere})
    assert answer.headers["Location"] == reverse("accounts:account")


def test_invalid_view_requests_keep_the_plain_view(client: Client, ana: User) -> None:
    client.post(ADDRESS, {"view": "<b>"})
    assert not is_expert(User.objects.get())
    assert client.get(ADDRESS).status_code == 405


@pytest.mark.soak
def test_every_page_opens_in_the_plain_view(client: Client, ana: User) -> None:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    Survey.objects.update(owner=ana)
    runs = f"/en/staff/runs/{run.pk}/"
    for path in (
        "/en/staff/account/tokens/",
        *(f"/en/staff/runs/{run.pk}/{page}" for page in ("", "itemsets/", "tests/", "regression/")),
    ):
        assert client.get(path).status_code == 200, path
    # Expert pages link to related pages, so that users do not get lost.
    assert reverse("report:regression", args=[run.pk]) in open_page(
        client, f"/en/staff/runs/{run.pk}/itemsets/"
    )
    results = open_page(client, f"{runs}results/")
    assert reverse("report:itemsets", args=[run.pk]) not in results
    for name, argument in (
        ("export:data", "habits"),
        ("export:documents", "habits"),
        ("report:printed", run.pk),
    ):
        assert reverse(name, args=[argument]) in results, name
