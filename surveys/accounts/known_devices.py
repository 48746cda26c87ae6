"""Devices of earlier log-ins, whose attempts are checked before those of unknown ones.

During a flood of the log-in page, people on known devices go first, and guesses made elsewhere do not lock
them out. After them come visitors with the fewest requests. The log-in page sets a signed cookie for itself;
browsers send it to no other page, and respondents' pages never see it.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.http.cookie import parse_cookie

from surveys.accounts.lock_out import address_part, name_digest
from surveys.policy import MOST_OF_NAME_AT_ADDRESS
from surveys.server.lanes import ArrivalCounts, Rank

COOKIE: Final = "sottovoce_familiar"
FAMILIAR_SECONDS: Final = 90 * 24 * 3600
_SALT: Final = "surveys.accounts.known_devices"
"""Browsers keep cookies signed with it, so it must not change when this module is renamed."""
_ARRIVALS = itertools.count()
_ARRIVAL_COUNTS = ArrivalCounts(forget_after=900, most=10_000)


def device_of(cookies: Mapping[str, str], *, name: str | None = None) -> str:
    """Return the device of a log-in, "" for an unknown one; `name` must have logged in on it before."""
    try:
        device, of_name = signing.loads(cookies.get(COOKIE, ""), salt=_SALT, max_age=FAMILIAR_SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(device) if name is None or of_name == name_digest(name) else ""


def device_remember(request: HttpRequest, response: HttpResponse, *, name: str, path: str) -> None:
    """Remember the device as one that `name` logged in from; `path` is the log-in page's."""
    device = device_of(request.COOKIES, name=name) or secrets.token_hex(16)
    response.set_cookie(
        COOKIE,
        signing.dumps((device, name_digest(name)), salt=_SALT),
        max_age=FAMILIAR_SECONDS,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def address_of(meta: Mapping[str, Any]) -> str:
    """Return the address that a log-in comes from.

    Behind a proxy this is the last address that the proxy lists; visitors can make up the earlier ones.
    """
    if settings.HTTPS:
        address = str(meta.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        if address:
            return address
    return str(meta.get("REMOTE_ADDR", ""))


def rank_of(meta: Mapping[str, Any], arrivals: ArrivalCounts = _ARRIVAL_COUNTS) -> Rank:
    """Return the position of a log-in among those that wait.

    Known devices go first, up to as many times as log-ins may fail, so a stolen cookie cannot fill the lane.
    Next come visitors with the fewest requests and, among equals, the latest: a flood that began earlier is
    not processed before a new visitor.
    """
    device = device_of(parse_cookie(meta.get("HTTP_COOKIE", "")))
    who = f"device {device}" if device else f"address {address_part(address_of(meta))}"
    times = arrivals.count(who)
    return (0 if device and times < MOST_OF_NAME_AT_ADDRESS else 1, times, -next(_ARRIVALS))
