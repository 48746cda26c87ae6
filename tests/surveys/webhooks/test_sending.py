"""Sending to an address that somebody wrote down: what is refused, and what an answer means."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from surveys.errors.error import SurveyError
from surveys.webhooks import sending
from surveys.webhooks.sending import MOST_BODY, Allowed, Sent, address_check, is_public, send
from tests.cast.receiver import Receiver, receiver

STRICT = Allowed(private=False, http=False)
HERE = Allowed(private=True, http=True)
BODY = b'{"type": "test"}'


@pytest.fixture
def told() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def test_a_message_arrives_as_it_was_made(told: Receiver) -> None:
    assert send(told.url, BODY, {"webhook-id": "msg_1"}, allowed=HERE) == Sent(status=200)
    ((headers, body),) = told.arrived
    assert body == BODY
    assert (headers["webhook-id"], headers["content-type"]) == ("msg_1", "application/json")
    assert headers["host"] == f"127.0.0.1:{told.port}"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_what_begins_with_two_has_arrived(told: Receiver, status: int) -> None:
    told.statuses.append(status)
    assert send(told.url, BODY, {}, allowed=HERE).arrived


@pytest.mark.parametrize("status", [400, 401, 404, 410, 429, 500, 503])
def test_a_refusal_is_one(told: Receiver, status: int) -> None:
    told.statuses.append(status)
    assert send(told.url, BODY, {}, allowed=HERE) == Sent(status=status, problem="status")


def test_a_redirect_is_not_followed(told: Receiver) -> None:
    with receiver() as elsewhere:
        for status in (301, 302, 303, 307, 308):
            told.statuses, told.headers = [status], {"Location": elsewhere.url}
            assert send(told.url, BODY, {}, allowed=HERE) == Sent(status=status, problem="redirect")
        assert elsewhere.arrived == []


PRIVATE = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[ff02::1]",
    "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2002:a00:1::]",
]  # fmt: skip


@pytest.mark.parametrize("host", PRIVATE)
def test_an_address_of_this_network_is_refused_when_it_is_written_and_when_it_is_sent(host: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        address_check(f"https://{host}/", allowed=STRICT)
    assert refusal.value.code == "webhook_address"
    assert send(f"https://{host}/", BODY, {}, allowed=STRICT) == Sent(problem="private")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1", "017700000001"])
def test_a_name_for_this_machine_is_refused_by_what_it_resolves_to(host: str) -> None:
    with receiver() as told:
        url = f"http://{host}:{told.port}/"
        found = send(url, BODY, {}, allowed=Allowed(private=False, http=True))
        assert found.problem in ("private", "name")
        assert told.arrived == []


def test_one_private_address_spoils_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(host: str, port: int, **_more: object) -> list[object]:
        return [(2, 1, 6, "", ("93.184.215.14", port)), (2, 1, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    assert send("https://both.example/", BODY, {}, allowed=STRICT) == Sent(problem="private")


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public when it is checked and private when it is used: rebinding."""
    asked: list[str] = []
    connected: list[str] = []

    def once(host: str, port: int, **_more: object) -> list[object]:
        asked.append(host)
        return [(2, 1, 6, "", ("93.184.215.14" if len(asked) == 1 else "127.0.0.1", port))]

    def connect(place: tuple[str, int], **_more: object) -> socket.socket:
        connected.append(place[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", once)
    monkeypatch.setattr(socket, "create_connection", connect)
    assert send("https://rebinding.example/", BODY, {}, allowed=STRICT) == Sent(problem="connection")
    assert (asked, connected) == (["rebinding.example"], ["93.184.215.14"])


@pytest.mark.parametrize(
    "url",
    [
        "http://receiver.example/", "ftp://receiver.example/", "file:///etc/passwd", "//receiver.example/",
        "receiver.example", "", "https://", "https:///path", "https://user@receiver.example/",
        "https://user:secret@receiver.example/", "https://receiver.example:0/", "https://receiver.example:x/",
        "https://receiver.example:99999/", "https://receiver.example/#part", "https://receiver.example/ a",
        "https://receiver.example/\r\nHost: other", "https://réceiver.example/", "https://[::1", "https://[x]/",
        "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_is_no_address_to_tell_is_refused(url: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        address_check(url, allowed=STRICT)
    assert refusal.value.code == "webhook_address"
    assert refusal.value.remedy
    assert send(url, BODY, {}, allowed=STRICT) == Sent(problem="address")


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for url in (text, f"https://{text}", f"https://receiver.example{text}"):
        try:
            parts = address_check(url, allowed=STRICT)
        except SurveyError:
            continue
        assert parts.scheme == "https"
        assert parts.hostname
        assert "@" not in parts.netloc


@given(st.ip_addresses())
def test_no_address_outside_the_public_internet_counts_as_of_it(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if is_public(address):
        private = address.is_private, address.is_loopback, address.is_link_local
        nobodys = address.is_multicast, address.is_unspecified, address.is_reserved
        assert not any(private + nobodys)


@pytest.mark.parametrize(
    "at_once", [b"", b"HTTP/1.1 200 OK\r\n"], ids=["from the first byte", "after its status"]
)
def test_an_answer_that_drips_is_cut_off_after_the_time_of_the_whole(told: Receiver, at_once: bytes) -> None:
    """Each byte comes within the time of a socket; the whole does not."""

    def drip(handler: BaseHTTPRequestHandler) -> None:
        try:
            handler.wfile.write(at_once)
            for sign in (b"HTTP/1.1 200 OK\r\n" + b"X-A: 1\r\n" * 200)[len(at_once) :]:
                handler.wfile.write(bytes([sign]))
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

    told.manner = drip
    assert send(told.url, BODY, {}, allowed=HERE, seconds=0.5) == Sent(problem="time")


def test_an_endless_answer_is_not_read(told: Receiver) -> None:
    sent_back: list[int] = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for number in range(4_000):
                handler.wfile.write(b"x" * 65_536)
                sent_back.append(number)
        except OSError:
            return

    told.manner = flood
    assert send(told.url, BODY, {}, allowed=HERE) == Sent(status=200)
    assert len(sent_back) < 4_000


def test_a_head_without_end_is_no_answer(told: Receiver) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000)

    told.manner = endless
    assert send(told.url, BODY, {}, allowed=HERE).problem == "connection"


def test_nobody_there_is_a_connection_that_failed(told: Receiver) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert send(f"http://127.0.0.1:{port}/", BODY, {}, allowed=HERE) == Sent(problem="connection")


def test_a_message_longer_than_any_receiver_expects_is_not_sent(told: Receiver) -> None:
    with pytest.raises(SurveyError) as refusal:
        send(told.url, b"x" * (MOST_BODY + 1), {}, allowed=HERE)
    assert refusal.value.code == "too_large"
    assert told.arrived == []


@pytest.fixture
def certified(tmp_path: Path) -> Path:
    """Return a file with the key and the certificate of 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "receiver")])
    now = datetime.datetime.now(datetime.UTC)
    place = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(place, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    kept = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "receiver.pem"
    path.write_bytes(kept + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def test_over_tls_a_certificate_that_holds_is_told_and_another_is_not(
    certified: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certified)
    strict_but_here = Allowed(private=True, http=False)
    with receiver(tls) as told:
        assert send(told.url, BODY, {}, allowed=strict_but_here) == Sent(problem="tls")
        assert told.arrived == []
        trusting = ssl.create_default_context(cafile=str(certified))
        monkeypatch.setattr(sending.ssl, "create_default_context", lambda: trusting)
        assert send(told.url, BODY, {}, allowed=strict_but_here) == Sent(status=200)
        assert len(told.arrived) == 1
        # The same machine under a name that the certificate does not have.
        wrong_name = told.url.replace("127.0.0.1", "localhost")
        assert send(wrong_name, BODY, {}, allowed=strict_but_here).problem in ("tls", "connection")
        assert len(told.arrived) == 1
