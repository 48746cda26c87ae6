"""A token that names this home, and the queue of its workers."""

from __future__ import annotations

import secrets
from functools import lru_cache
from pathlib import Path
from typing import Final

from surveys.jobs.once_file import made_once

TOKEN_FILE: Final = "home_token"  # noqa: S105 (a name)
_TOKEN_BYTES: Final = 12


@lru_cache(maxsize=64)
def home_token(home: Path) -> str:
    """Return the random name of a home directory, creating it on first use."""
    return made_once(home / TOKEN_FILE, secrets.token_hex(_TOKEN_BYTES))


def queue_of(token: str) -> str:
    """Return the broker's queue for work that needs the files of the home with this token.

    >>> queue_of("00ff")
    'home-00ff'
    """
    return f"home-{token}"
