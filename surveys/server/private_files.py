"""Keep SQLite's files unreadable for other accounts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper


def keep_private(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Make SQLite's files unreadable for other accounts, once a connection has created or found them."""
    if connection.vendor == "sqlite":
        for beside in ("", "-wal", "-shm"):
            path = Path(f"{connection.settings_dict['NAME']}{beside}")
            if path.is_file() and path.stat().st_mode & 0o077:
                path.chmod(0o600)
