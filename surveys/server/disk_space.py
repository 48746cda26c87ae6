"""Free space on the disk of the home and the database, and how much is enough."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

LEAST_BYTES: Final = 200 << 20
"""With less, the disk has no space for a mix, a log and a run at the same time."""

COMFORTABLE_BYTES: Final = 2 << 30


def free_bytes() -> int:
    """Return the free space on the disk of the home or, with SQLite, of the database if that has less."""
    return min(shutil.disk_usage(place).free for place in _places())


def free_share() -> float:
    """Return the free share, from 0 to 1, of the same disk; of the fuller one if there are two."""
    return min(usage.free / usage.total for usage in map(shutil.disk_usage, _places()))


def _places() -> set[Path]:
    places = {Path(settings.SOTTOVOCE_HOME)}
    if connection.vendor == "sqlite":
        places.add(Path(str(connection.settings_dict["NAME"])).parent)
    return places
