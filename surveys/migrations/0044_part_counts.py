import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0043_design_searches"),
    ]

    operations = [
        migrations.CreateModel(
            name="PartCounts",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_batch", models.BigIntegerField()),
                ("last_batch", models.BigIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("n", models.PositiveBigIntegerField()),
                ("n_direct", models.PositiveBigIntegerField()),
                ("counts", models.BinaryField()),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="part_counts",
                        to="surveys.run",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("run", "first_batch"), name="part_once_a_run")
                ],
            },
        ),
    ]
