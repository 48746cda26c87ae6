"""How many submissions a survey takes: a token bucket for the rate, a share by network, a cap for the sum.

The bucket lives in the memory of each web process, on purpose. Its state says to the millisecond when the
last submission came: in the database the write-ahead log, and in a broker with a journal that journal, would
be a diary of arrivals, one entry a submission, beside receipts that are kept in the same order. In memory
nothing is written, no round trip is added, and submissions do not depend on the broker. The price: the rate
holds per process, so w web processes let through w times as much. It is there to blunt a flood, not to count.

One network alone gets a quarter of the rate and half of the burst: who floods from it refuses nobody but its
own neighbours. What stands for a network is no address (`surveys.intake.limits`), and goes as soon as its
bucket is full again.
"""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import itertools
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.cache import patch_vary_headers

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


Network = bytes
"""Digest of a network; empty where the proxy does not tell an address."""

_PREFIX: Final = {4: 24, 6: 48}
_KEY: Final = secrets.token_bytes(32)


def network_of(meta: Mapping[str, Any]) -> Network:
    """Return the network of a request.

    Behind a proxy it is that of the last address that the proxy names; those before it a visitor can make up.
    """
    address = str(meta.get("HTTP_X_FORWARDED_FOR" if settings.HTTPS else "REMOTE_ADDR", ""))
    return network_digest(address.rpartition(",")[2].strip())


def network_digest(address: str, key: bytes = _KEY) -> Network:
    """Return the keyed digest of an address' network; empty for what is no address.

    >>> key = bytes(32)
    >>> near, far = network_digest("192.0.2.250", key), network_digest("192.0.3.7", key)
    >>> network_digest("192.0.2.7", key) == near, network_digest("192.0.2.7", key) == far
    (True, False)
    >>> network_digest("2001:db8:1::7", key) == network_digest("2001:db8:1:2::9", key), network_digest("")
    (True, b'')
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return b""
    number = getattr(number, "ipv4_mapped", None) or number
    network = int(number) >> (number.max_prefixlen - _PREFIX[number.version])
    message = f"{number.version} {network}".encode()
    return hashlib.blake2b(message, key=key, digest_size=16).digest()


class WaitingByNetwork:
    """Requests that wait or are worked on, by network; one is forgotten when none of it is left.

    >>> waiting = WaitingByNetwork()
    >>> [waiting.enter(b"a"), waiting.enter(b"a"), waiting.enter(b"b"), waiting.enter(b"")]
    [0, 1, 0, 0]
    >>> waiting.leave(b"a"), waiting.leave(b"a"), waiting.enter(b"a")
    (None, None, 0)
    """

    def __init__(self) -> None:
        self._waiting: Counter[Network] = Counter()

    def enter(self, network: Network) -> int:
        """Return how many of the same network were there before; 0 where it is not known."""
        if not network:
            return 0
        self._waiting[network] += 1
        return self._waiting[network] - 1

    def leave(self, network: Network) -> None:
        """Forget one that entered."""
        self._waiting[network] -= 1
        if self._waiting[network] <= 0:
            del self._waiting[network]

    @contextlib.contextmanager
    def place_of(self, meta: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
        """Give a request its place: who has fewest others waiting comes first."""
        network = network_of(meta)
        try:
            yield (self.enter(network),)
        finally:
            if network:
                self.leave(network)

    def __len__(self) -> int:
        return len(self._waiting)


SECONDS_REMEMBERED: Final = 7_200
"""As long as Chromium remembers the answer to a preflight at most."""

View = Callable[..., HttpResponse]


def is_client_origin(request: HttpRequest) -> bool:
    """Return whether a request is from a page of an origin that may serve the client."""
    return request.headers.get("Origin") in settings.SOTTO_CLIENT_ORIGINS


def readable_by_client(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the page of a listed origin read a response; leave it alone for all others."""
    if settings.SOTTO_CLIENT_ORIGINS:
        # Caches keep one answer for each origin, also of those that are told nothing.
        patch_vary_headers(response, ["Origin"])
    if is_client_origin(request):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = "Retry-After"
    return response


def preflight(request: HttpRequest, method: str) -> HttpResponse | None:
    """Answer a browser that asks whether a page of a listed origin may send a request; None to all else.

    Parameters
    ----------
    method : str
        The one that is taken at this address.
    """
    wanted = request.headers.get("Access-Control-Request-Method")
    if request.method != "OPTIONS" or not is_client_origin(request) or wanted != method:
        return None
    headers = {
        "Access-Control-Allow-Methods": method,
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": str(SECONDS_REMEMBERED),
        "Cache-Control": "no-store",
    }
    return readable_by_client(request, HttpResponse(status=204, headers=headers))


def open_to_clients(view: View) -> View:
    """Let pages of listed origins read what a view answers to GET."""

    @wraps(view)
    def opened(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        answer = preflight(request, "GET")
        if answer is not None:
            return answer
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return readable_by_client(request, view(request, *arguments, **named))

    return opened
