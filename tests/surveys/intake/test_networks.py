import asyncio

import pytest
from pytest_django import Settings

from surveys.intake import networks
from surveys.intake.networks import WaitingByNetwork, network_digest, network_of
from surveys.server.lanes import Lane
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


def test_queue_positions_end_with_their_request() -> None:
    waiting = WaitingByNetwork()
    with (
        waiting.place_of({"REMOTE_ADDR": "192.0.2.1"}) as first,
        waiting.place_of({"REMOTE_ADDR": "192.0.2.9"}) as second,
    ):
        assert (first, second, len(waiting)) == ((0,), (1,), 1)
    assert len(waiting) == 0


def test_the_network_with_fewest_waiting_goes_first() -> None:
    """After the request in progress, requests from the network with the fewest waiting come next."""
    order: list[str] = []

    async def arrive(lane: Lane, waiting: WaitingByNetwork, address: str) -> None:
        with waiting.place_of({"REMOTE_ADDR": address}) as rank:
            await lane.run(lambda: order.append(address), rank=rank)

    async def all_arrive() -> None:
        lane, waiting = Lane("one", threads=1, most_waiting=2_000), WaitingByNetwork()
        flood = [asyncio.create_task(arrive(lane, waiting, "127.0.3.1")) for _ in range(200)]
        await asyncio.sleep(0)
        honest = asyncio.create_task(arrive(lane, waiting, "127.0.2.1"))
        await asyncio.gather(*flood, honest)

    in_a_loop(all_arrive())
    assert len(order) == 201
    assert order.index("127.0.2.1") <= 2
