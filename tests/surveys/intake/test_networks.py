import pytest
from pytest_django import Settings

from surveys.intake import networks
from surveys.intake.networks import network_digest, network_of


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.0.2.1", "192.0.2.254", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),
        ("2001:db8:7:1::1", "2001:db8:7:ffff::1", True),
        ("2001:db8:7::1", "2001:db8:8::1", False),
        ("2001:db8:7::1%eth0", "2001:db8:7::1", True),
    ],
)
def test_addresses_in_one_network_share_a_digest(one: str, other: str, alike: bool) -> None:
    assert (network_digest(one) == network_digest(other)) == alike


@pytest.mark.parametrize("address", ["", "unknown", "192.0.2.1.5", "/run/sottovoce.sock", "\x00"])
def test_invalid_addresses_have_an_empty_network_digest(address: str) -> None:
    assert network_digest(address) == b""


def test_network_digests_depend_on_the_process_key() -> None:
    assert network_digest("192.0.2.1", bytes(32)) != network_digest("192.0.2.1")
    assert b"192" not in network_digest("192.0.2.1")
    assert networks._KEY not in {bytes(32), b""}


def test_only_the_address_named_by_the_proxy_counts(settings: Settings) -> None:
    here, said = {"REMOTE_ADDR": "127.0.0.1"}, {"HTTP_X_FORWARDED_FOR": "10.0.0.1, 192.0.2.1"}
    settings.HTTPS = False
    assert network_of(here | said) == network_digest("127.0.0.1")
    settings.HTTPS = True
    assert network_of(here | said) == network_digest("192.0.2.1")
    # If a proxy forwards no address, all clients would share the proxy's.
    assert network_of(here) == b""
