"""Deposits recognise the people of an uploaded table, all together."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("releases", "0003_columns_apart")]

    operations = [
        migrations.AddField(
            model_name="deposit",
            name="people_digest",
            field=models.CharField(max_length=64, blank=True, default="", db_index=True),
        ),
    ]
