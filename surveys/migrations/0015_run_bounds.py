"""Where a run is stopped: candidates, time, memory."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0014_inbox_unsampled")]

    operations = [migrations.AddField("run", "bounds", models.JSONField(default=dict))]
