"""Count waiting requests by network, so that the network with fewest goes first."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from surveys.intake.networks import Network, network_of


class WaitingByNetwork:
    """Numbers of requests that wait or are in progress, by network; networks without requests are forgotten.

    >>> waiting = WaitingByNetwork()
    >>> [waiting.enter(b"a"), waiting.enter(b"a"), waiting.enter(b"b"), waiting.enter(b"")]
    [0, 1, 0, 0]
    >>> waiting.leave(b"a"), waiting.leave(b"a"), waiting.enter(b"a")
    (None, None, 0)
    """

    def __init__(self) -> None:
        self._waiting: Counter[Network] = Counter()

    def enter(self, network: Network) -> int:
        """Add a request; return how many others of its network are present (0 for an unknown network)."""
        if not network:
            return 0
        self._waiting[network] += 1
        return self._waiting[network] - 1

    def leave(self, network: Network) -> None:
        """Remove a request that entered."""
        self._waiting[network] -= 1
        if self._waiting[network] <= 0:
            del self._waiting[network]

    @contextlib.contextmanager
    def place_of(self, meta: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
        """Give a request its position: networks with the fewest other requests come first."""
        network = network_of(meta)
        try:
            yield (self.enter(network),)
        finally:
            if network:
                self.leave(network)

    def __len__(self) -> int:
        return len(self._waiting)
