"""Store the choices of an import report with the text that a draft was made of."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a column; texts of earlier imports have no choices."""

    dependencies = (("surveys", "0008_log_indexes"),)

    operations = (
        migrations.AddField(
            model_name="draftrevision", name="choices", field=models.JSONField(blank=True, null=True)
        ),
    )
