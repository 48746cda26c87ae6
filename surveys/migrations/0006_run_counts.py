"""Store the counts of runs that list very many itemsets and rules."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a table; runs that ended before keep their rows."""

    dependencies = (("surveys", "0005_receipts_deleted"),)

    operations = (
        migrations.CreateModel(
            name="RunCounts",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="counts",
                        serialize=False,
                        to="surveys.run",
                    ),
                ),
                ("rules", models.PositiveIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("packed", models.BinaryField()),
            ],
        ),
    )
