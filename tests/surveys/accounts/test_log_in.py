"""The log-in page: what it lets in, what it counts, and what it does not tell."""

import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from surveys.accounts.lock_out import MOST_OF_NAME_AT_ADDRESS
from surveys.accounts.log_in import address_of
from surveys.accounts.roles import Role
from surveys.models import AuditEvent
from tests.surveys.accounts.people import PASSWORD, able

pytestmark = pytest.mark.django_db
PAGE = "/en/staff/log-in/"


def tried(client: Client, name: str, password: str = "wrong", *, address: str = "192.0.2.7") -> HttpResponse:
    return client.post(PAGE, {"username": name, "password": password}, REMOTE_ADDR=address)


def text_of(response: HttpResponse, name: str) -> str:
    """Return the page without what differs each time, and without the name that was typed."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())
    return page.replace(name, "NAME")


def test_every_log_in_has_its_event_and_no_event_has_what_was_typed(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    tried(client, "ana")
    tried(client, "my pass phrase")
    tried(client, "ana", PASSWORD)
    assert client.session["_auth_user_id"]
    assert [(e.actor, e.action, e.target, e.detail) for e in AuditEvent.objects.order_by("pk")] == [
        ("log-in page", "log_in_fail", "ana", {}),
        ("log-in page", "log_in_fail", "no such account", {}),
        ("ana", "log_in", "ana", {}),
    ]


def test_who_fails_too_often_is_told_for_how_long_even_with_the_right_password(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    for _time in range(MOST_OF_NAME_AT_ADDRESS):
        assert tried(client, "ana").status_code == 200
    refused = tried(client, "ana", PASSWORD)
    assert refused.status_code == 429
    assert 890 <= int(refused["Retry-After"]) <= 900
    assert "Try again in 15 minutes, or ask an administrator." in refused.content.decode()
    assert "_auth_user_id" not in client.session
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["log_in_fail"] * 4 + ["log_in_keep_out"]
    assert tried(Client(), "ana", PASSWORD, address="198.51.100.1").status_code == 302


def test_the_page_is_the_same_for_names_that_somebody_has_and_that_nobody_has(client: Client) -> None:
    """Through every state: wrong, wrong again, kept out; stopped, not staff and without a password too."""
    able("exists", Role.RESEARCHER)
    stopped = able("stopped", Role.RESEARCHER)
    stopped.is_active = False
    stopped.save()
    User.objects.create_user("outside", password=PASSWORD)
    User.objects.create_user("invited", is_staff=True)
    seen = {}
    for place, name in enumerate(("exists", "nobody", "stopped", "outside", "invited")):
        password = PASSWORD if name in ("stopped", "outside") else "wrong"
        answers = [tried(Client(), name, password, address=f"192.0.2.{place}") for _time in range(7)]
        seen[name] = [(answer.status_code, text_of(answer, name)) for answer in answers]
    assert [status for status, _text in seen["nobody"]] == [200] * 5 + [429] * 2
    for name, answers in seen.items():
        assert answers == seen["nobody"], name


def test_a_log_in_that_works_forgets_those_that_did_not(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    for _round in range(2):
        for _time in range(MOST_OF_NAME_AT_ADDRESS - 1):
            tried(client, "ana")
        assert tried(client, "ana", PASSWORD).status_code == 302


def test_an_empty_field_is_no_attempt(client: Client) -> None:
    for _time in range(MOST_OF_NAME_AT_ADDRESS + 1):
        assert tried(client, "ana", "").status_code == 200
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize(
    ("https", "named", "address"),
    [
        (False, "198.51.100.1", "192.0.2.7"),
        (True, "198.51.100.1", "198.51.100.1"),
        (True, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (True, "", "192.0.2.7"),
    ],
)
def test_only_the_proxy_says_where_a_log_in_comes_from(
    settings: Settings, https: bool, named: str, address: str
) -> None:
    """Whoever could name an address of their own would never be kept out."""
    settings.HTTPS = https
    request = RequestFactory().get(PAGE, REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=named)
    assert address_of(request) == address
