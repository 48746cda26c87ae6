"""SOTTO_HOME: what is made there once, and which home a process shares with others.

Columns lie in a home. Workers that see the same one can share the work of making them; workers with homes of
their own cannot, and each home has a queue of its own for what belongs to it. Two directories are one home
if they hold the same token, by whatever path or machine they are reached.
"""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = ["home_token", "made_once", "queue_of"]

TOKEN_FILE: Final = "home_token"
_TOKEN_BYTES: Final = 12


def made_once(path: Path, text: str) -> str:
    """Return what the file holds; where there is none it is made with this text, for its owner only.

    Of several processes that make it at once one succeeds, and all read what that one wrote.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


@lru_cache(maxsize=64)
def home_token(home: Path) -> str:
    """Return the random name of a home, which is made on first use."""
    return made_once(home / TOKEN_FILE, secrets.token_hex(_TOKEN_BYTES))


def queue_of(token: str) -> str:
    """Return the broker's queue for work on files of the home with this token.

    >>> queue_of("00ff")
    'home-00ff'
    """
    return f"home-{token}"
