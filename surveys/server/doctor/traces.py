"""Check that the database keeps no traces of deleted rows and of statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import connection

from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok

_OFF: Final = {"off", "0", "-1", "none", "never"}
_NOTES: Final = (
    "log_statement",
    "log_min_duration_statement",
    "log_min_duration_sample",
    "track_commit_timestamp",
)


def deleted_rows_are_erased(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that deleted rows are erased; in PostgreSQL the operator must do this (docs/operators.md)."""
    if connection.vendor == "sqlite":
        yield from _sqlite()


def statements_are_not_logged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database logs no statements, which would reveal answers and their time."""
    promise = "the database logs neither statements nor their times"
    if connection.vendor == "sqlite":
        yield ok(promise, "SQLite has no statement log")
        return
    noting = {name: value for name in _NOTES if (value := _setting(name)) not in _OFF}
    if noting:
        seen = ", ".join(f"{name} = {value}" for name, value in noting.items())
        yield failure(promise, seen, "Turn them off in postgresql.conf, and delete existing logs.")
    else:
        yield ok(promise, "statement log and commit times are off")


def _sqlite() -> Iterator[Diagnosis]:
    promise = "deleted rows are overwritten, and confirmed writes survive a power cut"
    expected = {"journal_mode": "wal", "secure_delete": "1", "synchronous": "2"}
    with connection.cursor() as cursor:
        values = {name: str(cursor.execute(f"PRAGMA {name}").fetchone()[0]) for name in expected}
        tables = {row[1]: row[4] for row in cursor.execute("PRAGMA table_list").fetchall()}
    odd = [f"{name} = {values[name]}" for name in expected if values[name] != expected[name]]
    if odd:
        yield failure(promise, ", ".join(odd), "Restore the database settings in surveys/settings.py.")
    else:
        yield ok(promise, "write-ahead log, secure_delete, full synchronisation")
    promise = "receipts and waiting rows have no hidden row numbers"
    with_ids = [name for name in ("surveys_receipt", "surveys_inbox") if not tables.get(name)]
    if with_ids:
        yield failure(
            promise,
            f"{', '.join(with_ids)} number rows as they arrive",
            "Restore the database from a backup.",
        )
    else:
        yield ok(promise, "both tables are WITHOUT ROWID")


def _setting(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true)", [name])
        row = cursor.fetchone()
    return str(row[0]) if row and row[0] is not None else "off"


TRACES_CHECKS = (deleted_rows_are_erased, statements_are_not_logged)
