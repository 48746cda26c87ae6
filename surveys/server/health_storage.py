"""Checks of the database: schema, triggers, encoding, digests and clocks."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import ForeignKey
from django.utils import timezone

from surveys.extension import models_here
from surveys.intake.keys import current_key
from surveys.intake.mix import rows_without_key
from surveys.intake.transactions import standbys_have_replayed
from surveys.migrations._by_vendor import RunSQLByVendor
from surveys.models import AuditEvent, Batch, DrawingKey, Inbox, MixerKey, Receipt, Survey
from surveys.server.alerts import database_now, doubt_noted
from surveys.server.backup import MADE, backup_note, backup_problems
from surveys.server.database import absent_rows, pending_migrations, unknown_migrations
from surveys.server.health import Check, CheckContext, Diagnosis, failure, ok, warning

# Every table that a submission and its row are written to.
COLUMNS: Final = {
    Receipt: {"survey_id", "key", "digest", "fresh"},
    Inbox: {"key", "version_id", "sealed_under", "box"},
    Batch: {"id", "version_id", "n", "n_direct", "packed", "digest"},
}
BATCHES_LOOKED_AT = 500

# Only filled with names of our own tables and columns, never with user input.
_DANGLING: Final = (
    'SELECT COUNT(*) FROM "{0}" AS here WHERE "{1}" IS NOT NULL '
    'AND NOT EXISTS (SELECT 1 FROM "{2}" AS there WHERE there."{3}" = here."{1}")'
)

_ENCODINGS = {"sqlite": "PRAGMA encoding", "postgresql": "SHOW server_encoding"}
_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}


def migrations_are_applied(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the program and the tables match."""
    promise = "the database has the tables that this program expects"
    if unknown := unknown_migrations():
        yield failure(
            promise,
            f"it was written by a newer Sottovoce, which applied {', '.join(unknown[:3])}",
            "Put that release back in place, or restore a backup from before its migration.",
        )
    if pending := pending_migrations():
        seen = f"{len(pending)} migrations are to be applied: {', '.join(pending[:3])}"
        yield failure(promise, seen, "Back up, then run sottovoce migrate.")
    elif not unknown:
        yield ok(promise, f"{connection.vendor}, all migrations applied")


def every_letter_can_be_kept(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the encoding: PostgreSQL inherits it from the cluster, which without a locale allows only
    ASCII."""
    promise = "the database keeps texts in every language"
    with connection.cursor() as cursor:
        cursor.execute(_ENCODINGS[connection.vendor])
        (encoding,) = cursor.fetchone()
    if encoding in {"UTF8", "UTF-8"}:
        yield ok(promise, f"its encoding is {encoding}")
    else:
        remedy = "Make one with createdb --encoding=UTF8 --template=template0, and restore a backup into it."
        yield failure(promise, f"its encoding is {encoding}", remedy)


def what_is_written_once_stays(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the triggers that protect published versions, batches and the audit log."""
    promise = "the database refuses to change what is written once"
    with connection.cursor() as cursor:
        cursor.execute(_TRIGGERS[connection.vendor])
        present = {name for (name,) in cursor.fetchall()}
    triggers = triggers_of_the_migrations(connection.vendor)
    missing = sorted(triggers - present)
    if missing:
        yield failure(
            promise,
            f"missing or disabled: {', '.join(missing)}",
            "Find out who removed them; restore the database from a backup, or make them again as in "
            "surveys/migrations.",
        )
    else:
        yield ok(promise, f"{len(triggers)} triggers are there")


def triggers_of_the_migrations(vendor: str) -> set[str]:
    """Return the names of the triggers that all migrations together create."""
    names: set[str] = set()
    loader = MigrationLoader(connection)
    for key in loader.graph.forwards_plan(("surveys", loader.graph.leaf_nodes("surveys")[0][1])):
        for operation in loader.graph.nodes[key].operations:
            if isinstance(operation, RunSQLByVendor):
                for statement in operation.forwards_sql[vendor]:
                    names -= set(re.findall(r"DROP TRIGGER (?:IF EXISTS )?(\w+)", statement))
                    names |= set(re.findall(r"CREATE TRIGGER (\w+)", statement))
    return names


def rows_refer_to_what_is_there(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check references: an interrupted restore leaves rows without their parents."""
    promise = "every row belongs to something that is there"
    odd = []
    with connection.cursor() as cursor:
        for model in models_here():
            table = model._meta.db_table
            relations = connection.introspection.get_relations(cursor, table)
            for field in model._meta.concrete_fields:
                if not isinstance(field, ForeignKey):
                    continue
                if field.column not in relations:
                    odd.append(f"{table}.{field.column} is not checked")
                there = field.target_field
                cursor.execute(
                    _DANGLING.format(table, field.column, there.model._meta.db_table, there.column)
                )
                (dangling,) = cursor.fetchone()
                if dangling:
                    odd.append(f"{table}.{field.column} of {dangling} rows")
    if odd:
        remedy = "Restore the database from a backup, into an empty one (docs/operators.md)."
        yield failure(promise, f"what is named is not there: {', '.join(odd[:5])}", remedy)
    else:
        yield ok(promise, "all foreign keys are kept")


def applications_that_are_off_hold_nothing(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for rows of a disabled application, which are not deleted on their day."""
    promise = "what the database holds is of an application that is on"
    if counts := absent_rows():
        seen = ", ".join(f"{count} rows in {table}" for table, count in counts.items())
        remedy = "Name their application in SOTTOVOCE_APPS again; delete there what is not to be kept."
        yield warning(promise, seen, remedy)
    else:
        yield ok(promise, "no rows of others")


def answers_have_no_author_and_no_hour(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that no column for an address or a time was added."""
    promise = "receipts and rows have no address, no author and no time"
    odd = []
    with connection.cursor() as cursor:
        for model, expected in COLUMNS.items():
            table = model._meta.db_table
            columns = {
                column.name for column in connection.introspection.get_table_description(cursor, table)
            }
            odd += [f"{table}.{name}" for name in sorted(columns ^ expected)]
    if odd:
        yield failure(
            promise, f"not as released: {', '.join(odd)}", "Remove what was added, or restore a backup."
        )
    else:
        yield ok(promise, "receipts, inbox and batches have the columns they were released with")


def batches_are_whole(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the digest of each batch."""
    promise = "batches hold what was written"
    newest = Batch.objects.order_by("-pk").values_list("pk", "packed", "digest")[:BATCHES_LOOKED_AT]
    looked_at, bad_batches = 0, []
    for pk, data, digest in newest.iterator(chunk_size=50):
        looked_at += 1
        if hashlib.sha256(data).hexdigest() != digest:
            bad_batches.append(str(pk))
    if bad_batches:
        seen = f"batches {', '.join(bad_batches[:10])} do not match their digests"
        yield failure(promise, seen, "Restore the database from a backup.")
    else:
        yield ok(
            promise, f"the newest {looked_at} match their digests" if looked_at else "there are none yet"
        )


def clocks_agree(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the database's clock against this machine's, which determines leases, openings and closings."""
    promise = "the clock is right"
    remedy = "Set the clock by the network's time (NTP) on every machine that Sottovoce runs on."
    now = timezone.now()
    seconds = abs((database_now() - now).total_seconds())
    newest = AuditEvent.objects.order_by("-at").first()
    # SQLite has no clock of its own: what this machine wrote earlier must not lie in the future.
    if newest is not None and connection.vendor == "sqlite" and newest.at > now:
        yield failure(promise, f"the audit log has an event of {newest.at}, and it is {now}", remedy)
    elif seconds > MOST_CLOCK_DIFFERENCE:
        yield failure(promise, f"the database's clock is {seconds:.0f} s away from this one", remedy)
    else:
        yield ok(promise, f"the database's clock is {seconds:.1f} s away from this one")


def surveys_go_on_their_day(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that surveys are deleted on the day that respondents were shown."""
    promise = "surveys are deleted on the day that respondents were told"
    surveys = Survey.objects.filter(delete_at__isnull=False).order_by("delete_at")
    late = surveys.filter(delete_at__lte=context.now - LONGEST_DELAY)
    if late and (doubt := doubt_noted(now=context.now)):
        yield warning(
            promise, doubt, ("Check the clocks (timedatectl). The sweeper then continues by itself.")
        )
    elif late:
        yield failure(
            promise,
            ", ".join(f"{survey.slug} should have gone on {survey.delete_on}" for survey in late),
            "Start sottovoce sweep, read in its log what keeps it, then delete it: "
            "sottovoce delete_survey SLUG --really.",
        )
    elif survey := surveys.first():
        yield ok(promise, f"{surveys.count()} have one; the next is {survey.slug}, {survey.delete_on}")
    else:
        yield ok(promise, "no survey has one")


def drawing_key_is_there(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the drawing key, under which direct rows are redisguised."""
    promise = "undisguised answers are disguised once, under a key that stays"
    key = DrawingKey.objects.first()
    if key is None:
        yield failure(
            promise,
            "there is no key: nothing is computed from such answers",
            "Restore the database from a backup. Make no other key: the answers would be disguised twice.",
        )
    else:
        yield ok(promise, f"its mark is {key.mark}" if key.mark else "it is that of an earlier release")


MOST_CLOCK_DIFFERENCE = 5.0
LONGEST_DELAY = timedelta(hours=1)

STORED = (
    migrations_are_applied,
    every_letter_can_be_kept,
    what_is_written_once_stays,
    rows_refer_to_what_is_there,
    applications_that_are_off_hold_nothing,
    answers_have_no_author_and_no_hour,
    batches_are_whole,
    drawing_key_is_there,
)
STORAGE_CHECKS = (*STORED, surveys_go_on_their_day, clocks_agree)


_DURABLE: Final = ("fsync", "full_page_writes", "synchronous_commit")
# The server's value, not the one set for this session.
_SETTINGS: Final = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND reset_val = 'off' ORDER BY name"


def commits_reach_the_disk(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database writes a commit to disk before it confirms it."""
    promise = "what was stored outlives a crash"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous")
            # SQLite's values FULL and EXTRA.
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
        last = backup_note(MADE)
        seen = "no backup is due yet" if last is None else f"the last is of {last.at:%Y-%m-%d %H:%M} UTC"
        yield ok(promise, seen)


DURABILITY_CHECKS: tuple[Check, ...] = (commits_reach_the_disk, backups_are_made)


_OFF: Final = {"off", "0", "-1", "none", "never"}
_NOTES: Final = (
    "log_statement",
    "log_min_duration_statement",
    "log_min_duration_sample",
    "track_commit_timestamp",
)


def deleted_rows_are_gone(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that deleted rows are erased; in PostgreSQL the operator must do this (docs/operators.md)."""
    if connection.vendor == "sqlite":
        yield from _sqlite()


def nobody_notes_statements(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the database logs no statements, which would reveal answers and their time."""
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
    expected = {"journal_mode": "wal", "secure_delete": "1", "synchronous": "2"}
    with connection.cursor() as cursor:
        values = {name: str(cursor.execute(f"PRAGMA {name}").fetchone()[0]) for name in expected}
        tables = {row[1]: row[4] for row in cursor.execute("PRAGMA table_list").fetchall()}
    odd = [f"{name} = {values[name]}" for name in expected if values[name] != expected[name]]
    if odd:
        yield failure(promise, ", ".join(odd), "Restore the settings of the database in surveys/settings.py.")
    else:
        yield ok(promise, "write-ahead log, secure_delete, full synchronisation")
    promise = "neither receipts nor waiting rows have a hidden number"
    with_ids = [name for name in ("surveys_receipt", "surveys_inbox") if not tables.get(name)]
    if with_ids:
        yield failure(promise, f"{', '.join(with_ids)} count arrivals", "Restore the database from a backup.")
    else:
        yield ok(promise, "both tables are WITHOUT ROWID")


def _setting(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true)", [name])
        row = cursor.fetchone()
    return str(row[0]) if row and row[0] is not None else "off"


TRACES_CHECKS = (deleted_rows_are_gone, nobody_notes_statements)


def a_mixer_vouches(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a mixer vouches for its key: otherwise answers get 503, and devices retry for a week."""
    promise = "a mixer vouches that it can open what is sealed"
    if current_key(anew=True) is None:
        yield failure(
            promise,
            "none does: answers are refused until one comes round",
            "Start sottovoce sweep and keep it running (docs/operators.md).",
        )
    else:
        yield ok(promise, "a key is offered, and a test box was opened within ten minutes")


def keys_lie_elsewhere(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that keys and backups are kept apart: together they open the rows that were waiting."""
    promise = "the keys that open waiting rows lie apart from the database, for their owner only"
    folder = Path(settings.SOTTOVOCE_MIXER_KEYS)
    if not folder.exists():
        yield ok(promise, "this machine has none")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield failure(promise, f"others may enter {folder}", f"chmod 700 {folder}")
        return
    database = Path(str(connection.settings_dict["NAME"])).resolve()
    if connection.vendor == "sqlite" and folder.is_relative_to(database.parent):
        yield warning(
            promise,
            f"{folder} lies beside the database: what copies the one copies the other",
            "Set SOTTOVOCE_MIXER_KEYS to a folder that no backup and no snapshot holds, and start "
            "Sottovoce again.",
        )
    else:
        yield ok(promise, str(folder))


LONG_FOR_A_KEY = timedelta(minutes=20)
"""Twice the lifetime of a key while the mixer runs."""


def old_keys_are_destroyed(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that unneeded keys are destroyed: they would open old backups."""
    promise = "a key is of minutes: what waits is sealed anew, and the key is destroyed"
    positions = list(MixerKey.objects.exclude(unnamed_at="").values_list("unnamed_at", flat=True))
    by_position = {position: standbys_have_replayed(position) for position in set(positions)}
    waiting = sum(not by_position[position] for position in positions)
    old = MixerKey.objects.filter(unnamed_at="", drawn_at__lt=context.now - LONG_FOR_A_KEY).count()
    if waiting:
        yield warning(
            promise,
            f"{waiting} wait for a standby",
            "Look whether the standbys of PostgreSQL follow, drop replication slots that nobody uses, and "
            "let this role see them: GRANT pg_read_all_stats (docs/operators.md).",
        )
    elif old:
        yield warning(
            promise,
            f"{old} are older than {LONG_FOR_A_KEY.seconds // 60} minutes",
            "Look whether every sweeper runs, its log whether the step mix fails, and with SQLite whether a "
            "program holds the database open in a transaction.",
        )
    else:
        yield ok(promise, "none is older than that, and none waits for a standby")


def waiting_rows_can_be_opened(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for waiting rows whose key was lost, in a restore or with its folder."""
    promise = "what waits can be opened"
    sealed_for_nobody = rows_without_key().count()
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    others = MixerKey.objects.exclude(mixer__in=holder).values("name")
    away = Inbox.objects.filter(sealed_under__in=others).count()
    if sealed_for_nobody:
        yield warning(
            promise,
            f"{sealed_for_nobody} rows cannot: their keys are gone",
            "Nothing brings them back. They are deleted, and their number is kept, when their surveys are "
            "settled.",
        )
    elif away:
        yield warning(
            promise,
            f"{away} rows can by a mixer only that is away",
            "Start its sweeper: it seals them for the mixer that is here.",
        )
    else:
        yield ok(promise, "every waiting row names a key of the mixer")


MIXER_CHECKS = (a_mixer_vouches, keys_lie_elsewhere, old_keys_are_destroyed, waiting_rows_can_be_opened)
