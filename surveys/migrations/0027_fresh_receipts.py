"""Receipts that came since the last mix are marked; those that are there were mixed, or soon are.

In plain SQL: Django would make SQLite's table anew, with a hidden row number.
"""

from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

INDEX = "CREATE INDEX surveys_receipt_fresh ON surveys_receipt (survey_id) WHERE fresh"


class Migration(migrations.Migration):
    dependencies = [("surveys", "0026_answers_in_no_batch")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddField(
                    model_name="receipt", name="fresh", field=models.BooleanField(default=False)
                ),
                migrations.AddIndex(
                    model_name="receipt",
                    index=models.Index(
                        condition=models.Q(("fresh", True)), fields=["survey"], name="surveys_receipt_fresh"
                    ),
                ),
            ],
            database_operations=[
                RunSQLByVendor(
                    forwards={
                        "sqlite": [
                            "ALTER TABLE surveys_receipt ADD COLUMN fresh bool NOT NULL DEFAULT 0",
                            INDEX,
                        ],
                        "postgresql": [
                            "ALTER TABLE surveys_receipt ADD COLUMN fresh boolean NOT NULL DEFAULT false",
                            INDEX,
                        ],
                    },
                    backwards={
                        vendor: [
                            "DROP INDEX surveys_receipt_fresh",
                            "ALTER TABLE surveys_receipt DROP COLUMN fresh",
                        ]
                        for vendor in ("sqlite", "postgresql")
                    },
                ),
            ],
        ),
    ]
