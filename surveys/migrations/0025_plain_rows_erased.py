"""SQLite's log, which holds pages of rows that waited in the clear, is emptied once."""

from django.db import migrations

from surveys.intake.durable import truncate_log


def erase(apps, editor):
    """Empty the log; where a reader holds on to it the mixer does it in its first pass."""
    truncate_log()


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("surveys", "0024_sealed_inbox")]

    operations = [migrations.RunPython(erase, migrations.RunPython.noop)]
