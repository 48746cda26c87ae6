"""The network of a visitor, known by a digest only, and the order in which networks wait."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings

Network = bytes
"""Digest of a network; empty if the proxy does not report an address."""


_PREFIX: Final = {4: 24, 6: 48}


_KEY: Final = secrets.token_bytes(32)


def network_of(meta: Mapping[str, Any]) -> Network:
    """Return the network of a request.

    Behind a proxy, this is the network of the last address in the proxy's list; visitors can forge the
    others.
    """
    address = str(meta.get("HTTP_X_FORWARDED_FOR" if settings.HTTPS else "REMOTE_ADDR", ""))
    return network_digest(address.rpartition(",")[2].strip())


def network_digest(address: str, key: bytes = _KEY) -> Network:
    """Return the keyed digest of an address's network; empty if the text is not an address.

    >>> key = bytes(32)
    >>> near, far = network_digest("192.0.2.250", key), network_digest("192.0.3.7", key)
    >>> network_digest("192.0.2.7", key) == near, network_digest("192.0.2.7", key) == far
    (True, False)
    >>> network_digest("2001:db8:1::7", key) == network_digest("2001:db8:1:2::9", key), network_digest("")
    (True, b'')
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return b""
    number = getattr(number, "ipv4_mapped", None) or number
    network = int(number) >> (number.max_prefixlen - _PREFIX[number.version])
    message = f"{number.version} {network}".encode()
    return hashlib.blake2b(message, key=key, digest_size=16).digest()


class WaitingByNetwork:
    """Numbers of requests that wait or are in progress, by network; networks without requests are forgotten.

    >>> waiting = WaitingByNetwork()
    >>> [waiting.enter(b"a"), waiting.enter(b"a"), waiting.enter(b"b"), waiting.enter(b"")]
    [0, 1, 0, 0]
    >>> waiting.leave(b"a"), waiting.leave(b"a"), waiting.enter(b"a")
    (None, None, 0)
    """

    def __init__(self) -> None:
        self._waiting: Counter[Network] = Counter()

    def enter(self, network: Network) -> int:
        """Add a request; return how many others of its network are present (0 for an unknown network)."""
        if not network:
            return 0
        self._waiting[network] += 1
        return self._waiting[network] - 1

    def leave(self, network: Network) -> None:
        """Remove a request that entered."""
        self._waiting[network] -= 1
        if self._waiting[network] <= 0:
            del self._waiting[network]

    @contextlib.contextmanager
    def place_of(self, meta: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
        """Give a request its position: networks with the fewest other requests come first."""
        network = network_of(meta)
        try:
            yield (self.enter(network),)
        finally:
            if network:
                self.leave(network)

    def __len__(self) -> int:
        return len(self._waiting)
