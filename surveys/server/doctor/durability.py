"""Check that commits reach the disk and that backups are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import connection

from surveys.server.backup_problems import MADE, backup_note, backup_problems
from surveys.server.doctor.diagnosis import Check, CheckContext, Diagnosis, failure, ok, warning

_DURABLE: Final = ("fsync", "full_page_writes", "synchronous_commit")
# `reset_val` is the server's value, not the one set for this session.
_SETTINGS: Final = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND reset_val = 'off' ORDER BY name"


def commits_reach_the_disk(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database writes a commit to disk before it confirms it."""
    promise = "stored data survives a crash"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            # SQLite reports FULL as 2 and EXTRA as 3.
            off = [] if cursor.fetchone()[0] >= 2 else ["synchronous"]
        else:
            cursor.execute(_SETTINGS, [list(_DURABLE)])
            off = [name for (name,) in cursor.fetchall()]
    if off:
        remedy = "Set each to on (docs/operators.md, PostgreSQL), then run systemctl restart postgresql."
        yield failure(promise, f"off: {', '.join(off)}", remedy)
    else:
        yield ok(promise, "commits reach the disk before they are confirmed")


def backups_are_made(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for failed or late backups."""
    promise = "backups are recent"
    problems = list(backup_problems(now=context.now))
    for problem in problems:
        yield (failure if problem.is_broken else warning)(promise, problem.seen, problem.remedy)
    if not problems:
        last = backup_note(MADE)
        seen = "no backup is due yet" if last is None else f"last backup {last.at:%Y-%m-%d %H:%M} UTC"
        yield ok(promise, seen)


DURABILITY_CHECKS: tuple[Check, ...] = (commits_reach_the_disk, backups_are_made)
