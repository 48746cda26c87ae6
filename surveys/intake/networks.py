"""The network of a visitor, known by a digest only."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Mapping
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
