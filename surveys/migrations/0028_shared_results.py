"""Addresses that show the results of a run, by the digests of their tokens."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0027_fresh_receipts")]

    operations = [
        migrations.CreateModel(
            name="SharedResults",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_by", models.CharField(max_length=150)),
                ("made_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shared", to="surveys.run"
                    ),
                ),
            ],
            options={"verbose_name_plural": "shared results", "ordering": ("-made_at", "-pk")},
        ),
    ]
