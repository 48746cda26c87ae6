"""The network address of a visitor, and the part of it that identifies them."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings


def address_of(meta: Mapping[str, Any]) -> str:
    """Return the address of the visitor who logs in.

    Behind a proxy, this is the last address in the proxy's list: visitors can forge the earlier ones.
    """
    if settings.HTTPS:
        address = str(meta.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        if address:
            return address
    return str(meta.get("REMOTE_ADDR", ""))


def address_part(address: str) -> str:
    """Return the part of an address that identifies a visitor; for IPv6 this is the network.

    >>> address_part("::ffff:192.0.2.7"), address_part("2001:db8:1:2:3:4:5:6"), address_part("")
    ('192.0.2.7', '2001:db8:1:2::/64', '')
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address
    number = getattr(number, "ipv4_mapped", None) or number
    if number.version == 4:
        return str(number)
    return str(ipaddress.ip_network((number, 64), strict=False))
