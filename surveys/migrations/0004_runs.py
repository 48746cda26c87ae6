"""Jobs, and what a mining job stores: runs, itemsets and rules."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0003_answers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(choices=[("mine", "mine")], default="mine", max_length=16)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("fence", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("stage", models.CharField(blank=True, max_length=32)),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("message", models.TextField(blank=True)),
                ("created_at", models.DateTimeField()),
                ("sends", models.PositiveSmallIntegerField(default=0)),
                ("send_due_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("design_id", models.CharField(max_length=64)),
                ("parameters", models.JSONField()),
                ("first_batch", models.BigIntegerField(blank=True, null=True)),
                ("last_batch", models.BigIntegerField(blank=True, null=True)),
                ("batches", models.PositiveIntegerField(default=0)),
                ("snapshot_digest", models.CharField(max_length=64)),
                ("engine", models.CharField(blank=True, max_length=120)),
                ("n", models.PositiveBigIntegerField(blank=True, null=True)),
                ("n_direct", models.PositiveBigIntegerField(blank=True, null=True)),
                ("n_protected", models.PositiveBigIntegerField(blank=True, null=True)),
                ("duration_seconds", models.FloatField(blank=True, null=True)),
                ("code_version", models.CharField(blank=True, max_length=64)),
                ("summary", models.JSONField(default=dict)),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="run", to="surveys.job"
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="surveys.survey"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="surveys.version"
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="RuleRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("antecedent", models.CharField(max_length=255)),
                ("consequent", models.CharField(max_length=255)),
                ("antecedent_size", models.PositiveSmallIntegerField()),
                ("consequent_size", models.PositiveSmallIntegerField()),
                ("n", models.PositiveBigIntegerField()),
                ("few_rows", models.BooleanField(default=False)),
                ("support", models.FloatField(null=True)),
                ("support_se", models.FloatField(null=True)),
                ("support_low", models.FloatField(null=True)),
                ("support_high", models.FloatField(null=True)),
                ("confidence", models.FloatField(null=True)),
                ("confidence_se", models.FloatField(null=True)),
                ("confidence_low", models.FloatField(null=True)),
                ("confidence_high", models.FloatField(null=True)),
                ("lift", models.FloatField(null=True)),
                ("lift_se", models.FloatField(null=True)),
                ("lift_low", models.FloatField(null=True)),
                ("lift_high", models.FloatField(null=True)),
                ("leverage", models.FloatField(null=True)),
                ("leverage_se", models.FloatField(null=True)),
                ("leverage_low", models.FloatField(null=True)),
                ("leverage_high", models.FloatField(null=True)),
                ("conviction", models.FloatField(null=True)),
                ("conviction_se", models.FloatField(null=True)),
                ("conviction_low", models.FloatField(null=True)),
                ("conviction_high", models.FloatField(null=True)),
                ("truth", models.FloatField(null=True)),
                ("truth_antecedent", models.FloatField(null=True)),
                ("truth_consequent", models.FloatField(null=True)),
                ("error", models.FloatField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="surveys.run"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ItemsetRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("items", models.CharField(max_length=255)),
                ("size", models.PositiveSmallIntegerField()),
                ("n", models.PositiveBigIntegerField()),
                ("support", models.FloatField()),
                ("support_se", models.FloatField()),
                ("support_low", models.FloatField(null=True)),
                ("support_high", models.FloatField(null=True)),
                ("few_rows", models.BooleanField(default=False)),
                ("stratified", models.FloatField(null=True)),
                ("stratified_se", models.FloatField(null=True)),
                ("pooled", models.FloatField(null=True)),
                ("pooled_se", models.FloatField(null=True)),
                ("direct", models.FloatField(null=True)),
                ("protected", models.FloatField(null=True)),
                ("truth", models.FloatField(null=True)),
                ("error", models.FloatField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="itemsets", to="surveys.run"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state__in", ("queued", "running"))),
                fields=["state", "send_due_at"],
                name="job_unfinished",
            ),
        ),
        migrations.AddConstraint(
            model_name="rulerow",
            constraint=models.UniqueConstraint(
                fields=("run", "antecedent", "consequent"), name="rule_once_a_run"
            ),
        ),
        migrations.AddConstraint(
            model_name="itemsetrow",
            constraint=models.UniqueConstraint(fields=("run", "items"), name="itemset_once_a_run"),
        ),
    ]
