"""How many submissions a survey takes: a token bucket for the rate and a cap for the sum; never per address.

The bucket lives in the memory of each web process, on purpose. Its state says to the millisecond when the
last submission came: in the database the write-ahead log, and in a broker with a journal that journal, would
be a diary of arrivals, one entry a submission, beside receipts that are kept in the same order. In memory
nothing is written, no round trip is added, and submissions do not depend on the broker. The price: the rate
holds per process, so w web processes let through w times as much. It is there to blunt a flood, not to count.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from surveys.errors.error import SurveyError

# A survey that is full stays full; whoever waits may ask again in an hour, in case the operator raised the
# cap.
SECONDS_WHEN_FULL = 3600
# How long "full" is believed before the receipts are counted again.
SECONDS_BETWEEN_COUNTS_WHEN_FULL = 60.0


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
class _State:
    tokens: float
    at: float
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

    def admit(self, survey_id: int, *, at: float) -> None:
        """Take one token of the survey, or refuse with 429.

        Parameters
        ----------
        survey_id : int
            Of a survey that exists: the memory used grows with the surveys.
        at : float, seconds
            The time, by any clock that all calls share. A clock that is set back loses nothing but the time.
        """
        with self._lock:
            state = self._states.setdefault(survey_id, _State(tokens=self.limit.burst, at=at))
            self._check_cap(survey_id, state, at)
            passed = max(0.0, at - state.at)
            state.tokens = min(self.limit.burst, state.tokens + passed * self.limit.per_second)
            state.at = at
            if state.tokens < 1:
                wait = (1 - state.tokens) / self.limit.per_second
                raise SurveyError("too_many", retry_after=int(wait) + 1)
            state.tokens -= 1
            state.room -= 1

    def _check_cap(self, survey_id: int, state: _State, at: float) -> None:
        # Counting receipts reads them all, so it is done rarely: each time a tenth of the room is used up.
        # With w processes the cap is passed by at most w - 1 tenths of the room left at the last count.
        if state.room < 1 and (state.recount_at is None or at >= state.recount_at):
            left = self.limit.cap - self.count_receipts(survey_id, self.limit.cap)
            state.room = -(-left // 10) if left > 0 else 0
            state.recount_at = at + SECONDS_BETWEEN_COUNTS_WHEN_FULL if left <= 0 else None
        if state.room < 1:
            raise SurveyError("full.submissions", cap=self.limit.cap, retry_after=SECONDS_WHEN_FULL)
