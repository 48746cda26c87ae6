"""Why a server gives no complete answer, in words that name the likely cause and what to do."""

from __future__ import annotations

import errno
import socket
import ssl
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import Final
from urllib.error import URLError
from urllib.parse import urlsplit

_CERTIFICATE_FAULTS: Final = {
    10: "has expired",
    18: "is signed by itself, not by an authority",
    19: "is signed by an authority that this computer does not trust",
    20: "is signed by an authority that this computer does not know",
    62: "belongs to another host",
    64: "belongs to another host",
}
"""OpenSSL's codes of certificates that are not accepted."""
_OFFLINE: Final = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL}
CHECK_ADDRESS: Final = "Check the address"
_CHECK_BOTH: Final = f"{CHECK_ADDRESS}, and the connection of this computer"
_ASK_OPERATOR: Final = f"{CHECK_ADDRESS}. If it is right, ask the operator whether the server is running"
_CHECK_ELSEWHERE: Final = (
    "Someone may be reading the connection: check from another network, and ask the operator of the server"
)
TRY_AGAIN: Final = "Run the check again later"


class NoAnswer(OSError):
    """Raised if a server cannot be reached or gives no complete answer; the text says why and what to do."""


class UnreadableAnswer(OSError):
    """Raised if a server's answer is complete, but cannot be unpacked."""


def no_answer_text(error: BaseException, url: str) -> str:
    """Say why an address could not be fetched, and what to do.

    Parameters
    ----------
    error : BaseException
        As raised by ``urllib`` or a socket.
    url : str
        The address.

    Examples
    --------
    >>> print(no_answer_text(ConnectionRefusedError(111, "refused"), "https://a.example/en/s/work/"))
    a.example refuses connections to port 443. Check the address. If it is right, ask the operator \
whether the server is running
    """
    parts = urlsplit(url)
    host, port = parts.hostname, parts.port or {"http": 80}.get(parts.scheme, 443)
    cause = error.reason if isinstance(error, URLError) and isinstance(error.reason, OSError) else error
    match cause:
        case socket.gaierror(errno=socket.EAI_AGAIN):
            return f"the name {host} could not be looked up: this computer may be offline. {_CHECK_BOTH}"
        case socket.gaierror() | UnicodeError():
            return f"there is no host with the name {host}. {_CHECK_BOTH}"
        case ssl.SSLCertVerificationError(verify_code=code):
            fault = _CERTIFICATE_FAULTS.get(code, "is not valid")
            return f"the certificate of {host} {fault}. {_CHECK_ELSEWHERE}"
        case ConnectionRefusedError():
            return f"{host} refuses connections to port {port}. {_ASK_OPERATOR}"
        case RemoteDisconnected() | IncompleteRead() | ConnectionError() | ssl.SSLEOFError():
            return f"{host} ended the connection before the answer was complete. {TRY_AGAIN}"
        case ssl.SSLError():
            return (
                f"{host} makes no encrypted connection on port {port}. Check whether the address begins with"
                " http:// or https://"
            )
        case HTTPException() | ValueError():
            return f"port {port} of {host} is not a web server. {_CHECK_BOTH}"
        case OSError(errno=code) if code in _OFFLINE:
            return f"no network leads to {host}: this computer may be offline. {_CHECK_BOTH}"
        case OSError() if "Tunnel connection failed" in str(cause):
            return (
                f"the proxy of this computer does not connect to {host}. Run the check from another network"
            )
    return f"no connection to {host} could be made. {_CHECK_BOTH}"


def late_text(seconds: float) -> str:
    """Say that an answer was not complete in time, and what to do.

    >>> late_text(30)
    'the answer was not complete after 30 seconds. Run the check again later'
    """
    return f"the answer was not complete after {seconds:g} seconds. {TRY_AGAIN}"


def fault_text(status: int) -> str | None:
    """Say that a server is failing or overloaded, and what to do; None for other statuses.

    >>> fault_text(503)
    'the server is failing or overloaded (status 503). Run the check again later'
    >>> fault_text(404)
    """
    if status < 500 and status != 429:
        return None
    return f"the server is failing or overloaded (status {status}). {TRY_AGAIN}"
