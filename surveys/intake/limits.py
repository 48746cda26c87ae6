"""Limits on a survey's submissions: a token bucket for the rate, a share per network, a cap on the total.

The bucket is deliberately kept in the memory of each web process, because its state reveals to the
millisecond when the last submission arrived. In the database, the write-ahead log would record every arrival
next to receipts in the same order; so would a broker's journal. In memory, nothing is written, there is no
extra round trip, and submissions do not depend on the broker. The price is that the limit holds per process,
so w web processes accept w times as much. Its purpose is to blunt a flood, not to count.

A single network gets a quarter of the rate and half of the burst, so a flood from it blocks only its own
neighbours. A network is identified by a keyed digest rather than by its address, and is forgotten once its
bucket is full again.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from surveys.errors.error import SurveyError

# A full survey stays full. A client may retry after an hour, in case the operator has raised the cap.
SECONDS_WHEN_FULL = 3600
# How long a full survey counts as full before its receipts are counted again.
SECONDS_BETWEEN_COUNTS_WHEN_FULL = 60.0

RATE_OF_NETWORK: Final = 0.25
BURST_OF_NETWORK: Final = 0.5
"""Share of a survey's burst for one network: a school behind one address can answer within a minute."""
_CHECKED_PER_VISIT: Final = 8
MOST_NETWORKS: Final = 4096
"""Most networks tracked per survey. Beyond that, as in a flood from everywhere, the oldest are forgotten."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """Limits on the submissions of every survey.

    Parameters
    ----------
    per_second : float
        Long-run rate of submissions per second that a process accepts for one survey.
    burst : int
        Number of submissions that may arrive at the same time after a quiet period.
    cap : int
        Largest total number of submissions of one survey.
    """

    per_second: float
    burst: int
    cap: int

    def __post_init__(self) -> None:
        if self.per_second <= 0 or self.burst < 1 or self.cap < 1:
            raise SurveyError("rate", per_second=self.per_second, burst=self.burst, cap=self.cap)


@dataclass
class _Bucket:
    tokens: float
    at: float

    def refill(self, at: float, per_second: float, burst: float) -> None:
        """Add the tokens for the time since the last visit."""
        self.tokens = min(burst, self.tokens + max(0.0, at - self.at) * per_second)
        self.at = at


@dataclass
class _State(_Bucket):
    networks: dict[bytes, _Bucket] = field(default_factory=dict)
    room: int = 0
    recount_at: float | None = None


@dataclass
class Limiter:
    """Admits submissions of surveys under one `Limit`; thread-safe.

    Parameters
    ----------
    limit : Limit
    count_receipts : callable
        ``count_receipts(survey_id, at_most)`` returns how many submissions the survey has, or `at_most` if
        more.
    """

    limit: Limit
    count_receipts: Callable[[int, int], int]
    _states: dict[int, _State] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, survey_id: int, *, at: float, network: bytes = b"") -> None:
        """Use one token of the survey, and of the network's share of it, or refuse with 429.

        Parameters
        ----------
        survey_id : int
            An existing survey, because memory use grows with the number of surveys.
        at : float, seconds
            The time, by a clock that all calls share. Setting the clock back loses only the refill of that
            time.
        network : bytes
            Digest of the sender's network; empty if it is unknown.
        """
        with self._lock:
            state = self._states.setdefault(survey_id, _State(tokens=self.limit.burst, at=at))
            self._check_cap(survey_id, state, at)
            state.refill(at, self.limit.per_second, self.limit.burst)
            if state.tokens < 1:
                _refuse(state, self.limit.per_second)
            if network:
                self._use_network_share(state, network, at)
            state.tokens -= 1
            state.room -= 1

    def _use_network_share(self, state: _State, network: bytes, at: float) -> None:
        per_second = self.limit.per_second * RATE_OF_NETWORK
        burst = max(1.0, self.limit.burst * BURST_OF_NETWORK)
        # Move the visiting network to the end, so that the networks that were quiet longest come first.
        bucket_of_network = state.networks.pop(network, None) or _Bucket(tokens=burst, at=at)
        bucket_of_network.refill(at, per_second, burst)
        state.networks[network] = bucket_of_network
        for other in list(itertools.islice(state.networks, _CHECKED_PER_VISIT)):
            bucket = state.networks[other]
            bucket_is_full = bucket.tokens + max(0.0, at - bucket.at) * per_second >= burst
            if other != network and (bucket_is_full or len(state.networks) > MOST_NETWORKS):
                del state.networks[other]
        if bucket_of_network.tokens < 1:
            _refuse(bucket_of_network, per_second)
        bucket_of_network.tokens -= 1

    def _check_cap(self, survey_id: int, state: _State, at: float) -> None:
        # Counting reads all receipts, so count only when a tenth of the remaining capacity has been used.
        # With w processes, the cap is exceeded by at most w - 1 tenths of the capacity at the last count.
        if state.room < 1 and (state.recount_at is None or at >= state.recount_at):
            left = self.limit.cap - self.count_receipts(survey_id, self.limit.cap)
            state.room = -(-left // 10) if left > 0 else 0
            state.recount_at = at + SECONDS_BETWEEN_COUNTS_WHEN_FULL if left <= 0 else None
        if state.room < 1:
            raise SurveyError("full.submissions", cap=self.limit.cap, retry_after=SECONDS_WHEN_FULL)


def _refuse(bucket: _Bucket, per_second: float) -> None:
    raise SurveyError("too_many", retry_after=int((1 - bucket.tokens) / per_second) + 1)
