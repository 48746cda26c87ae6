"""Which waiting request is next, and which is refused."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from surveys.accounts.arrivals import ArrivalCounts
from surveys.server.lanes import FIRST_COME, Lane, LaneFull, Rank
from tests.conftest import in_a_loop


def run(scene: Callable[[], Awaitable[Any]]) -> Any:
    return in_a_loop(asyncio.wait_for(scene(), 60))


class Gate:
    """Work that blocks its thread until it is released."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.done: list[str] = []
        self.began = threading.Event()
        self.let_go = threading.Event()

    def hold(self) -> None:
        self.began.set()
        assert self.let_go.wait(300)

    async def taken(self) -> asyncio.Task[None]:
        """Occupy the only thread."""
        held = asyncio.create_task(self.lane.run(self.hold))
        await asyncio.to_thread(self.began.wait, 60)
        return held

    async def ask(self, name: str, rank: Rank = FIRST_COME) -> asyncio.Task[None]:
        task = asyncio.create_task(self.lane.run(lambda: self.done.append(name), rank=rank))
        await asyncio.sleep(0)
        return task


def test_tasks_run_in_parallel_up_to_the_number_of_threads() -> None:
    async def scene() -> None:
        lane, barrier = Lane("lane", threads=3, most_waiting=20), threading.Barrier(3, timeout=300)
        now, most, lock = 0, 0, threading.Lock()

        def work() -> int:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            # Only three parallel threads can pass this barrier.
            barrier.wait(300)
            with lock:
                now -= 1
            return 7

        assert await asyncio.gather(*(lane.run(work) for _ in range(9))) == [7] * 9
        assert most == 3

    run(scene)


def test_waiting_requests_are_ordered_by_rank_and_then_by_arrival() -> None:
    async def scene() -> list[str]:
        gate = Gate(Lane("lane", threads=1, most_waiting=9))
        held = await gate.taken()
        asked = [
            await gate.ask(name, rank) for name, rank in (("c", (2,)), ("a", (0,)), ("d", (2,)), ("b", (1,)))
        ]
        gate.let_go.set()
        await asyncio.gather(held, *asked)
        return gate.done

    assert run(scene) == ["a", "b", "c", "d"]


def test_the_lowest_ranked_waiting_request_is_refused() -> None:
    async def scene() -> tuple[list[str], list[object]]:
        gate = Gate(Lane("lane", threads=1, most_waiting=2))
        held = await gate.taken()
        asked = [await gate.ask(name, rank) for name, rank in (("greedy", (9,)), ("a", (0,)), ("b", (1,)))]
        refused = [await gate.ask("greedy again", (9,))]
        gate.let_go.set()
        outcomes = await asyncio.gather(held, *asked, *refused, return_exceptions=True)
        return gate.done, [type(outcome) for outcome in outcomes]

    done, outcomes = run(scene)
    assert done == ["a", "b"]
    nothing = type(None)
    assert outcomes == [nothing, LaneFull, nothing, nothing, LaneFull]


def test_errors_and_cancelled_waiters_do_not_leak_threads() -> None:
    async def scene() -> None:
        gate = Gate(Lane("lane", threads=1, most_waiting=9))
        held = await gate.taken()
        leaving, staying = await gate.ask("leaving"), await gate.ask("staying")
        leaving.cancel()
        gate.let_go.set()
        await asyncio.gather(held, staying)
        assert gate.done == ["staying"]
        with pytest.raises(ZeroDivisionError):
            await gate.lane.run(lambda: 1 // 0)
        assert await gate.lane.run(lambda: "still here") == "still here"

    run(scene)


@pytest.mark.parametrize("way", ["before it is passed on to", "before it is refused", "after it is refused"])
def test_cancelled_waiters_neither_use_nor_lose_a_thread(way: str) -> None:
    async def scene() -> None:
        gate = Gate(Lane("lane", threads=1, most_waiting=1))
        held = await gate.taken()
        leaving = await gate.ask("leaving", (5,))
        if way == "before it is passed on to":
            # The running request is cancelled first, while the other still waits.
            held.cancel()
            leaving.cancel()
            other = []
        else:
            other = [asyncio.create_task(gate.lane.run(lambda: gate.done.append("other"), rank=(1,)))]
            if way == "after it is refused":
                await asyncio.sleep(0)
            leaving.cancel()
        await asyncio.sleep(0.01)
        gate.let_go.set()
        outcomes = await asyncio.gather(held, leaving, *other, return_exceptions=True)
        assert not {type(outcome) for outcome in outcomes} - {asyncio.CancelledError, type(None)}
        assert gate.done == ["other"] * len(other)
        assert gate.lane._free == 1

    run(scene)


def test_arrival_counts_keep_recent_arrivals_only() -> None:
    now = 0.0
    arrivals = ArrivalCounts(forget_after=900, most=2, clock=lambda: now)
    assert [arrivals.count("a") for _time in range(3)] == [0, 1, 2]
    now = 899.0
    assert arrivals.count("a") == 3
    now = 899.0 + 900
    assert arrivals.count("a") == 0
    arrivals.count("b")
    assert arrivals.count("a") == 1
    # Only the last two of three are remembered.
    arrivals.count("c")
    assert (arrivals.count("a"), arrivals.count("b")) == (2, 0)
