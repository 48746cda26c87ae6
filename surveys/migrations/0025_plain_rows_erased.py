"""SQLite's log, which holds pages of rows that waited in the clear, is emptied once."""

from django.db import migrations

MILLISECONDS_TO_WAIT = 200


def erase(apps, editor):
    """Empty the log; where a reader holds on to it the mixer does it in its first pass."""
    if editor.connection.vendor != "sqlite":
        return
    with editor.connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("surveys", "0024_sealed_inbox")]

    operations = [migrations.RunPython(erase, migrations.RunPython.noop)]
