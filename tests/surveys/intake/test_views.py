"""The address /api/submissions, as browsers and others use it."""

import json
from typing import Any

import pytest
from django.test import Client, override_settings

from surveys.intake import views
from surveys.models import Inbox, Receipt, Version
from tests.fixtures.devices import CONTENT_TYPE, request_of

URL = "/api/submissions"


def post(
    raw: bytes, *, content_type: str = CONTENT_TYPE, client: Client | None = None, **headers: str
) -> Any:
    return (client or Client(enforce_csrf_checks=True)).generic(
        "POST", URL, raw, content_type=content_type, headers=headers
    )


def test_a_submission_without_cookie_or_token_is_received(version: Version) -> None:
    response = post(request_of(version), **{"Sec-Fetch-Site": "same-origin"})
    assert (response.status_code, response.json()) == (200, {"status": "received"})
    assert Receipt.objects.count() == Inbox.objects.count() == 1


def test_responses_set_no_cookies_and_forbid_caching(version: Version) -> None:
    client = Client()
    client.cookies["sessionid"] = "of somebody who is logged in"
    client.cookies["csrftoken"] = "x" * 32
    for raw in (request_of(version), b"{}"):
        response = post(raw, client=client)
        assert not response.cookies
        assert "Set-Cookie" not in response.headers
        assert "Cookie" not in response.headers.get("Vary", "")
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Content-Type"] == "application/json"


def test_submissions_ignore_session_cookies(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the session was opened")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", read)
    client = Client()
    client.cookies["sessionid"] = "x" * 32
    assert post(request_of(version), client=client).status_code == 200


def test_submissions_bypass_sessions_log_ins_and_messages(version: Version) -> None:
    response = post(request_of(version))
    assert response.status_code == 200
    assert not {"session", "user", "_messages"} & set(vars(response.wsgi_request))
    assert "form-action 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_requests_for_unknown_hosts_are_refused(version: Version) -> None:
    assert post(request_of(version), Host="elsewhere.example").status_code == 400
    assert not Receipt.objects.exists()


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_get_405_with_the_allowed_method(method: str) -> None:
    response = Client().generic(method, URL)
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403, "cross_site"),
        ({"content_type": "application/json"}, 415, "content_type"),
        ({"content_type": "text/plain"}, 415, "content_type"),
    ],
)
def test_cross_site_form_submissions_are_refused(
    version: Version, options: dict[str, str], status: int, code: str
) -> None:
    response = post(request_of(version), **options)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert Inbox.objects.count() == 0


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [(b"{}", 400, "malformed"), (b" " * 65_537, 413, "too_large"), (b"\xff", 400, "not_utf8")],
)
def test_refusals_contain_code_message_and_remedy(db: None, raw: bytes, status: int, code: str) -> None:
    response = post(raw)
    assert response.status_code == status
    answer = json.loads(response.content)
    assert set(answer) == {"error", "message", "remedy"}
    assert answer["error"] == code


def test_the_url_has_no_language_prefix_and_no_trailing_slash() -> None:
    assert Client().post("/en/api/submissions").status_code == 404
    assert Client().post("/api/submissions/").status_code == 404


def test_excess_submissions_get_a_retry_time(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    views.process_limiter.cache_clear()
    with override_settings(SUBMISSIONS_PER_SECOND=1, SUBMISSION_BURST=1, SUBMISSION_CAP=10):
        assert post(request_of(version)).status_code == 200
        refused = post(request_of(version))
    views.process_limiter.cache_clear()
    assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
    assert int(refused.headers["Retry-After"]) in (1, 2)
    assert Inbox.objects.count() == 1
