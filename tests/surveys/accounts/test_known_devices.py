import pytest
from django.http import HttpResponse
from django.test import Client

from surveys.accounts.known_devices import COOKIE, device_of
from surveys.accounts.roles import Role
from tests.fixtures.staff import PASSWORD, with_password

pytestmark = pytest.mark.django_db


PAGE = "/en/staff/log-in/"


def tried(client: Client, name: str, password: str = "wrong", *, address: str = "192.0.2.7") -> HttpResponse:
    return client.post(PAGE, {"username": name, "password": password}, REMOTE_ADDR=address)


@pytest.mark.soak
def test_device_cookies_identify_known_devices_only_to_the_log_in_page(client: Client) -> None:
    with_password("ana", Role.RESEARCHER)
    with_password("ben", Role.RESEARCHER)
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
