"""Which network's request is next."""

import asyncio

from surveys.intake.waiting_by_network import WaitingByNetwork
from surveys.server.lanes import Lane
from tests.conftest import in_a_loop


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


def test_a_network_is_forgotten_with_its_last_request() -> None:
    waiting = WaitingByNetwork()
    assert [waiting.enter(b"a") for _ in range(3)] == [0, 1, 2]
    waiting.leave(b"a")
    assert (waiting.enter(b"a"), len(waiting)) == (2, 1)
    for _ in range(3):
        waiting.leave(b"a")
    assert (len(waiting), waiting.enter(b"a")) == (0, 0)
