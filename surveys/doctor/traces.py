"""Checks of the database's traces of deleted rows, statements and times, beside its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import connection

from surveys.doctor.diagnosis import CheckContext, Diagnosis, failure, ok

_OFF: Final = {"off", "0", "-1", "none", "never"}
_NOTES: Final = (
    "log_statement",
    "log_min_duration_statement",
    "log_min_duration_sample",
    "track_commit_timestamp",
)


def deleted_rows_are_gone(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that deleted rows are erased; PostgreSQL needs a hand there (docs/operators.md)."""
    if connection.vendor == "sqlite":
        yield from _sqlite()


def nobody_notes_statements(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database logs no statements: they would reveal answers and their time."""
    promise = "the database notes neither statements nor their times"
    if connection.vendor == "sqlite":
        yield ok(promise, "SQLite keeps no log of statements")
        return
    noting = {name: value for name in _NOTES if (value := _setting(name)) not in _OFF}
    if noting:
        seen = ", ".join(f"{name} = {value}" for name, value in noting.items())
        yield failure(promise, seen, "Turn them off in postgresql.conf and delete the logs there are.")
    else:
        yield ok(promise, "statement log and commit times are off")


def _sqlite() -> Iterator[Diagnosis]:
    promise = "deleted rows are overwritten, and what was acknowledged survives a power cut"
    wanted = {"journal_mode": "wal", "secure_delete": "1", "synchronous": "2"}
    with connection.cursor() as cursor:
        values = {name: str(cursor.execute(f"PRAGMA {name}").fetchone()[0]) for name in wanted}
        tables = {row[1]: row[4] for row in cursor.execute("PRAGMA table_list").fetchall()}
    odd = [f"{name} = {values[name]}" for name in wanted if values[name] != wanted[name]]
    if odd:
        yield failure(promise, ", ".join(odd), "Restore the settings of the database in surveys/settings.py.")
    else:
        yield ok(promise, "write-ahead log, secure_delete, full synchronisation")
    promise = "neither receipts nor waiting rows have a hidden number"
    numbered = [name for name in ("surveys_receipt", "surveys_inbox") if not tables.get(name)]
    if numbered:
        yield failure(promise, f"{', '.join(numbered)} count arrivals", "Restore the database from a backup.")
    else:
        yield ok(promise, "both tables are WITHOUT ROWID")


def _setting(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true)", [name])
        row = cursor.fetchone()
    return str(row[0]) if row and row[0] is not None else "off"


CHECKS = (deleted_rows_are_gone, nobody_notes_statements)
