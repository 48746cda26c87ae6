"""Submissions over real HTTP: parallel bodies under one key, killed servers, and leftover state."""

import http.client
import ipaddress
import random
import secrets
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from surveys.intake.mix import mix
from surveys.models import Inbox, Receipt, Version
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, sealed_body, wide_definition
from tests.fixtures.inbox_rows import waiting_counted, waiting_rows
from tests.fixtures.threads import in_parallel
from tests.fixtures.traces import kept_files, occurrences
from tests.fixtures.web_server import FAST, WebServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]


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


def test_the_server_logs_nothing_about_submissions(version: Version, server: WebServer) -> None:
    before = server.log.read_bytes()
    for raw in (request_of(version), b"{}", request_of(version, design_id="0" * 64)):
        server.post(raw)
    assert server.log.read_bytes() == before


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
