"""A version keeps the definition from which it was published."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0062_staff_preferences")]

    operations = [
        migrations.AddField("version", "definition", models.JSONField("definition", blank=True, null=True)),
    ]
