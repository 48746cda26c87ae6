"""Send a message to an address from outside, without opening a way into this network.

Whoever may make a webhook names a place that this server then connects to. So a name is resolved once, all of
its addresses have to be of the public internet, and the connection goes to the very address that was looked
at: a name that is resolved anew may be another place. Redirects are answers like any other, and no proxy of
the environment is used. An answer is read as far as its head.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from surveys.errors.error import SurveyError

__all__ = ["Allowed", "Sent", "address_check", "send"]

SECONDS: Final = 10.0
"""For one connection, and again for all of a message: what answers slowly keeps a worker from its runs."""

MOST_BODY: Final = 4_096
_TRANSLATED: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
"""IPv6 that a gateway turns into an IPv4 address, which may be one of this network."""


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """Restrictions of the settings on webhooks.

    Parameters
    ----------
    private : bool
        Whether its address may be one of this network.
    http : bool
        Whether it may be without TLS.
    """

    private: bool
    http: bool


@dataclass(frozen=True, kw_only=True)
class Sent:
    """Outcome of a try.

    Attributes
    ----------
    status : int or None
        Of the answer; None where there was none.
    problem : str
        What was in the way: ``address``, ``private``, ``name``, ``tls``, ``time``, ``connection``,
        ``redirect`` or ``status``; empty where it was delivered.
    """

    status: int | None = None
    problem: str = ""

    @property
    def arrived(self) -> bool:
        """Whether the receiver took it."""
        return not self.problem


def address_check(url: str, *, allowed: Allowed) -> SplitResult:
    """Return the parts of an address that may be a webhook's; its name is not resolved.

    Raises
    ------
    SurveyError
        ``webhook_address``
    """
    if not url.isascii() or any(sign <= " " or sign == "\x7f" for sign in url):
        raise SurveyError("webhook_address.signs", url[:80])
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SurveyError("webhook_address.signs", url[:80]) from error
    if parts.scheme not in (("https", "http") if allowed.http else ("https",)):
        raise SurveyError("webhook_address.scheme", url[:80])
    if not host or port == 0 or "@" in parts.netloc or parts.fragment:
        raise SurveyError("webhook_address.parts", url[:80])
    try:
        literal = ip_address(host)
    except ValueError:
        return parts
    if not allowed.private and not is_public(literal):
        raise SurveyError("webhook_address.private", host)
    return parts


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is of the public internet, and of one machine there.

    >>> [is_public(ip_address(text)) for text in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1")]
    [True, False, False, False]
    >>> [is_public(ip_address(text)) for text in ("::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1")]
    [False, False, False]
    """
    if isinstance(address, IPv6Address):
        # Another address is within: releases of Python differ in what they say of it, and nobody needs one.
        within = (address.ipv4_mapped, address.sixtofour, address.teredo)
        if any(network is not None for network in within) or any(
            address in network for network in _TRANSLATED
        ):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def send(
    url: str, body: bytes, headers: Mapping[str, str], *, allowed: Allowed, seconds: float = SECONDS
) -> Sent:
    """Send a message with POST.

    Parameters
    ----------
    url : str
    body : bytes
        At most `MOST_BODY`.
    headers : mapping
    allowed : Allowed
    seconds : float
        After so long a try is over, however far it got.

    Raises
    ------
    SurveyError
        ``too_large``: a message of ours is longer than any receiver expects.
    """
    if len(body) > MOST_BODY:
        raise SurveyError("too_large.message", len(body), most=MOST_BODY)
    try:
        parts = address_check(url, allowed=allowed)
    except SurveyError as error:
        return Sent(problem="private" if error.case.endswith("private") else "address")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = _resolved(str(parts.hostname), port, allowed=allowed)
    if isinstance(address, Sent):
        return address
    try:
        return _posted(parts, port, address, body, headers, seconds)
    except ssl.SSLError:
        return Sent(problem="tls")
    except TimeoutError:
        return Sent(problem="time")
    except (OSError, http.client.HTTPException):
        return Sent(problem="connection")


def _resolved(host: str, port: int, *, allowed: Allowed) -> str | Sent:
    """Return the address to connect to; one that is not public spoils all that a name has."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return Sent(problem="name")
    places = [str(entry[4][0]).partition("%")[0] for entry in addresses]
    if not places:
        return Sent(problem="name")
    if not allowed.private and not all(is_public(ip_address(address)) for address in places):
        return Sent(problem="private")
    return places[0]


def _posted(
    parts: SplitResult, port: int, address: str, body: bytes, headers: Mapping[str, str], seconds: float
) -> Sent:
    host = str(parts.hostname)
    link = socket.create_connection((address, port), timeout=seconds)
    # A timeout of the socket starts anew with each byte; this one does not.
    over = threading.Event()
    timer = threading.Timer(seconds, _cut, (link, over))
    timer.start()
    try:
        if parts.scheme == "https":
            link = ssl.create_default_context().wrap_socket(link, server_hostname=host)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = link
        with closing(connection):
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            sent = {"Content-Type": "application/json", "User-Agent": "Sotto", "Connection": "close"}
            connection.request("POST", target, body, sent | dict(headers))
            status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        if over.is_set():
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()
        link.close()
    if over.is_set():
        # A connection cut among the headers looks to http.client like their end.
        raise TimeoutError
    if 200 <= status < 300:
        return Sent(status=status)
    return Sent(status=status, problem="redirect" if 300 <= status < 400 else "status")


def _cut(link: socket.socket, over: threading.Event) -> None:
    over.set()
    try:
        # The descriptor that TLS took over is the same connection.
        link.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
