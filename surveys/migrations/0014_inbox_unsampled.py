"""PostgreSQL takes no samples of waiting rows.

A sample outlives its table's rows: whoever reads it, and knows which receipts are older than it, knows which
of the rows of a later batch came first.
"""

from django.db import migrations

from surveys.migrations._by_vendor import RunSQLByVendor

COLUMNS = {"key": "bytea", "version_id": "bigint", "packed": "bytea"}


def statistics(target: int) -> list[str]:
    return [f'ALTER TABLE surveys_inbox ALTER COLUMN "{name}" SET STATISTICS {target}' for name in COLUMNS]


def forget() -> list[str]:
    """To give a column the type it has drops its samples, and is all that its owner can do about them."""
    return [f'ALTER TABLE surveys_inbox ALTER COLUMN "{name}" TYPE {kind}' for name, kind in COLUMNS.items()]


class Migration(migrations.Migration):
    dependencies = [("surveys", "0013_log_in_failures")]

    operations = [
        RunSQLByVendor(
            forwards={
                "sqlite": [],
                "postgresql": [
                    # What is due to it is done after each mix, by the mixer itself.
                    "ALTER TABLE surveys_inbox SET (autovacuum_enabled = false)",
                    *statistics(0),
                    *forget(),
                ],
            },
            backwards={
                "sqlite": [],
                "postgresql": [
                    "ALTER TABLE surveys_inbox RESET (autovacuum_enabled)",
                    *statistics(-1),
                ],
            },
        ),
    ]
