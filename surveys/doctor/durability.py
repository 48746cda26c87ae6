"""Checks of durability: commits on the disk, and backups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import connection

from surveys.doctor.diagnosis import Check, CheckContext, Diagnosis, failure, ok, warning
from surveys.server.backup_notes import MADE, backup_problems, noted

_DURABLE: Final = ("fsync", "full_page_writes", "synchronous_commit")
# What the server says, not what this session was set to.
_SETTINGS: Final = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND reset_val = 'off' ORDER BY name"


def commits_reach_the_disk(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database writes a commit to its disk before it tells of it."""
    promise = "what was stored outlives a crash"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            # FULL and EXTRA.
            off = [] if cursor.fetchone()[0] >= 2 else ["synchronous"]
        else:
            cursor.execute(_SETTINGS, [list(_DURABLE)])
            off = [name for (name,) in cursor.fetchall()]
    if off:
        remedy = "Set each to on (docs/operators.md, PostgreSQL), then: systemctl restart postgresql."
        yield failure(promise, f"off: {', '.join(off)}", remedy)
    else:
        yield ok(promise, "a commit is on the disk before it is told of")


def backups_are_made(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for a backup that failed or is old."""
    promise = "there is a backup of last night"
    problems = list(backup_problems(now=context.now))
    for problem in problems:
        yield (failure if problem.is_broken else warning)(promise, problem.seen, problem.remedy)
    if not problems:
        last = noted(MADE)
        seen = "no backup is due yet" if last is None else f"the last is of {last.at:%Y-%m-%d %H:%M} UTC"
        yield ok(promise, seen)


CHECKS: tuple[Check, ...] = (commits_reach_the_disk, backups_are_made)
