"""Tables that somebody publishes in the browser, and their records, which go after a day."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0044_part_counts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Deposit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("made_at", models.DateTimeField()),
                ("records", models.PositiveIntegerField()),
                ("columns", models.JSONField(default=list)),
                ("bounds", models.JSONField(default=dict)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("result", models.JSONField(default=dict)),
                ("files", models.BinaryField(null=True)),
                ("report", models.BinaryField(null=True)),
                ("ledger", models.BinaryField(null=True)),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("mine", "mine"),
                    ("audit", "audit"),
                    ("deliver", "deliver"),
                    ("search", "search"),
                    ("release", "release"),
                ],
                default="mine",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="DepositTable",
            fields=[
                (
                    "deposit",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="table",
                        serialize=False,
                        to="surveys.deposit",
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="deposit",
            name="job",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="deposit",
                to="surveys.job",
            ),
        ),
        migrations.AddField(
            model_name="deposit",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deposits",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="deposit",
            name="survey",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deposits",
                to="surveys.survey",
            ),
        ),
    ]
