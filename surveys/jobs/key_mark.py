"""The mark of the secret key: tells whether a database was created with the key that a process has."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils.crypto import salted_hmac

from surveys.models import Beat
from surveys.models.heartbeat import record_heartbeat

KEY_HEARTBEAT: Final = "secret key"
"""Name of the heartbeat that records the secret key a database was created with."""

KEY_MARK_SALT: Final = "surveys.jobs.heartbeats"
"""Salt of the key mark. Backups store the mark, so the salt stays the same even if this module is renamed."""


def key_mark() -> str:
    """Return a mark that identifies the secret key and reveals nothing else about it."""
    return salted_hmac(KEY_MARK_SALT, "secret key", algorithm="sha256").hexdigest()[:16]


def key_note(*, now: datetime, accept: bool = False) -> None:
    """Store the mark of the secret key if there is none; with `accept`, replace the stored mark."""
    if accept or not Beat.objects.filter(name=KEY_HEARTBEAT).exists():
        record_heartbeat(KEY_HEARTBEAT, now=now, says={"key": key_mark()})
