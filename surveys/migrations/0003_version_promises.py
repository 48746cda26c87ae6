"""Store the promises that respondents of a version read, so that no release changes them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a column that stays empty for versions published before."""

    dependencies = (("surveys", "0002_schema_record"),)

    operations = (
        migrations.AddField(
            model_name="version",
            name="promises",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    )
