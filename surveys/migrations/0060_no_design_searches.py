"""Drafts are laid out from the number of people: there is no search page, and what it had searched goes."""

from django.db import migrations, models


def delete_jobs(apps, schema_editor):
    """Delete the searches with their jobs; they were of numbers only, without any answer."""
    apps.get_model("surveys", "DesignSearch").objects.all().delete()
    apps.get_model("surveys", "Job").objects.filter(kind="search").delete()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0059_aims")]

    operations = [
        migrations.RunPython(delete_jobs, migrations.RunPython.noop),
        migrations.DeleteModel("DesignSearch"),
        migrations.AlterField(
            "job",
            "kind",
            models.CharField(choices=[("mine", "mine"), ("audit", "audit")], default="mine", max_length=16),
        ),
    ]
