"""Remember in a cookie on which device a name has logged in."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from surveys.accounts.log_in_digests import name_digest

COOKIE: Final = "sottovoce_familiar"


FAMILIAR_SECONDS: Final = 90 * 24 * 3600


_COOKIE_SALT: Final = "surveys.accounts.known_devices"
"""Must not change when this module is renamed, because browsers keep cookies that were signed with it."""


def device_of(cookies: Mapping[str, str], *, name: str | None = None) -> str:
    """Return the known device of a log-in, or ""; if `name` is given, it must have logged in there before."""
    try:
        device, of_name = signing.loads(cookies.get(COOKIE, ""), salt=_COOKIE_SALT, max_age=FAMILIAR_SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(device) if name is None or of_name == name_digest(name) else ""


def device_remember(request: HttpRequest, response: HttpResponse, *, name: str, path: str) -> None:
    """Remember the device as one on which `name` has logged in; `path` is that of the log-in page."""
    device = device_of(request.COOKIES, name=name) or secrets.token_hex(16)
    response.set_cookie(
        COOKIE,
        signing.dumps((device, name_digest(name)), salt=_COOKIE_SALT),
        max_age=FAMILIAR_SECONDS,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
