"""Notes on backups: when the last one was made or failed.

They stand among the heartbeats and are read and written without the models: before an upgrade the new program
backs up a database whose tables are those of an older one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction

__all__ = [
    "FAILED",
    "MADE",
    "BackupProblem",
    "Note",
    "backup_problems",
    "note",
    "noted",
]

MADE: Final = "backup"
FAILED: Final = "backup failed"

LATE: Final = timedelta(hours=36)
"""A night was missed."""

BROKEN: Final = timedelta(days=7)

_TABLE: Final = "surveys_beat"
_BACK_UP: Final = (
    "Type: systemctl start sotto-backup, or sotto backup DIR; journalctl -u sotto-backup says why not."
)


@dataclass(frozen=True, kw_only=True)
class Note:
    """One note: when, and what it says."""

    at: datetime
    says: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class BackupProblem:
    """What is wrong with the backups.

    Parameters
    ----------
    name : str
        The same for as long as it is wrong.
    seen, remedy : str
    is_broken : bool
        Whether nobody has to judge any more.
    """

    name: str
    seen: str
    remedy: str
    is_broken: bool


def note(name: str, *, now: datetime, **says: str) -> None:
    """Write a note in place of the one before it, in the columns that there are."""
    values = {
        "name": name,
        "at": connection.ops.adapt_datetimefield_value(now),
        "says": json.dumps(says),
    }
    with transaction.atomic(), connection.cursor() as cursor:
        names = [column for column in values if column in _columns(cursor)]
        cursor.execute(f"DELETE FROM {_TABLE} WHERE name = %s", [name])  # nosec B608
        marks = ", ".join(["%s"] * len(names))
        query = f"INSERT INTO {_TABLE} ({', '.join(names)}) VALUES ({marks})"  # nosec B608
        cursor.execute(query, [values[column] for column in names])


def noted(name: str) -> Note | None:
    """Return a note, or None where there is none."""
    with connection.cursor() as cursor:
        says = "says" if "says" in _columns(cursor) else "NULL"
        cursor.execute(f"SELECT at, {says} FROM {_TABLE} WHERE name = %s", [name])  # nosec B608
        row = cursor.fetchone()
    return None if row is None else Note(at=_moment(row[0]), says=json.loads(row[1] or "{}"))


def backup_problems(*, now: datetime) -> Iterator[BackupProblem]:
    """Yield what is wrong: a backup that failed, or the last one is too old."""
    made, failed = noted(MADE), noted(FAILED)
    age = now - (_database_since(now) if made is None else made.at)
    last = "none was ever made" if made is None else f"the last is of {made.at:%Y-%m-%d %H:%M} UTC"
    if age > LATE:
        name = "backup broken" if age > BROKEN else "backup late"
        yield BackupProblem(name=name, seen=last, remedy=_BACK_UP, is_broken=age > BROKEN)
    if failed is not None and (made is None or failed.at > made.at):
        reason = failed.says.get("reason", "the journal says why")
        seen = f"that of {failed.at:%Y-%m-%d %H:%M} UTC failed: {reason}; {last}"
        yield BackupProblem(name="backup failed", seen=seen, remedy=_BACK_UP, is_broken=age > BROKEN)


def _database_since(now: datetime) -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT MIN(applied) FROM django_migrations WHERE app = 'surveys'")
        (first,) = cursor.fetchone()
    return now if first is None else _moment(first)


def _columns(cursor: Any) -> set[str]:
    return {column.name for column in connection.introspection.get_table_description(cursor, _TABLE)}


def _moment(value: datetime | str) -> datetime:
    """SQLite keeps a time as text, in UTC."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
