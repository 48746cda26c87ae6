"""The part of a network address that identifies a visitor."""

from __future__ import annotations

import ipaddress


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
