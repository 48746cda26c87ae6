"""Each way in which a server gives no answer has its own sentence, without Python's words."""

import contextlib
import socket
import ssl
import threading
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import BadStatusLine, IncompleteRead
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from surveys.watch.download import fetch
from surveys.watch.no_answer import NoAnswer, no_answer_text

URL = "https://a.example/en/s/work/"


def bad_certificate(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "there is no host with the name"),
        (UnicodeError("label too long"), "there is no host with the name a.example"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "could not be looked up: this computer"),
        (urllib.error.URLError(socket.gaierror(-2, "unknown")), "there is no host with the name a.example"),
        (ConnectionRefusedError(111, "Connection refused"), "a.example refuses connections to port 443"),
        (OSError(101, "Network is unreachable"), "no network leads to a.example: this computer may"),
        (OSError("Tunnel connection failed: 403 Forbidden"), "the proxy of this computer does not connect"),
        (ConnectionResetError(104, "reset by peer"), "a.example ended the connection before the answer was"),
        (IncompleteRead(b""), "a.example ended the connection before the answer was complete"),
        (ssl.SSLError(1, "wrong version number"), "a.example makes no encrypted connection on port 443"),
        (bad_certificate(10), "the certificate of a.example has expired. Someone may be reading"),
        (bad_certificate(62), "the certificate of a.example belongs to another host"),
        (bad_certificate(99), "the certificate of a.example is not valid"),
        (BadStatusLine("SSH-2.0"), "port 443 of a.example is not a web server"),
        (OSError(5, "Input/output error"), "no connection to a.example could be made"),
    ],
    ids=repr,
)  # fmt: skip
def test_each_failure_has_a_sentence_and_a_remedy(error: BaseException, sentence: str) -> None:
    said = no_answer_text(error, URL)
    assert sentence in said
    assert ". " in said
    assert "Errno" not in said
    assert str(error) not in said


@contextmanager
def server_that(answers: Any) -> Iterator[int]:
    """Serve one connection on the yielded port."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listening, listening.accept()[0] as connection, contextlib.suppress(OSError):
            answers(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    thread.join(timeout=60)


def said_of(scheme: str, answers: Any) -> str:
    with server_that(answers) as port, pytest.raises(NoAnswer) as refused:
        fetch(f"{scheme}://127.0.0.1:{port}/", {})
    return str(refused.value)


def test_real_servers_that_fail_are_described() -> None:
    assert "ended the connection" in said_of("http", lambda connection: connection.recv(9))
    assert "is not a web server" in said_of(
        "http", lambda connection: connection.sendall(b"SSH-2.0-x\r\n\r\n")
    )
    assert "makes no encrypted connection" in said_of(
        "https", lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    )
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npage"
    assert "ended the connection" in said_of("http", lambda connection: connection.sendall(cut))


def test_a_certificate_that_no_authority_signed_is_named(tmp_path: Path) -> None:
    key, name = generate_private_key(SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a")])
    begin = datetime.now(UTC) - timedelta(days=1)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + timedelta(days=2))
    ).sign(key, hashes.SHA256())
    both = tmp_path / "both.pem"
    both.write_bytes(
        certificate.public_bytes(Encoding.PEM)
        + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)

    def encrypted(connection: socket.socket) -> None:
        with contextlib.suppress(ssl.SSLError):
            context.wrap_socket(connection, server_side=True)

    assert "is signed by itself, not by an authority. Someone may be reading" in said_of("https", encrypted)
