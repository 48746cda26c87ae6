"""Networks in memory: only a digest of an address is kept, and not for long."""

from __future__ import annotations

import asyncio

import pytest
from pytest_django import Settings

from surveys.intake import limits
from surveys.intake.limits import WaitingByNetwork, network_digest, network_of
from surveys.server.whole_requests import Lane
from tests.conftest import in_a_loop


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
def test_addresses_of_one_network_have_one_digest(one: str, other: str, alike: bool) -> None:
    assert (network_digest(one) == network_digest(other)) == alike


@pytest.mark.parametrize("address", ["", "unknown", "192.0.2.1.5", "/run/sottovoce.sock", "\x00"])
def test_what_is_no_address_is_of_no_network(address: str) -> None:
    assert network_digest(address) == b""


def test_a_digest_says_nothing_without_the_key_of_the_process() -> None:
    assert network_digest("192.0.2.1", bytes(32)) != network_digest("192.0.2.1")
    assert b"192" not in network_digest("192.0.2.1")
    assert limits._KEY not in {bytes(32), b""}


def test_behind_a_proxy_the_address_that_it_names_counts_and_no_other(settings: Settings) -> None:
    here, said = {"REMOTE_ADDR": "127.0.0.1"}, {"HTTP_X_FORWARDED_FOR": "10.0.0.1, 192.0.2.1"}
    settings.HTTPS = False
    assert network_of(here | said) == network_digest("127.0.0.1")
    settings.HTTPS = True
    assert network_of(here | said) == network_digest("192.0.2.1")
    # A proxy that forwards no address: all clients would share the proxy's own.
    assert network_of(here) == b""


def test_a_place_in_the_queue_is_forgotten_with_its_request() -> None:
    waiting = WaitingByNetwork()
    with (
        waiting.place_of({"REMOTE_ADDR": "192.0.2.1"}) as first,
        waiting.place_of({"REMOTE_ADDR": "192.0.2.9"}) as second,
    ):
        assert (first, second, len(waiting)) == ((0,), (1,), 1)
    assert len(waiting) == 0


def test_one_of_another_network_goes_before_two_hundred_that_wait() -> None:
    """Whose network has fewest waiting comes next: after one of the flood that is being worked on."""
    order: list[str] = []

    async def come(lane: Lane, waiting: WaitingByNetwork, address: str) -> None:
        with waiting.place_of({"REMOTE_ADDR": address}) as rank:
            await lane.run(lambda: order.append(address), rank=rank)

    async def all_come() -> None:
        lane, waiting = Lane("one", threads=1, most_waiting=2_000), WaitingByNetwork()
        flood = [asyncio.create_task(come(lane, waiting, "127.0.3.1")) for _ in range(200)]
        await asyncio.sleep(0)
        honest = asyncio.create_task(come(lane, waiting, "127.0.2.1"))
        await asyncio.gather(*flood, honest)

    in_a_loop(all_come())
    assert len(order) == 201
    assert order.index("127.0.2.1") <= 2
