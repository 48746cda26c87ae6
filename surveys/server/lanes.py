"""Lanes of requests that wait for a thread: which is next, and which is refused."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

Result = TypeVar("Result")

# A position in the queue: the smallest comes first.
Rank = tuple[int, ...]
FIRST_COME: Final[Rank] = ()


class LaneFull(Exception):
    """The lane's queue is full, and this request was the last in the order."""


class Lane:
    """Threads for one kind of work.

    Parameters
    ----------
    name : str
        Name prefix of its threads.
    threads : int
        Number of requests that run in parallel.
    most_waiting : int
        Number of further requests that may wait. If the queue is full, the last in the order is refused.
    """

    def __init__(self, name: str, *, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._most_waiting = most_waiting
        self._numbers = itertools.count()
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []

    async def run(self, work: Callable[[], Result], *, rank: Rank = FIRST_COME) -> Result:
        """Do the work in a thread when its turn comes; with equal ranks, first come, first served.

        Raises
        ------
        LaneFull
            The request was the last in a full queue.
        """
        if self._free:
            self._free -= 1
        else:
            await self._turn(rank)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._pass_on()

    async def _turn(self, rank: Rank) -> None:
        ticket = (rank, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, ticket)
        if len(self._waiting) > self._most_waiting:
            last = max(self._waiting)
            self._waiting.remove(last)
            heapq.heapify(self._waiting)
            if not last[2].done():
                last[2].set_exception(LaneFull())
        try:
            await ticket[2]
        except asyncio.CancelledError:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                heapq.heapify(self._waiting)
            elif not ticket[2].cancelled() and ticket[2].exception() is None:
                # Its turn had already come, so pass it on.
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            # A cancelled request stays in the queue until the loop reports it.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
