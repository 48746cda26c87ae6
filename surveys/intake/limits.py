"""How many submissions a survey takes: a token bucket for the rate, a share by network, a cap for the sum.

The bucket lives in the memory of each web process, on purpose. Its state says to the millisecond when the
last submission came: in the database the write-ahead log, and in a broker with a journal that journal, would
be a diary of arrivals, one entry a submission, beside receipts that are kept in the same order. In memory
nothing is written, no round trip is added, and submissions do not depend on the broker. The price: the rate
holds per process, so w web processes let through w times as much. It is there to blunt a flood, not to count.

One network alone gets a quarter of the rate and half of the burst: who floods from it refuses nobody but its
own neighbours. What stands for a network is no address (`surveys.intake.networks`), and goes as soon as its
bucket is full again.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from surveys.errors.error import SurveyError

# A survey that is full stays full; a client may ask again in an hour, in case the operator raised the
# cap.
SECONDS_WHEN_FULL = 3600
# How long "full" is believed before the receipts are counted again.
SECONDS_BETWEEN_COUNTS_WHEN_FULL = 60.0

RATE_OF_NETWORK: Final = 0.25
BURST_OF_NETWORK: Final = 0.5
"""Shares of a survey's bucket that one network may take: a school of one address answers within a minute."""
_LOOKED_AT: Final = 8
MOST_NETWORKS: Final = 4096
"""Networks of one survey that are told apart. Of more the oldest are forgotten, a flood from all."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """Parameters of the limits of every survey.

    Parameters
    ----------
    per_second : float
        Submissions a second, in the long run, that a process takes for one survey.
    burst : int
        Submissions that may come at once after a quiet time.
    cap : int
        Submissions of one survey in all.
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
        """Let in what the time since the last visit brings."""
        self.tokens = min(burst, self.tokens + max(0.0, at - self.at) * per_second)
        self.at = at


@dataclass
class _State(_Bucket):
    networks: dict[bytes, _Bucket] = field(default_factory=dict)
    room: int = 0
    recount_at: float | None = None


@dataclass
class Limiter:
    """Admits submissions of surveys, by one `Limit`; safe to share between threads.

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
        """Take one token of the survey, and of the network's share of it, or refuse with 429.

        Parameters
        ----------
        survey_id : int
            Of a survey that exists: the memory used grows with the surveys.
        at : float, seconds
            The time, by any clock that all calls share. A clock that is set back loses nothing but the time.
        network : bytes
            What stands for the network that it comes from; empty where nobody tells.
        """
        with self._lock:
            state = self._states.setdefault(survey_id, _State(tokens=self.limit.burst, at=at))
            self._check_cap(survey_id, state, at)
            state.refill(at, self.limit.per_second, self.limit.burst)
            if state.tokens < 1:
                _refuse(state, self.limit.per_second)
            if network:
                self._take_share(state, network, at)
            state.tokens -= 1
            state.room -= 1

    def networks(self, survey_id: int) -> int:
        """Return of how many networks something is remembered."""
        return len(self._states[survey_id].networks) if survey_id in self._states else 0

    def _take_share(self, state: _State, network: bytes, at: float) -> None:
        per_second = self.limit.per_second * RATE_OF_NETWORK
        burst = max(1.0, self.limit.burst * BURST_OF_NETWORK)
        # Who comes moves to the end, so in front are those that were quiet longest.
        own = state.networks.pop(network, None) or _Bucket(tokens=burst, at=at)
        own.refill(at, per_second, burst)
        state.networks[network] = own
        for other in list(itertools.islice(state.networks, _LOOKED_AT)):
            bucket = state.networks[other]
            bucket_is_full = bucket.tokens + max(0.0, at - bucket.at) * per_second >= burst
            if other != network and (bucket_is_full or len(state.networks) > MOST_NETWORKS):
                del state.networks[other]
        if own.tokens < 1:
            _refuse(own, per_second)
        own.tokens -= 1

    def _check_cap(self, survey_id: int, state: _State, at: float) -> None:
        # Counting receipts reads them all, so it is done rarely: each time a tenth of the room is used up.
        # With w processes the cap is passed by at most w - 1 tenths of the room left at the last count.
        if state.room < 1 and (state.recount_at is None or at >= state.recount_at):
            left = self.limit.cap - self.count_receipts(survey_id, self.limit.cap)
            state.room = -(-left // 10) if left > 0 else 0
            state.recount_at = at + SECONDS_BETWEEN_COUNTS_WHEN_FULL if left <= 0 else None
        if state.room < 1:
            raise SurveyError("full.submissions", cap=self.limit.cap, retry_after=SECONDS_WHEN_FULL)


def _refuse(bucket: _Bucket, per_second: float) -> None:
    raise SurveyError("too_many", retry_after=int((1 - bucket.tokens) / per_second) + 1)
