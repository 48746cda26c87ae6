import gzip

import pytest
from django.db import OperationalError, ProgrammingError
from django.test import Client
from django.urls import URLResolver, get_resolver

from surveys.extension import extensions
from surveys.server import middleware
from surveys.server.middleware import STAFF_NAMESPACES
from surveys.server.outages import FaultsOnly
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db

STRICT = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
}


def policy(response: object) -> set[str]:
    return {part.strip() for part in response["Content-Security-Policy"].split(";")}


@pytest.mark.parametrize("path", ["/ready", "/en/", "/zh-hans/", "/no-such-page", "/client/surveys/none"])
def test_the_strictest_content_policy_is_the_default(client: Client, path: str) -> None:
    assert policy(client.get(path)) == STRICT


@pytest.mark.parametrize("path", ["/en/admin/login/", "/en/staff/log-in/"])
def test_staff_pages_relax_only_form_action_to_self(client: Client, path: str) -> None:
    response = client.get(path)
    assert policy(response) == STRICT - {"form-action 'none'"} | {"form-action 'self'"}
    # With "no-referrer" browsers send Origin: null with forms, which the CSRF check refuses.
    assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/en/", "/ready"])
def test_public_pages_set_no_cookies_and_send_no_referrer(client: Client, path: str) -> None:
    response = client.get(path)
    assert not response.cookies
    assert response["Referrer-Policy"] == "no-referrer"


@pytest.mark.django_db
def test_chinese_sentences_have_no_spaces_between_them(client: Client) -> None:
    page = client.get("/zh-hans/").content.decode()
    assert "。" in page
    assert "。 " not in page


def test_content_length_matches_a_chinese_page_without_spaces(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "without_blanks", lambda page: page.replace("。", ""))
    response = client.get("/zh-hans/")
    assert int(response["Content-Length"]) == len(response.content)


def test_the_chinese_respondent_page_is_sent_exactly_as_built(client: Client) -> None:
    published(shipped_definition(slug="work"))
    page = client.get("/zh-hans/s/work/")
    packed = client.get("/zh-hans/s/work/", headers={"Accept-Encoding": "gzip"})
    assert (page.status_code, packed["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(packed.content) == page.content


def test_the_form_policy_covers_every_staff_package() -> None:
    """Only browsers enforce form-action, so users would be the first to notice a missing package."""
    of_languages = [one for one in get_resolver().url_patterns if isinstance(one, URLResolver)]
    below = [
        package for one in of_languages for package in one.url_patterns if isinstance(package, URLResolver)
    ]
    packages = {package.namespace for package in below if str(package.pattern) == "staff/"}
    assert {"accounts", "authoring", "export", "report"} <= packages
    assert packages == STAFF_NAMESPACES.union(*(app.pages for app in extensions())) - {"admin"}


@pytest.mark.parametrize(
    ("error", "status"),
    [(OperationalError("unable to open database file"), 503), (ProgrammingError("planted"), 500)],
    ids=["outage", "fault"],
)
def test_an_outage_gives_503_without_a_trace_and_an_error_500_with_one(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr("surveys.respondent.views.client_state", fail)
    answer = Client(raise_request_exception=False).get("/client/surveys/everyday")
    assert answer.status_code == status
    written = [record for record in caplog.records if FaultsOnly().filter(record)]
    if status == 503:
        assert int(answer["Retry-After"]) > 0
        assert b"in a minute" in answer.content
        assert written == []
    else:
        assert [record.name for record in written] == ["django.request"]
