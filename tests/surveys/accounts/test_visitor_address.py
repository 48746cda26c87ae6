"""The address of a visitor, behind a proxy or not."""

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from surveys.accounts.visitor_address import address_of


@pytest.mark.parametrize(
    ("https", "named", "address"),
    [
        (False, "198.51.100.1", "192.0.2.7"),
        (True, "198.51.100.1", "198.51.100.1"),
        (True, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (True, "", "192.0.2.7"),
    ],
)
def test_forwarded_addresses_are_trusted_only_from_the_proxy(
    settings: Settings, https: bool, named: str, address: str
) -> None:
    """Otherwise an attacker could choose addresses and never be locked out."""
    settings.HTTPS = https
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=named)
    assert address_of(request.META) == address
