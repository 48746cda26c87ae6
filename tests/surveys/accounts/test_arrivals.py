import pytest
from django.http import HttpResponse
from django.test import Client

from surveys.accounts.arrivals import ArrivalCounts, rank_of
from surveys.accounts.known_devices import COOKIE
from surveys.accounts.roles import Role
from surveys.policy import MOST_OF_NAME_AT_ADDRESS
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db


PAGE = "/en/staff/log-in/"


def tried(client: Client, name: str, password: str = "wrong", *, address: str = "192.0.2.7") -> HttpResponse:
    return client.post(PAGE, {"username": name, "password": password}, REMOTE_ADDR=address)


@pytest.mark.soak
def test_known_devices_go_first_then_rare_then_recent_visitors(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
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


def test_a_stolen_cookie_gets_priority_only_up_to_the_failure_limit(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    cookie = tried(client, "ana", PASSWORD).cookies[COOKIE]
    arrivals = ArrivalCounts(forget_after=900, most=100)
    flood = [
        rank_of({"REMOTE_ADDR": "192.0.2.1", "HTTP_COOKIE": f"{COOKIE}={cookie.value}"}, arrivals)
        for _time in range(100)
    ]
    stranger = rank_of({"REMOTE_ADDR": "198.51.100.1"}, arrivals)
    assert sum(rank < stranger for rank in flood) == MOST_OF_NAME_AT_ADDRESS
