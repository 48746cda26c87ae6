"""The records call surveys, versions, runs and their columns by names that can be translated."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0017_names_of_results"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="run",
            options={"ordering": ("-pk",), "verbose_name": "run", "verbose_name_plural": "runs"},
        ),
        migrations.AlterModelOptions(
            name="survey",
            options={"ordering": ("slug",), "verbose_name": "survey", "verbose_name_plural": "surveys"},
        ),
        migrations.AlterModelOptions(
            name="version",
            options={
                "ordering": ("survey", "number"),
                "verbose_name": "version",
                "verbose_name_plural": "versions",
            },
        ),
        migrations.AlterField(
            model_name="itemsetrow",
            name="size",
            field=models.PositiveSmallIntegerField(verbose_name="items"),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "queued"),
                    ("running", "running"),
                    ("finished", "finished"),
                    ("failed", "failed"),
                    ("cancelled", "cancelled"),
                ],
                default="queued",
                max_length=16,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="rulerow",
            name="few_rows",
            field=models.BooleanField(default=False, verbose_name="few rows"),
        ),
        migrations.AlterField(
            model_name="run",
            name="code_version",
            field=models.CharField(blank=True, max_length=64, verbose_name="version of the program"),
        ),
        migrations.AlterField(
            model_name="run",
            name="design_id",
            field=models.CharField(max_length=64, verbose_name="digest of the design"),
        ),
        migrations.AlterField(
            model_name="run",
            name="duration_seconds",
            field=models.FloatField(blank=True, null=True, verbose_name="seconds"),
        ),
        migrations.AlterField(
            model_name="run",
            name="engine",
            field=models.CharField(blank=True, max_length=120, verbose_name="engine"),
        ),
        migrations.AlterField(
            model_name="run",
            name="parameters",
            field=models.JSONField(verbose_name="parameters"),
        ),
        migrations.AlterField(
            model_name="run",
            name="snapshot_digest",
            field=models.CharField(max_length=64, verbose_name="digest of the snapshot"),
        ),
        migrations.AlterField(
            model_name="run",
            name="survey",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="surveys.survey",
                verbose_name="survey",
            ),
        ),
        migrations.AlterField(
            model_name="run",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="surveys.version",
                verbose_name="version",
            ),
        ),
        migrations.AlterField(
            model_name="survey",
            name="accepts_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="accepts sealed answers until"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="closed at"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="opened_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="opened at"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="practice",
            field=models.BooleanField(default=False, verbose_name="practice"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="settled",
            field=models.BooleanField(default=False, verbose_name="settled"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="slug",
            field=models.SlugField(unique=True, verbose_name="address"),
        ),
        migrations.AlterField(
            model_name="survey",
            name="state",
            field=models.CharField(
                choices=[("draft", "draft"), ("planned", "planned"), ("open", "open"), ("closed", "closed")],
                default="draft",
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="survey",
            name="title",
            field=models.JSONField(verbose_name="title"),
        ),
        migrations.AlterField(
            model_name="version",
            name="design",
            field=models.JSONField(verbose_name="design"),
        ),
        migrations.AlterField(
            model_name="version",
            name="design_id",
            field=models.CharField(max_length=64, verbose_name="digest of the design"),
        ),
        migrations.AlterField(
            model_name="version",
            name="number",
            field=models.PositiveIntegerField(verbose_name="number"),
        ),
        migrations.AlterField(
            model_name="version",
            name="published_at",
            field=models.DateTimeField(verbose_name="published at"),
        ),
        migrations.AlterField(
            model_name="version",
            name="survey",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="versions",
                to="surveys.survey",
                verbose_name="survey",
            ),
        ),
        migrations.AlterField(
            model_name="version",
            name="wording",
            field=models.JSONField(verbose_name="wording"),
        ),
        migrations.AlterField(
            model_name="version",
            name="wording_id",
            field=models.CharField(max_length=64, verbose_name="digest of the wording"),
        ),
    ]
