"""Deposits keep the description of their study."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("releases", "0001_from_surveys")]

    operations = [
        migrations.AddField(model_name="deposit", name="description", field=models.JSONField(default=dict)),
    ]
