"""Check the certificate of the respondents' address, and note when it should have been renewed.

The note lets the administrators' first page say so from that moment on, between two runs of the doctor.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from cryptography import x509
from django.conf import settings
from django.db import DatabaseError

from surveys.models.heartbeat import record_heartbeat
from surveys.server.allowed_host import allowed_host
from surveys.server.doctor.diagnosis import Check, CheckContext, Diagnosis, failure, ok, warning
from surveys.server.doctor.parts import SECONDS_TO_ANSWER
from surveys.server.health import CERTIFICATE

PROMISE: Final = "browsers accept the certificate"
PORT: Final = 443
LONGEST_NOTICE: Final = timedelta(days=14)
"""How long before its end a certificate is late; at most a quarter of its life."""

_RENEW: Final = (
    "With nginx: put a new one into its place, then type systemctl reload nginx. With Caddy: type systemctl "
    "restart caddy, then journalctl -u caddy."
)
_REACH: Final = (
    "Open the survey's address in a browser and look at its certificate, or type on the proxy's machine: "
    "sottovoce doctor --address https://..."
)


def renewal_due(certificate: x509.Certificate) -> datetime:
    """Return from when on a certificate is late: some days before its end.

    Renewal usually happens when a third of the life is left, so this means that it has failed for a while.
    """
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return end - min(LONGEST_NOTICE, (end - begin) / 4)


def certificate_at(place: tuple[str, int], *, name: str) -> tuple[x509.Certificate, str]:
    """Return the certificate that a server shows for a name, and why this machine refuses it, or "".

    Raises
    ------
    OSError
        No server answers there, or it does not speak TLS.
    """
    problem = ""
    try:
        with _connected(ssl.create_default_context(), place, name):
            pass
    except ssl.SSLCertVerificationError as error:
        problem = error.verify_message
    # The dates of a certificate that is refused are needed too.
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    with _connected(unchecked, place, name) as secured:
        shown = secured.getpeercert(binary_form=True)
    if shown is None:
        raise OSError("the server shows no certificate")
    return x509.load_der_x509_certificate(shown), problem


@contextlib.contextmanager
def _connected(context: ssl.SSLContext, place: tuple[str, int], name: str) -> Iterator[ssl.SSLSocket]:
    with (
        socket.create_connection(place, timeout=SECONDS_TO_ANSWER) as plain,
        context.wrap_socket(plain, server_hostname=name) as secured,
    ):
        yield secured


def _places(context: CheckContext) -> tuple[str, list[tuple[str, int]]]:
    """Return the host of the respondents' address, and where its proxy may be: here, or at its name."""
    stated = urlsplit(context.address or "")
    if stated.scheme == "https" and stated.hostname:
        return stated.hostname, [(stated.hostname, stated.port or PORT)]
    name = allowed_host().partition(":")[0]
    return name, [("127.0.0.1", PORT), (name, PORT)]


def certificate_is_valid(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that browsers accept the certificate, and that it is renewed in time."""
    is_https = settings.HTTPS or urlsplit(context.address or "").scheme == "https"
    if not is_https:
        yield ok(PROMISE, "HTTPS is off (SOTTOVOCE_HTTPS)")
        return
    name, places = _places(context)
    for place in places:
        with contextlib.suppress(OSError):
            certificate, problem = certificate_at(place, name=name)
            break
    else:
        yield warning(PROMISE, f"no certificate of {name} could be read", _REACH)
        return
    end, due = certificate.not_valid_after_utc, renewal_due(certificate)
    with contextlib.suppress(DatabaseError):
        record_heartbeat(CERTIFICATE, now=context.now, says={"due": due.isoformat(), "end": end.isoformat()})
    seen = f"that of {name} is valid until {end:%Y-%m-%d %H:%M} UTC"
    if context.now >= end:
        yield failure(PROMISE, f"that of {name} expired on {end:%Y-%m-%d %H:%M} UTC", _RENEW)
    elif context.now >= due:
        yield failure(PROMISE, f"{seen} only, and was not renewed", _RENEW)
    elif problem:
        yield warning(PROMISE, f"{seen}, but this machine does not trust it: {problem}", _REACH)
    else:
        yield ok(PROMISE, seen)


CERTIFICATE_CHECKS: tuple[Check, ...] = (certificate_is_valid,)
