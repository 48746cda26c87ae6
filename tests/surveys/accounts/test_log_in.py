"""The log-in page: whom it admits, which attempts it counts, and which facts it hides."""

import contextlib
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from surveys.accounts.lock_out import COOKIE, ArrivalCounts, address_of, device_of, rank_of
from surveys.accounts.permissions import Role
from surveys.models import AuditEvent
from surveys.policy import MOST_OF_ADDRESS, MOST_OF_NAME, MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.staff import PASSWORD, able

pytestmark = pytest.mark.django_db
PAGE = "/en/staff/log-in/"


def tried(client: Client, name: str, password: str = "wrong", *, address: str = "192.0.2.7") -> HttpResponse:
    return client.post(PAGE, {"username": name, "password": password}, REMOTE_ADDR=address)


@contextlib.contextmanager
def counted_hashings() -> Iterator[list[str]]:
    """Count how often a password is hashed, by whichever way."""
    hashed: list[str] = []
    hasher = type(get_hasher())

    def encode(self: object, password: str, salt: str, *rest: object) -> str:
        hashed.append(salt)
        return real(self, password, salt, *rest)

    real = hasher.encode
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hasher, "encode", encode)
        yield hashed


def text_of(response: HttpResponse, name: str) -> str:
    """Return the page without what differs each time, and without the name that was typed."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())
    return page.replace(name, "NAME")


def test_every_log_in_to_an_account_has_its_event_and_no_event_has_what_was_typed(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    tried(client, "ana")
    tried(client, "my pass phrase")
    tried(client, "ana", PASSWORD)
    assert client.session["_auth_user_id"]
    assert [(e.actor, e.action, e.target, e.detail) for e in AuditEvent.objects.order_by("pk")] == [
        ("log-in page", "log_in_fail", "ana", {}),
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


def test_names_that_nobody_has_leave_nothing_in_the_log(client: Client) -> None:
    """Attackers could fill a log from which no one may delete entries."""
    for place in range(3):
        for number in range(MOST_OF_ADDRESS + 1):
            tried(client, f"nobody-{number}", address=f"192.0.2.{place}")
    assert not AuditEvent.objects.exists()


def test_a_name_that_somebody_has_takes_as_many_statements_as_one_that_nobody_has(client: Client) -> None:
    """All but the event itself, in the transaction that both have: one hashing, one commit after it."""
    able("exists", Role.RESEARCHER)
    tried(client, "exists", address="192.0.2.1")
    did = {}
    for name in ("exists", "nobody"):
        with CaptureQueriesContext(connection) as queries, counted_hashings() as hashings:
            tried(Client(), name)
        did[name] = [
            re.sub(r"'[^']*'|s[0-9]+_x[0-9]+|= [0-9]+|[0-9a-f]{64}", "?", one["sql"])[:60] for one in queries
        ]
        assert len(hashings) == 1
    event = [sql for sql in did["exists"] if "surveys_auditevent" in sql]
    assert len(event) == 1
    did["exists"].remove(event[0])
    assert did["exists"] == did["nobody"]


def test_a_device_that_logged_in_before_is_known_to_the_page_and_to_no_other(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    able("ben", Role.RESEARCHER)
    cookie = tried(client, "ana", PASSWORD).cookies[COOKIE]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (PAGE, True, "Strict")
    device = device_of({COOKIE: cookie.value}, name="ana")
    assert device
    assert device == device_of({COOKIE: cookie.value})
    assert device_of({COOKIE: cookie.value}, name="ben") == ""
    for forged in ("", "x", cookie.value[:-1], cookie.value.swapcase(), f"{cookie.value}x"):
        assert device_of({COOKIE: forged}) == ""
    assert "ana" not in cookie.value
    again = tried(client, "ana", PASSWORD).cookies[COOKIE]
    assert device_of({COOKIE: again.value}, name="ana") == device


def test_guesses_made_elsewhere_do_not_keep_out_who_is_known_by_their_device(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    tried(client, "ana", PASSWORD)
    for place in range(MOST_OF_NAME // MOST_OF_NAME_AT_ADDRESS):
        for _time in range(MOST_OF_NAME_AT_ADDRESS):
            tried(Client(), "ana", address=f"198.51.100.{place}")
    assert tried(Client(), "ana", PASSWORD, address="203.0.113.1").status_code == 429
    assert tried(client, "ana", PASSWORD, address="203.0.113.1").status_code == 302
    # The device guesses no more often than others.
    for _time in range(MOST_OF_NAME_AT_ADDRESS):
        assert tried(client, "ana").status_code == 200
    assert tried(client, "ana", PASSWORD).status_code == 429


def test_known_devices_go_first_then_who_asked_least_often_then_who_came_last(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    cookie = tried(client, "ana", PASSWORD).cookies[COOKIE]
    arrivals = ArrivalCounts(forget_after=900, most=100)
    known = {"REMOTE_ADDR": "192.0.2.1", "HTTP_COOKIE": f"a=b; {COOKIE}={cookie.value}"}
    came = [
        ("flood", {"REMOTE_ADDR": "192.0.2.1"}),
        ("flood", {"REMOTE_ADDR": "192.0.2.1"}),
        ("mistyped", known),
        ("earlier", {"REMOTE_ADDR": "192.0.2.2"}),
        ("later", {"REMOTE_ADDR": "2001:db8::1"}),
        ("known", known),
        ("later's network", {"REMOTE_ADDR": "2001:db8::2"}),
        ("forged", {"REMOTE_ADDR": "192.0.2.1", "HTTP_COOKIE": f"{COOKIE}={cookie.value[:-2]}"}),
    ]
    ranked = sorted((rank_of(meta, arrivals), name) for name, meta in came)
    order = [name for _rank, name in ranked]
    assert order == ["mistyped", "known", "later", "earlier", "flood", "later's network", "flood", "forged"]


def test_a_stolen_cookie_goes_before_strangers_as_often_as_its_device_may_fail(client: Client) -> None:
    able("ana", Role.RESEARCHER)
    cookie = tried(client, "ana", PASSWORD).cookies[COOKIE]
    arrivals = ArrivalCounts(forget_after=900, most=100)
    flood = [
        rank_of({"REMOTE_ADDR": "192.0.2.1", "HTTP_COOKIE": f"{COOKIE}={cookie.value}"}, arrivals)
        for _time in range(100)
    ]
    stranger = rank_of({"REMOTE_ADDR": "198.51.100.1"}, arrivals)
    assert sum(rank < stranger for rank in flood) == MOST_OF_NAME_AT_ADDRESS


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
    """An attacker who could choose their own address would never be locked out."""
    settings.HTTPS = https
    request = RequestFactory().get(PAGE, REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=named)
    assert address_of(request.META) == address
