"""Devices of earlier log-ins, whose attempts are checked before those of unknown ones.

While strangers flood the log-in page, people known by their device go first, and guesses made elsewhere
do not keep them out. After them come those who asked least often. The page that logs in sets a signed cookie
for itself; no other page is sent it, and respondents' pages know none.
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

COOKIE: Final = "sotto_familiar"
FAMILIAR_SECONDS: Final = 90 * 24 * 3600
_SALT: Final = "surveys.accounts.known_devices"
"""Browsers keep what is signed with it: it stays as it is, however this module is called."""
_ARRIVALS = itertools.count()
_ARRIVAL_COUNTS = ArrivalCounts(forget_after=900, most=10_000)


def device_of(cookies: Mapping[str, str], *, name: str | None = None) -> str:
    """Return the device that a log-in comes from, "" for an unknown one; `name` must have logged in there."""
    try:
        device, of_name = signing.loads(cookies.get(COOKIE, ""), salt=_SALT, max_age=FAMILIAR_SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(device) if name is None or of_name == name_digest(name) else ""


def device_remember(request: HttpRequest, response: HttpResponse, *, name: str, path: str) -> None:
    """Have the device known from now on as one that `name` logged in from; `path` is the log-in page's."""
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

    Behind a proxy it is the last one that the proxy names; those before it a visitor can make up.
    """
    if settings.HTTPS:
        address = str(meta.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        if address:
            return address
    return str(meta.get("REMOTE_ADDR", ""))


def rank_of(meta: Mapping[str, Any], arrivals: ArrivalCounts = _ARRIVAL_COUNTS) -> Rank:
    """Return the place of a log-in among those that wait.

    Known devices go first, as often as one may fail: nobody fills the lane with a cookie that they stole.
    After them those who asked least often, then those who came last: a flood that came before somebody is not
    done before them.
    """
    device = device_of(parse_cookie(meta.get("HTTP_COOKIE", "")))
    who = f"device {device}" if device else f"address {address_part(address_of(meta))}"
    times = arrivals.count(who)
    return (0 if device and times < MOST_OF_NAME_AT_ADDRESS else 1, times, -next(_ARRIVALS))
