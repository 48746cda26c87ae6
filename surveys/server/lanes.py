"""Lanes: threads for requests, with a priority queue.

Each lane has its own threads, so a full lane does not affect the others. All of this runs in the event loop
of one web process; only the work itself runs in a thread.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

Result = TypeVar("Result")

# A position in the order: the smallest comes first.
Rank = tuple[int, ...]
FIRST_COME: Final[Rank] = ()


class LaneFull(Exception):
    """The lane's queue is full, and this request came last in the order."""


class Lane:
    """Threads for one kind of work.

    Parameters
    ----------
    name : str
        Name prefix of its threads.
    threads : int
        How many pieces of work run in parallel.
    most_waiting : int
        How many more may wait. If the queue is full, the last in the order is refused.
    """

    def __init__(self, name: str, *, threads: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._most_waiting = most_waiting
        self._numbers = itertools.count()
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []

    async def run(self, work: Callable[[], Result], *, rank: Rank = FIRST_COME) -> Result:
        """Do the work in a thread when its turn has come; of equal rank, first come, first served.

        Raises
        ------
        LaneFull
            It was the last in a full queue.
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
        mine = (rank, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, mine)
        if len(self._waiting) > self._most_waiting:
            last = max(self._waiting)
            self._waiting.remove(last)
            heapq.heapify(self._waiting)
            if not last[2].done():
                last[2].set_exception(LaneFull())
        try:
            await mine[2]
        except asyncio.CancelledError:
            if mine in self._waiting:
                self._waiting.remove(mine)
                heapq.heapify(self._waiting)
            elif not mine[2].cancelled() and mine[2].exception() is None:
                # Its turn had come.
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            # A cancelled request stays here until the loop reports it.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class Pace:
    """A rate limit that holds on average and allows bursts.

    Parameters
    ----------
    per_second, burst : float
        Both in the same unit.

    Examples
    --------
    >>> pace = Pace(per_second=10, burst=5, clock=lambda: 0.0)
    >>> pace.wait_after(5), pace.wait_after(1), pace.wait_after(4)
    (0.0, 0.1, 0.5)
    """

    def __init__(
        self, *, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._ahead = burst / per_second
        self._clock = clock
        self._until = clock() - self._ahead

    def wait_after(self, amount: float) -> float:
        """Count an amount, and return how many seconds to wait before accepting more."""
        now = self._clock()
        self._until = max(self._until, now - self._ahead) + amount / self._per_second
        return max(0.0, self._until - now)


class ArrivalCounts:
    """Counts of recent arrivals by visitor, for the `most` visitors who came last.

    Parameters
    ----------
    forget_after : float, seconds
        Time without another visit.
    """

    def __init__(
        self, *, forget_after: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._forget_after = forget_after
        self._most = most
        self._clock = clock
        self._visits: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def count(self, who: str) -> int:
        """Return how often `who` came before."""
        now = self._clock()
        times, last = self._visits.pop(who, (0, now))
        if now - last >= self._forget_after:
            times = 0
        self._visits[who] = (times + 1, now)
        if len(self._visits) > self._most:
            self._visits.popitem(last=False)
        return times
