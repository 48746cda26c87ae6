"""Addresses that are told when a run or a survey is over, and the messages to them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0041_api_tokens"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[("mine", "mine"), ("audit", "audit"), ("deliver", "deliver")],
                default="mine",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("key", models.CharField(max_length=44)),
                ("old_key", models.CharField(blank=True, max_length=44)),
                ("old_key_until", models.DateTimeField(blank=True, null=True)),
                ("run_finished", models.BooleanField(default=True)),
                ("survey_closed", models.BooleanField(default=True)),
                ("made_by", models.CharField(max_length=150)),
                ("made_at", models.DateTimeField()),
                (
                    "survey",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.CharField(max_length=40, unique=True)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("run.finished", "a run finished"),
                            ("survey.closed", "a survey closed"),
                            ("test", "a test"),
                        ],
                        max_length=16,
                    ),
                ),
                ("body", models.TextField()),
                ("made_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("given_up", "given up"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("problem", models.CharField(blank=True, max_length=20)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="delivery",
                        to="surveys.job",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="surveys.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
    ]
