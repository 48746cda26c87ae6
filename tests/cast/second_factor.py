"""Somebody's app, for tests: it makes the codes that a telephone would."""

from __future__ import annotations

import hashlib
import hmac
import time

from django.contrib.auth.models import User
from django.test import Client

from surveys.models import AuthenticatorApp
from tests.cast.staff import PASSWORD

LOG_IN = "/en/staff/log-in/"
STEP = "/en/staff/log-in/code/"
OWN = "/en/staff/account/second-factor/"


def code_at(key: bytes, seconds: float, *, digits: int = 6) -> str:
    """Return a code as RFC 6238 has it, computed apart from the library that is tested."""
    digest = hmac.new(key, int(seconds // 30).to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**digits:0{digits}d}"


def with_app(user: User) -> bytes:
    """Give somebody an app whose codes count; return its secret."""
    app = AuthenticatorApp.begun(user)
    AuthenticatorApp.objects.filter(pk=app.pk).update(confirmed=True)
    return app.bin_key


def code(key: bytes, *, steps: int = 0) -> str:
    """Return the code that the app shows now, or so many steps of 30 seconds later."""
    return code_at(key, time.time() + 30 * steps)


def wrong(key: bytes) -> str:
    """Return six digits that are right neither now nor soon."""
    near = {code(key, steps=steps) for steps in range(-3, 4)}
    return next(guess for number in range(10) if (guess := f"{number:06d}") not in near)


def at_second_step(name: str, *, browser: Client | None = None, address: str = "192.0.2.7") -> Client:
    """Return a browser in which somebody's password was typed."""
    browser = browser or Client()
    answer = browser.post(LOG_IN, {"username": name, "password": PASSWORD}, REMOTE_ADDR=address)
    assert answer["Location"].startswith(STEP)
    return browser


def tried(browser: Client, typed: str, *, address: str = "192.0.2.7") -> int:
    """Type a code; return the status: 302 is in."""
    return browser.post(STEP, {"code": typed}, REMOTE_ADDR=address).status_code
