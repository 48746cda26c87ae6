"""Order of arriving log-ins under load: known devices first, then addresses with few recent arrivals."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from django.http.cookie import parse_cookie

from surveys.accounts.known_devices import device_of
from surveys.accounts.visitor_address import address_of, address_part
from surveys.policy import MOST_OF_NAME_AT_ADDRESS


class ArrivalCounts:
    """Number of recent requests by visitor, for the `most` latest visitors.

    Parameters
    ----------
    forget_after : float, seconds
        Time without a request after which a visitor's count is reset.
    """

    def __init__(
        self, *, forget_after: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._forget_after = forget_after
        self._most = most
        self._clock = clock
        self._visits: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def count(self, who: str) -> int:
        """Count a request, and return how many came before it."""
        now = self._clock()
        times, last = self._visits.pop(who, (0, now))
        if now - last >= self._forget_after:
            times = 0
        self._visits[who] = (times + 1, now)
        if len(self._visits) > self._most:
            self._visits.popitem(last=False)
        return times


_ARRIVALS = itertools.count()
_ARRIVAL_COUNTS = ArrivalCounts(forget_after=900, most=10_000)


def rank_of(meta: Mapping[str, Any], arrivals: ArrivalCounts = _ARRIVAL_COUNTS) -> tuple[int, int, int]:
    """Return the sort key of a log-in among those that wait.

    Known devices come first, but only as often as log-ins may fail, so that a stolen cookie cannot block the
    queue. Next come the visitors with the fewest requests. If several have equally few, the latest comes
    first: a new visitor overtakes a flood that began earlier.
    """
    device = device_of(parse_cookie(meta.get("HTTP_COOKIE", "")))
    who = f"device {device}" if device else f"address {address_part(address_of(meta))}"
    times = arrivals.count(who)
    return (0 if device and times < MOST_OF_NAME_AT_ADDRESS else 1, times, -next(_ARRIVALS))
