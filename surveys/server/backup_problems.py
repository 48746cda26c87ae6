"""Whether backups are made: the notes about the last finished and the last failed one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min

from surveys.models import Beat

MADE: Final = "backup"
"""Name of the heartbeat that records when the last backup finished."""

FAILED: Final = "backup failed"

LATE: Final = timedelta(hours=36)
"""If the last backup is older than this, a nightly backup was missed."""

BROKEN: Final = timedelta(days=7)

_BACK_UP: Final = (
    "Type: systemctl start sottovoce-backup, or sottovoce backup DIR. To see why it failed, type "
    "journalctl -u sottovoce-backup."
)


@dataclass(frozen=True, kw_only=True)
class BackupProblem:
    """A problem with the backups.

    Parameters
    ----------
    name : str
        Name that does not change while the problem lasts.
    seen, remedy : str
    is_broken : bool
        Whether this is certainly a problem, so that no one needs to judge it.
    """

    name: str
    seen: str
    remedy: str
    is_broken: bool


def backup_note(name: str) -> Beat | None:
    """Return the note about the last finished or failed backup; None if there is none."""
    return Beat.objects.filter(name=name).first()


def backup_problems(*, now: datetime) -> Iterator[BackupProblem]:
    """Yield the current problems: a failed backup, or a last backup that is too long ago."""
    newest, failed = backup_note(MADE), backup_note(FAILED)
    age = now - (_database_since(now) if newest is None else newest.at)
    last = "no backup was ever made" if newest is None else f"last backup {newest.at:%Y-%m-%d %H:%M} UTC"
    if age > LATE:
        name = "backup broken" if age > BROKEN else "backup late"
        yield BackupProblem(name=name, seen=last, remedy=_BACK_UP, is_broken=age > BROKEN)
    if failed is not None and (newest is None or failed.at > newest.at):
        seen = f"the backup of {failed.at:%Y-%m-%d %H:%M} UTC failed: {failed.says['reason']}; {last}"
        yield BackupProblem(name="backup failed", seen=seen, remedy=_BACK_UP, is_broken=age > BROKEN)


def _database_since(now: datetime) -> datetime:
    migrations = MigrationRecorder.Migration.objects.filter(app="surveys")
    return migrations.aggregate(first=Min("applied"))["first"] or now
