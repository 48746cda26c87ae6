"""Keys that rows of one design are sealed under; the key that all have shared stays the shared one.

It counts as long drawn: the mixer draws another one in its first round, seals what waits anew under keys of
the designs, and destroys it then. An older release opens what waits by the names of the keys.
"""

from datetime import UTC, datetime

from django.db import migrations, models

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def share_again(apps, schema_editor):
    """Leave one current key, the shared one, as the release before has it."""
    apps.get_model("surveys", "MixerKey").objects.exclude(version_id=None).update(current=False)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0056_no_saved_views")]

    operations = [
        migrations.AddField("mixerkey", "version_id", models.BigIntegerField(null=True)),
        migrations.AddField(
            "mixerkey", "drawn_at", models.DateTimeField(default=LONG_AGO), preserve_default=False
        ),
        migrations.RemoveConstraint("mixerkey", "surveys_mixerkey_one_current"),
        migrations.AddConstraint(
            "mixerkey",
            models.UniqueConstraint(
                condition=models.Q(("current", True)),
                fields=("version_id",),
                name="surveys_mixerkey_one_of_design",
            ),
        ),
        migrations.AddConstraint(
            "mixerkey",
            models.UniqueConstraint(
                condition=models.Q(("current", True), ("version_id", None)),
                fields=("current",),
                name="surveys_mixerkey_one_shared",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, share_again),
    ]
