"""Digests that replace typed names and addresses in counts of failures and in cookies."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac

_SALT: Final = "surveys.accounts.lock_out"
"""Must not change with the name of a module, because digests of names and addresses are stored."""


def name_digest(name: str) -> str:
    """Return the digest of a name as someone typed it."""
    return log_in_digest("name", User.normalize_username(name).casefold())


def log_in_digest(*parts: str) -> str:
    """Return the digest of what is counted, which begins with its kind: 64 hex digits."""
    return salted_hmac(_SALT, "\0".join(parts), algorithm="sha256").hexdigest()
