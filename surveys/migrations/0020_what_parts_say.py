"""A sign of life says with which program, key and home a worker works."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0019_direct_rows_of_batches")]

    operations = [
        migrations.AddField("beat", "says", models.JSONField(default=dict)),
        migrations.AlterField(
            "beat", "name", models.CharField(max_length=120, primary_key=True, serialize=False)
        ),
    ]
