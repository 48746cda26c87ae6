"""Room on the disks of this machine that Sotto writes to."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

LEAST_BYTES: Final = 200 << 20
"""With less free there is no room for a mix, a log and a run at once."""

COMFORTABLE_BYTES: Final = 2 << 30


@dataclass(frozen=True, kw_only=True)
class Room:
    """Room on the fuller one of the disks.

    Parameters
    ----------
    free, total : int
        Bytes.
    """

    free: int
    total: int


def room() -> Room:
    """Return the room where the home is and, with SQLite, where the database is."""
    places = {Path(settings.SOTTO_HOME)}
    if connection.vendor == "sqlite":
        places.add(Path(str(connection.settings_dict["NAME"])).parent)
    usage = min(map(shutil.disk_usage, places), key=lambda used: used.free)
    return Room(free=usage.free, total=usage.total)


def keep_private(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Close SQLite's files to other accounts, as soon as a connection has made or found them."""
    if connection.vendor == "sqlite":
        for beside in ("", "-wal", "-shm"):
            path = Path(f"{connection.settings_dict['NAME']}{beside}")
            if path.is_file() and path.stat().st_mode & 0o077:
                path.chmod(0o600)
