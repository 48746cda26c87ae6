"""Check the database: schema, triggers, encoding and digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import ForeignKey

from privacy.counted_nouns import counted
from surveys.errors.error import in_sentences
from surveys.extension import models_here
from surveys.models import Batch, DrawingKey, Inbox, Receipt
from surveys.server.disabled_applications import absent_rows
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning
from surveys.server.schema import Facts
from surveys.server.schema_of_database import facts_of_database
from surveys.server.schema_of_migrations import facts_of_models
from surveys.server.state import StateKind, database_state, earlier_files

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
    if state.kind is StateKind.OK:
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
                target = field.target_field
                cursor.execute(
                    _DANGLING.format(table, field.column, target.model._meta.db_table, target.column)
                )
                (dangling,) = cursor.fetchone()
                if dangling:
                    odd.append(f"{table}.{field.column} in {counted(dangling, 'row')}")
    if odd:
        remedy = "Restore a backup into an empty database (docs/operators.md)."
        yield failure(promise, f"missing: {', '.join(odd[:5])}", remedy)
    else:
        yield ok(promise, "all foreign keys hold")


def disabled_applications_have_no_rows(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for rows of disabled applications, because these rows are not deleted on their day."""
    promise = "no tables of disabled applications contain rows"
    if counts := absent_rows():
        seen = ", ".join(f"{counted(count, 'row')} in {table}" for table, count in counts.items())
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
STORAGE_CHECKS = (*STORED, no_database_of_the_earlier_name)
