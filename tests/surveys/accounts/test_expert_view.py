"""What the plain and the expert interface show; neither blocks any page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.accounts.permissions import Role, is_expert
from surveys.models import AuditEvent, StaffPreference, Survey
from tests.fixtures.pages import open_page
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ADDRESS = "/en/staff/account/view"


@pytest.fixture
def ana(client: Client) -> User:
    """Log in a new account without any preference."""
    user = member("ana", Role.RESEARCHER)
    StaffPreference.objects.all().delete()
    client.force_login(user)
    return user


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
