"""A batch says how many of its rows are direct ones: nobody has to read it to know.

Where the database is SQLite the table is made again, with the rows last: what stands behind them in a record
is found by walking through all of them.
"""

from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

BATCH = "a batch is immutable"
VERBS = ("UPDATE", "DELETE")

TRIGGERS = [
    f"CREATE TRIGGER surveys_batch_no_{verb.lower()} BEFORE {verb} ON surveys_batch "
    f"FOR EACH ROW BEGIN SELECT RAISE(ABORT, '{BATCH}'); END"
    for verb in VERBS
]
INDEX = 'CREATE INDEX "surveys_batch_version_id_a9d32101" ON "surveys_batch" ("version_id")'

_N = '"n" integer unsigned NOT NULL CHECK ("n" >= 0)'
_VERSION = '"version_id" bigint NOT NULL REFERENCES "surveys_version" ("id") DEFERRABLE INITIALLY DEFERRED'
_ID, _PACKED = '"id" integer NOT NULL PRIMARY KEY AUTOINCREMENT', '"packed" BLOB NOT NULL'
_DIGEST = '"digest" varchar(64) NOT NULL'
_N_DIRECT = '"n_direct" integer unsigned NOT NULL CHECK ("n_direct" >= 0)'


def made_again(columns: list[str], values: list[str]) -> list[str]:
    """Statements that give the batches a new table of these columns; its counter goes on counting."""
    # The columns are those written in this file: no value is put into a statement as text.
    copied = f'SELECT {", ".join(values)} FROM "surveys_batch" ORDER BY id'  # nosec B608
    return [
        f'CREATE TABLE "surveys_batch_made_again" ({", ".join(columns)})',
        f'INSERT INTO "surveys_batch_made_again" {copied}',
        "DELETE FROM sqlite_sequence WHERE name = 'surveys_batch_made_again'",
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'surveys_batch_made_again', seq FROM sqlite_sequence "
        "WHERE name = 'surveys_batch'",
        'DROP TABLE "surveys_batch"',
        'ALTER TABLE "surveys_batch_made_again" RENAME TO "surveys_batch"',
        INDEX,
        *TRIGGERS,
    ]


def direct_rows(packed: bytes, n: int) -> int:
    """Count the rows whose first bit, that of the group, is set."""
    return sum(first >= 0x80 for first in packed[:: max(1, len(packed) // n)]) if n else 0


def count(apps, schema_editor):
    """Count what was written before; in SQLite the statements that follow do."""
    connection = schema_editor.connection
    if connection.vendor == "sqlite":
        connection.connection.create_function("sottovoce_direct_rows", 2, direct_rows, deterministic=True)
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM surveys_batch")
        for (pk,) in cursor.fetchall():
            cursor.execute("SELECT packed, n FROM surveys_batch WHERE id = %s", [pk])
            packed, n = cursor.fetchone()
            found = direct_rows(bytes(packed), n)
            cursor.execute("UPDATE surveys_batch SET n_direct = %s WHERE id = %s", [found, pk])


class Migration(migrations.Migration):
    dependencies = [("surveys", "0018_names_in_the_records")]

    operations = [
        RunSQLByVendor(
            forwards={
                "sqlite": [],
                "postgresql": [
                    "ALTER TABLE surveys_batch ADD COLUMN n_direct integer CHECK (n_direct >= 0)",
                    "ALTER TABLE surveys_batch DISABLE TRIGGER surveys_batch_no_update",
                ],
            },
            backwards={"sqlite": [], "postgresql": ["ALTER TABLE surveys_batch DROP COLUMN n_direct"]},
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
        RunSQLByVendor(
            forwards={
                "sqlite": made_again(
                    [_ID, _VERSION, _N, _N_DIRECT, _DIGEST, _PACKED],
                    ["id", "version_id", "n", "sottovoce_direct_rows(packed, n)", "digest", "packed"],
                ),
                "postgresql": [
                    # Checks of foreign keys that wait for the end of the transaction stand in the way.
                    "SET CONSTRAINTS ALL IMMEDIATE",
                    "ALTER TABLE surveys_batch ALTER COLUMN n_direct SET NOT NULL",
                    "ALTER TABLE surveys_batch ENABLE TRIGGER surveys_batch_no_update",
                ],
            },
            backwards={
                "sqlite": made_again(
                    [_ID, _N, _PACKED, _DIGEST, _VERSION], ["id", "n", "packed", "digest", "version_id"]
                ),
                "postgresql": [],
            },
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.AddField("batch", "n_direct", models.PositiveIntegerField())]
        ),
    ]
