"""Checks of the database: schema, triggers, encoding, digests and clocks."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import ForeignKey
from django.utils import timezone

from surveys.errors.error import in_sentences
from surveys.extension import models_here
from surveys.intake.mix import rows_without_key
from surveys.intake.transactions import standbys_have_replayed
from surveys.models import AuditEvent, Batch, DrawingKey, Inbox, MixerKey, Receipt, Survey
from surveys.questionnaire.series import understatements_of
from surveys.server.alerts import clock_doubt
from surveys.server.backup_problems import MADE, backup_note, backup_problems
from surveys.server.database import absent_rows
from surveys.server.health import Check, CheckContext, Diagnosis, failure, ok, warning
from surveys.server.schema import Facts, facts_of_database, facts_of_models
from surveys.server.state import Kind, database_state, earlier_files

# Every table that a submission and its row are written to, with its columns.
COLUMNS: Final = {
    Receipt: {"survey_id", "key", "digest", "fresh"},
    Inbox: {"key", "version_id", "sealed_under", "box"},
    Batch: {"id", "version_id", "n", "n_direct", "packed", "digest"},
}
BATCHES_CHECKED = 500

# Only names of our own tables and columns are inserted, never user input.
_DANGLING: Final = (
    'SELECT COUNT(*) FROM "{0}" AS here WHERE "{1}" IS NOT NULL '
    'AND NOT EXISTS (SELECT 1 FROM "{2}" AS there WHERE there."{3}" = here."{1}")'
)

_ENCODINGS = {"sqlite": "PRAGMA encoding", "postgresql": "SHOW server_encoding"}


def the_schema_is_this_programs(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the tables are those that the migrations of this program make."""
    promise = "the database schema matches this program"
    state = database_state()
    if state.kind is Kind.OK:
        yield ok(
            promise, f"{connection.vendor}, {len(facts_of_models())} columns, keys and triggers compared"
        )
        return
    every = f"; every difference: {'; '.join(state.differences)}" if len(state.differences) > 2 else ""
    yield failure(promise, state.seen + every, in_sentences(state.remedy))


def no_database_of_the_earlier_name(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for a database that the program made under its earlier name, with answers that nobody deletes."""
    promise = "no database of the earlier name is left"
    if files := earlier_files(Path(settings.SOTTOVOCE_HOME)):
        yield warning(
            promise,
            f"{', '.join(map(str, files))} was made by Sotto, as this program was called, and is not used",
            "Export its surveys with the program that made it, then move or destroy it: no survey in it is "
            "deleted on its day.",
        )
    else:
        yield ok(promise, "none")


def texts_in_every_language_can_be_stored(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the encoding, which PostgreSQL inherits from the cluster; without a locale, this is ASCII."""
    promise = "the database can store texts in every language"
    with connection.cursor() as cursor:
        cursor.execute(_ENCODINGS[connection.vendor])
        (encoding,) = cursor.fetchone()
    if encoding in {"UTF8", "UTF-8"}:
        yield ok(promise, f"encoding {encoding}")
    else:
        remedy = (
            "Run createdb --encoding=UTF8 --template=template0, and restore a backup into the new database."
        )
        yield failure(promise, f"encoding {encoding}", remedy)


def immutable_rows_are_protected(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the triggers that protect published versions, batches and the audit log."""
    promise = "the database refuses to change immutable rows"
    with connection.cursor() as cursor:
        present = triggers_in(facts_of_database(cursor, connection.vendor))
    triggers = triggers_in(facts_of_models())
    missing = sorted(triggers - present)
    if missing:
        yield failure(
            promise,
            f"missing or disabled: {', '.join(missing)}",
            "Find out who removed them. Restore the database from a backup, or create them as in "
            "surveys/migrations.",
        )
    else:
        yield ok(promise, f"all {len(triggers)} triggers exist")


def triggers_in(facts: Facts) -> set[str]:
    """Return the names of the triggers among facts about a schema."""
    return {fact.name for fact in facts if fact.kind == "trigger"}


def references_are_valid(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check references, because an interrupted restore can leave rows without their parents."""
    promise = "every reference leads to an existing row"
    odd = []
    with connection.cursor() as cursor:
        for model in models_here():
            table = model._meta.db_table
            relations = connection.introspection.get_relations(cursor, table)
            for field in model._meta.concrete_fields:
                if not isinstance(field, ForeignKey):
                    continue
                if field.column not in relations:
                    odd.append(f"{table}.{field.column} has no constraint")
                there = field.target_field
                cursor.execute(
                    _DANGLING.format(table, field.column, there.model._meta.db_table, there.column)
                )
                (dangling,) = cursor.fetchone()
                if dangling:
                    odd.append(f"{table}.{field.column} in {dangling} rows")
    if odd:
        remedy = "Restore a backup into an empty database (docs/operators.md)."
        yield failure(promise, f"missing: {', '.join(odd[:5])}", remedy)
    else:
        yield ok(promise, "all foreign keys hold")


def disabled_applications_have_no_rows(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for rows of disabled applications, because these rows are not deleted on their day."""
    promise = "no tables of disabled applications contain rows"
    if counts := absent_rows():
        seen = ", ".join(f"{count:,} rows in {table}" for table, count in counts.items())
        remedy = "Add the application to SOTTOVOCE_APPS again, and delete these rows with it."
        yield warning(promise, seen, remedy)
    else:
        yield ok(promise, "none")


def answers_have_no_author_and_no_time(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that no column for an address or a time was added."""
    promise = "receipts and rows store no address, author or time"
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
            promise,
            f"these columns differ from the release: {', '.join(odd)}",
            "Drop added columns, or restore a backup.",
        )
    else:
        yield ok(promise, "receipts, inbox and batches have exactly the released columns")


def batches_are_unchanged(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the digests of the newest batches."""
    promise = "stored batches are unchanged"
    newest = Batch.objects.order_by("-pk").values_list("pk", "packed", "digest")[:BATCHES_CHECKED]
    looked_at, bad_batches = 0, []
    for pk, data, digest in newest.iterator(chunk_size=50):
        looked_at += 1
        if hashlib.sha256(data).hexdigest() != digest:
            bad_batches.append(str(pk))
    if bad_batches:
        seen = f"batches {', '.join(bad_batches[:10])} do not match their digests"
        yield failure(promise, seen, "Restore the database from a backup.")
    else:
        yield ok(promise, f"the newest {looked_at} match their digests" if looked_at else "none yet")


def clocks_agree(context: CheckContext) -> Iterator[Diagnosis]:
    """Compare the database's clock with this machine's, which decides leases, openings and closings."""
    promise = "the clock is right"
    remedy = "Set the clock by NTP on every machine that runs Sottovoce."
    now = timezone.now()
    newest = AuditEvent.objects.order_by("-at").first()
    # SQLite has no clock of its own, so check that no event of this machine lies in the future.
    if newest is not None and connection.vendor == "sqlite" and newest.at > now:
        yield failure(promise, f"the audit log has an event of {newest.at}, but it is {now} now", remedy)
    elif context.facts.clock:
        yield failure(promise, context.facts.clock, remedy)
    else:
        yield ok(promise, "it agrees with those of the database, the sweeper and the workers")


def pages_state_the_whole_risk(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that respondents of open surveys read what a skip and the other waves reveal."""
    promise = "respondents read the whole risk"
    surveys = Survey.objects.filter(state__in=(Survey.State.OPEN, Survey.State.PLANNED)).order_by("slug")
    said = {survey.slug: sentences for survey in surveys if (sentences := understatements_of(survey))}
    if said:
        seen = "; ".join(f"{slug}: {sentences[0]}" for slug, sentences in said.items())
        yield warning(promise, seen, "Ask their researchers to publish a new version.")
    else:
        yield ok(promise, f"{len(surveys)} open surveys state it")


def surveys_are_deleted_on_their_day(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that surveys are deleted on the day announced to respondents."""
    promise = "surveys are deleted on the announced day"
    surveys = Survey.objects.filter(delete_at__isnull=False).order_by("delete_at")
    late = surveys.filter(delete_at__lte=context.now - LONGEST_DELAY)
    if late and (doubt := clock_doubt(now=context.now)):
        yield warning(
            promise, doubt, ("Check the clocks (timedatectl). The sweeper then continues by itself.")
        )
    elif late:
        yield failure(
            promise,
            ", ".join(f"{survey.slug} should have been deleted on {survey.delete_on}" for survey in late),
            "Start sottovoce sweep, check its log for the reason, then delete the survey: "
            "sottovoce delete_survey SLUG --really.",
        )
    elif survey := surveys.first():
        yield ok(promise, f"{surveys.count()} have one; the next is {survey.slug} on {survey.delete_on}")
    else:
        yield ok(promise, "no survey has such a day")


def drawing_key_exists(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the key exists under which the server disguises direct rows."""
    promise = "the key that disguises undisguised answers exists"
    key = DrawingKey.objects.first()
    if key is None:
        yield failure(
            promise,
            "it is missing, so nothing is computed from these answers",
            "Restore the database from a backup. Do not create a new key: answers would be disguised twice.",
        )
    else:
        yield ok(promise, f"fingerprint {key.mark}")


LONGEST_DELAY = timedelta(hours=1)

STORED = (
    the_schema_is_this_programs,
    texts_in_every_language_can_be_stored,
    immutable_rows_are_protected,
    references_are_valid,
    disabled_applications_have_no_rows,
    answers_have_no_author_and_no_time,
    batches_are_unchanged,
    drawing_key_exists,
)
STORAGE_CHECKS = (
    *STORED,
    no_database_of_the_earlier_name,
    pages_state_the_whole_risk,
    surveys_are_deleted_on_their_day,
    clocks_agree,
)


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


def a_mixer_key_is_ready(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a mixer vouches for its key; otherwise answers get 503, and devices retry for a week."""
    promise = "a mixer can decrypt new answers"
    if context.facts.parts["mixer"] != "ok":
        yield failure(
            promise,
            "no mixer confirms this, so answers are refused",
            "Start sottovoce sweep and keep it running (docs/operators.md).",
        )
    else:
        yield ok(promise, "a mixer decrypted a test message within the last ten minutes")


def keys_are_kept_apart(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that keys are kept apart from backups, because together they open the rows that were waiting."""
    promise = "keys of waiting rows are private and kept apart from the database"
    folder = Path(settings.SOTTOVOCE_MIXER_KEYS)
    if not folder.exists():
        yield ok(promise, "no keys on this machine")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield failure(promise, f"other accounts can open {folder}", f"chmod 700 {folder}")
        return
    database = Path(str(connection.settings_dict["NAME"])).resolve()
    if connection.vendor == "sqlite" and folder.is_relative_to(database.parent):
        yield warning(
            promise,
            f"{folder} is in the database's directory, so a copy of one includes the other",
            "Set SOTTOVOCE_MIXER_KEYS outside all backups and snapshots, and restart Sottovoce.",
        )
    else:
        yield ok(promise, str(folder))


LONG_FOR_A_KEY = timedelta(minutes=20)
"""Twice the lifetime of a key when the mixer is running."""


def old_keys_are_destroyed(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that unneeded keys are destroyed, because they could open rows in old backups."""
    promise = "keys are replaced every ten minutes and then destroyed"
    positions = list(MixerKey.objects.exclude(unnamed_at="").values_list("unnamed_at", flat=True))
    by_position = {position: standbys_have_replayed(position) for position in set(positions)}
    waiting = sum(not by_position[position] for position in positions)
    old = MixerKey.objects.filter(unnamed_at="", drawn_at__lt=context.now - LONG_FOR_A_KEY).count()
    if waiting:
        yield warning(
            promise,
            f"{waiting} old keys wait for a standby",
            "Check that PostgreSQL's standbys keep up, drop unused replication slots, and "
            "let this role see them: GRANT pg_read_all_stats (docs/operators.md).",
        )
    elif old:
        yield warning(
            promise,
            f"{old} keys are older than {LONG_FOR_A_KEY.seconds // 60} minutes",
            "Check that every sweeper runs, that its log shows no failed step mix, and, with SQLite, that no "
            "program keeps a transaction open.",
        )
    else:
        yield ok(promise, "no old keys are left")


def waiting_rows_can_be_decrypted(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for waiting rows whose key was lost in a restore or with its folder."""
    promise = "waiting rows can be decrypted"
    sealed_for_nobody = rows_without_key().count()
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    others = MixerKey.objects.exclude(mixer__in=holder).values("name")
    away = Inbox.objects.filter(sealed_under__in=others).count()
    if sealed_for_nobody:
        yield warning(
            promise,
            f"{sealed_for_nobody} rows cannot: their keys are lost",
            "They cannot be recovered. They are deleted and counted when their surveys are settled.",
        )
    elif away:
        yield warning(
            promise,
            f"{away} rows need the key of another mixer, which does not run",
            "Start its sweeper: it re-encrypts them for the current mixer.",
        )
    else:
        yield ok(promise, "the mixer has the key of every waiting row")


MIXER_CHECKS = (
    a_mixer_key_is_ready,
    keys_are_kept_apart,
    old_keys_are_destroyed,
    waiting_rows_can_be_decrypted,
)
