"""The address /api/submissions, as browsers and others use it."""

import http.client
import ipaddress
import json
import random
import secrets
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone

from surveys.intake import views
from surveys.intake.mix import mix
from surveys.models import Inbox, Receipt, Version
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, sealed_body, wide_definition
from tests.fixtures.inbox_rows import waiting_counted, waiting_rows
from tests.fixtures.threads import in_parallel
from tests.fixtures.traces import kept_files, occurrences
from tests.fixtures.web_server import FAST, WebServer

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


@pytest.fixture
def version(transactional_db: None) -> Version:
    return published(wide_definition("wide", questions=90))


@pytest.fixture
def server(version: Version, tmp_path: Path) -> Iterator[WebServer]:
    with WebServer(tmp_path / "web.log", **FAST) as server:
        yield server


def two_bodies(version: Version) -> list[bytes]:
    """Return two requests with one key and different bodies."""
    key, rng, design = secrets.token_hex(16), random.Random(secrets.randbits(32)), version.to_design()
    return [request_of(version, key=key, body=sealed_body(design, rng).hex()) for _ in range(2)]


def body_of(raw: bytes) -> bytes:
    return bytes.fromhex(raw.split(b'"body":"')[1].split(b'"')[0].decode())


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_parallel_posts_under_one_key_store_one_row(
    version: Version, server: WebServer, tmp_path: Path
) -> None:
    requests = two_bodies(version)
    answers: list[tuple[bytes, int]] = []

    def post(raw: bytes) -> None:
        answers.append((raw, server.post(raw)[0]))

    in_parallel([lambda raw=requests[number % 2]: post(raw) for number in range(50)])
    winners = {raw for raw, status in answers if status == 200}
    assert len(winners) == 1
    assert Counter(status for _raw, status in answers) == {200: 25, 409: 25}
    winner = winners.pop()
    assert Receipt.objects.count() == 1
    assert waiting_rows() == [body_of(winner)]
    loser = requests[1 - requests.index(winner)]
    files = kept_files([tmp_path, settings.SOTTOVOCE_HOME])
    [box] = Inbox.objects.values_list("box", flat=True)
    assert occurrences([bytes(box)], files), "the search finds what is there"
    assert occurrences([body_of(winner), body_of(loser)], files) == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_a_killed_server_neither_loses_nor_duplicates_answers(
    version: Version, server: WebServer, soak: int
) -> None:
    kills = 2 * min(soak, 5)
    rng = random.Random(0)
    sent: list[bytes] = []
    lost_answers = 0
    stop = threading.Event()

    def device() -> None:
        # Seals one body after another, and sends the same bytes until they are received.
        nonlocal lost_answers
        while not stop.is_set():
            raw = request_of(version)
            sent.append(raw)
            while True:
                try:
                    status, _body, headers = server.post(raw)
                except (OSError, http.client.HTTPException):
                    lost_answers += 1
                    time.sleep(0.02)
                    continue
                if status == 503:
                    time.sleep(float(headers["retry-after"]))
                    continue
                assert status == 200, status
                break

    def reaper() -> None:
        try:
            for _ in range(kills):
                time.sleep(0.2 + rng.random() / 4)
                server.kill()
                server.start()
        finally:
            stop.set()

    in_parallel([reaper, *[device] * 6])
    assert lost_answers >= kills, "the kills hit devices that were sending"
    assert Receipt.objects.count() == len(sent)
    stored = waiting_counted()
    assert stored == Counter(map(body_of, sent))


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_no_respondent_address_agent_or_cookie_is_stored(
    version: Version, server: WebServer, tmp_path: Path
) -> None:
    address, agent, cookie = "2001:db8:77::5077:cafe", "Lynx/9.9.9 (telltale)", "sessionid=telltalecookie"
    # On Linux every 127.x.y.z is this machine, so the connection can have a unique address.
    server.client_address = "127.7.7.7" if sys.platform == "linux" else None
    headers = {
        "X-Forwarded-For": address,
        "X-Real-IP": address,
        "Forwarded": f'for="[{address}]"',
        "User-Agent": agent,
        "Cookie": cookie,
        "Referer": "http://telltale.example/",
    }
    raw = request_of(version)
    members = raw.replace(b"}", b',"more":"x"}')
    for body, status in ((raw, 200), (raw, 200), (members, 400), (request_of(version, body="00"), 422)):
        answered, _body, answer_headers = server.post(body, **headers)
        assert answered == status
        assert "set-cookie" not in {name.lower() for name in answer_headers}
    for _ in range(100):
        server.post(request_of(version), **headers)
    before_mix = kept_files([tmp_path, settings.SOTTOVOCE_HOME])
    mix(now=timezone.now())
    after_mix = kept_files([tmp_path, settings.SOTTOVOCE_HOME])
    nonce = raw.split(b'"nonce":"')[1].split(b'"')[0]
    for files in (before_mix, after_mix):
        for trace in (
            address.encode(),
            ipaddress.ip_address(address).packed,
            b"127.7.7.7",
            agent.encode(),
            b"telltale",
            nonce,
            bytes.fromhex(nonce.decode()),
        ):
            assert [path for path, content in files.items() if trace in content] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_the_server_logs_nothing_about_submissions(version: Version, server: WebServer) -> None:
    before = server.log.read_bytes()
    for raw in (request_of(version), b"{}", request_of(version, design_id="0" * 64)):
        server.post(raw)
    assert server.log.read_bytes() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_chunked_and_oversized_bodies_are_rejected(version: Version, server: WebServer) -> None:
    def answer(request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", server.port), timeout=300) as link:
            link.sendall(request)
            return link.recv(4096).split(b"\r\n")[0]

    head = f"POST /api/submissions HTTP/1.1\r\nHost: localhost\r\nContent-Type: {CONTENT_TYPE}\r\n"
    chunk = b"a" * 60_000
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"".join(
        b"%x\r\n%s\r\n" % (len(chunk), chunk) for _ in range(2)
    )
    assert b" 400 " in answer(chunked + b"0\r\n\r\n")
    # The server responds without waiting for the announced gigabyte.
    assert b" 413 " in answer(f"{head}Content-Length: 1000000000\r\n\r\n".encode())
    assert Receipt.objects.count() == 0
