"""PostgreSQL takes no samples of waiting rows, as since 0014: 0024 made their table anew, and forgot it.

A sample outlives the rows of its table: names and boxes of rows that were mixed would stand in it. Its
rows are cleared away by autovacuum, which 0014 switched off: the mixer did it then, and does not any more.
"""

from django.db import migrations

from surveys.migrations._by_vendor import RunSQLByVendor

COLUMNS = {"key": "bytea", "version_id": "bigint", "sealed_under": "bytea", "box": "bytea"}


def statistics(target: int) -> list[str]:
    return [f'ALTER TABLE surveys_inbox ALTER COLUMN "{name}" SET STATISTICS {target}' for name in COLUMNS]


class Migration(migrations.Migration):
    dependencies = [("surveys", "0060_no_design_searches")]

    operations = [
        RunSQLByVendor(
            forwards={
                "sqlite": [],
                "postgresql": [
                    # What deferred foreign keys have still to check would stand in the way.
                    "SET CONSTRAINTS ALL IMMEDIATE",
                    *statistics(0),
                    # To give a column the type it has drops its samples, and is all that its owner can do.
                    *(
                        f'ALTER TABLE surveys_inbox ALTER COLUMN "{name}" TYPE {kind}'
                        for name, kind in COLUMNS.items()
                    ),
                ],
            },
            backwards={"sqlite": [], "postgresql": statistics(-1)},
        ),
    ]
