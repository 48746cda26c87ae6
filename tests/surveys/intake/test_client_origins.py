"""Third-party clients: listed origins may read and send, and other origins are refused."""

from typing import Any

import pytest
from django.test import Client

from surveys.environment import env_origins
from surveys.models import Inbox, Version
from tests.fixtures.devices import CONTENT_TYPE, request_of

PAGE = "https://page.example.org"
OTHERS = (
    "https://page.example.org.evil.example",
    "http://page.example.org",
    "null",
    "https://PAGE.example.org",
)
SUBMIT = "/api/submissions"
STATE = "/client/surveys/work"
CORS = ("Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers")


@pytest.fixture(autouse=True)
def listed(settings: Any) -> None:
    settings.SOTTOVOCE_CLIENT_ORIGINS = [PAGE]


def asked(address: str, method: str, origin: str = PAGE) -> Any:
    """Send a browser's preflight request."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type",
    }
    return Client().options(address, headers=headers)


def sent(version: Version, **headers: str) -> Any:
    client = Client(enforce_csrf_checks=True)
    return client.generic("POST", SUBMIT, request_of(version), content_type=CONTENT_TYPE, headers=headers)


@pytest.mark.parametrize(("address", "method"), [(SUBMIT, "POST"), (STATE, "GET")])
def test_listed_origins_can_use_one_method_without_credentials(
    version: Version, address: str, method: str
) -> None:
    response = asked(address, method)
    assert response.status_code == 204
    assert [response.headers[name] for name in CORS] == [PAGE, method, "Content-Type"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Origin" in response.headers["Vary"]


@pytest.mark.parametrize("origin", OTHERS)
@pytest.mark.parametrize(("address", "method"), [(SUBMIT, "POST"), (STATE, "GET")])
def test_unlisted_origins_are_refused_without_cors_headers(
    version: Version, address: str, method: str, origin: str
) -> None:
    response = asked(address, method, origin)
    assert response.status_code == 405
    assert not set(CORS) & set(response.headers)


@pytest.mark.parametrize(("address", "method"), [(SUBMIT, "GET"), (SUBMIT, "DELETE"), (STATE, "POST")])
def test_preflights_for_other_methods_are_rejected(version: Version, address: str, method: str) -> None:
    response = asked(address, method)
    assert response.status_code == 405
    assert "Access-Control-Allow-Methods" not in response.headers


@pytest.mark.parametrize("address", ["/en/s/work/", "/en/staff/surveys.json", "/en/staff/log-in/"])
def test_other_urls_send_no_cors_headers(version: Version, address: str) -> None:
    for response in (asked(address, "POST"), Client().get(address, headers={"Origin": PAGE})):
        assert not set(CORS) & set(response.headers)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_listed_origins_can_submit_and_read_the_response(version: Version, site: str) -> None:
    response = sent(version, **{"Origin": PAGE, "Sec-Fetch-Site": site})
    assert (response.status_code, response.json()) == (200, {"status": "received"})
    assert response.headers["Access-Control-Allow-Origin"] == PAGE
    assert response.headers["Access-Control-Expose-Headers"] == "Retry-After"
    assert Inbox.objects.count() == 1


@pytest.mark.parametrize("origin", [*OTHERS, None])
def test_other_origins_are_rejected_and_cannot_read_the_reason(version: Version, origin: str | None) -> None:
    response = sent(version, **({"Origin": origin} if origin else {}), **{"Sec-Fetch-Site": "cross-site"})
    assert (response.status_code, response.json()["error"]) == (403, "cross_site")
    assert not set(CORS) & set(response.headers)
    assert Inbox.objects.count() == 0


def test_listed_origins_can_read_error_responses(version: Version) -> None:
    """Otherwise a device could not distinguish a used invitation from a network failure."""
    client = Client()
    response = client.generic("POST", SUBMIT, b"{}", content_type=CONTENT_TYPE, headers={"Origin": PAGE})
    assert response.status_code == 400
    assert response.headers["Access-Control-Allow-Origin"] == PAGE


def test_without_listed_origins_cross_site_requests_are_refused(version: Version, settings: Any) -> None:
    settings.SOTTOVOCE_CLIENT_ORIGINS = []
    response = sent(version, **{"Origin": PAGE, "Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert "Origin" not in response.headers.get("Vary", "")
    assert asked(STATE, "GET").status_code == asked(SUBMIT, "POST").status_code == 405


def test_requests_without_an_initiator_page_are_refused(version: Version) -> None:
    assert sent(version, **{"Origin": PAGE, "Sec-Fetch-Site": "none"}).status_code == 403


def test_several_origins_and_localhost_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_CLIENT_ORIGINS", f"{PAGE},https://b.example:8443, http://localhost:8001")
    assert env_origins("SOTTOVOCE_CLIENT_ORIGINS") == [
        PAGE,
        "https://b.example:8443",
        "http://localhost:8001",
    ]
