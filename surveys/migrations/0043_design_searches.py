"""Searches for the best design under limits, made by workers."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0042_webhooks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[("mine", "mine"), ("audit", "audit"), ("deliver", "deliver"), ("search", "search")],
                default="mine",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="DesignSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked", models.JSONField()),
                ("found", models.JSONField(blank=True, null=True)),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="design_search",
                        to="surveys.job",
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="design_searches",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
    ]
