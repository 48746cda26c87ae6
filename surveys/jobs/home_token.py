"""A token that names this home, and the queue of its workers."""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Final

TOKEN_FILE: Final = "home_token"  # noqa: S105 (a name)
_TOKEN_BYTES: Final = 12


def made_once(path: Path, text: str) -> str:
    """Return the contents of a file; if it is missing, create it with `text`, readable only by its owner.

    If several processes create it at once, one succeeds and all return its text.
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
    """Return the random name of a home directory, creating it on first use."""
    return made_once(home / TOKEN_FILE, secrets.token_hex(_TOKEN_BYTES))


def queue_of(token: str) -> str:
    """Return the broker's queue for work that needs the files of the home with this token.

    >>> queue_of("00ff")
    'home-00ff'
    """
    return f"home-{token}"
