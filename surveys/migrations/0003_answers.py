"""Receipts, the inbox and the batches."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

BATCH = "a batch is immutable"

# The tables are empty here, so they are made again rather than altered: SQLite cannot take a row number away.
WITHOUT_ROWID = [
    'DROP TABLE "surveys_receipt"',
    'CREATE TABLE "surveys_receipt" ('
    '"survey_id" bigint NOT NULL REFERENCES "surveys_survey" ("id") DEFERRABLE INITIALLY DEFERRED, '
    '"key" BLOB NOT NULL, '
    '"digest" BLOB NULL, '
    'PRIMARY KEY ("survey_id", "key")) WITHOUT ROWID',
    'DROP TABLE "surveys_inbox"',
    'CREATE TABLE "surveys_inbox" ('
    '"key" BLOB NOT NULL PRIMARY KEY, '
    '"version_id" bigint NOT NULL REFERENCES "surveys_version" ("id") DEFERRABLE INITIALLY DEFERRED, '
    '"packed" BLOB NOT NULL) WITHOUT ROWID',
]


class Migration(migrations.Migration):
    dependencies = [("surveys", "0002_surveys")]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "survey_id", "key", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("key", models.BinaryField(max_length=32)),
                ("digest", models.BinaryField(max_length=32, null=True)),
                (
                    "survey",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="surveys.survey",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Inbox",
            fields=[
                ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                (
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="surveys.version",
                    ),
                ),
                ("packed", models.BinaryField()),
            ],
            options={"verbose_name_plural": "inbox"},
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.PositiveIntegerField()),
                ("packed", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="surveys.version",
                    ),
                ),
            ],
            options={"ordering": ("pk",), "verbose_name_plural": "batches"},
        ),
        RunSQLByVendor(
            forwards={
                "sqlite": [
                    *WITHOUT_ROWID,
                    *(
                        f"CREATE TRIGGER surveys_batch_no_{verb.lower()} BEFORE {verb} ON surveys_batch "
                        f"FOR EACH ROW BEGIN SELECT RAISE(ABORT, '{BATCH}'); END"
                        for verb in ("UPDATE", "DELETE")
                    ),
                ],
                "postgresql": [
                    f"CREATE TRIGGER surveys_batch_no_{verb.lower()} BEFORE {verb} ON surveys_batch "
                    f"FOR EACH ROW EXECUTE FUNCTION surveys_refuse('{BATCH}')"
                    for verb in ("UPDATE", "DELETE")
                ],
            },
            backwards={
                "sqlite": [f"DROP TRIGGER surveys_batch_no_{verb}" for verb in ("update", "delete")],
                "postgresql": [
                    f"DROP TRIGGER surveys_batch_no_{verb} ON surveys_batch" for verb in ("update", "delete")
                ],
            },
        ),
    ]
