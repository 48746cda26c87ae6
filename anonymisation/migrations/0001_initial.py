"""Create all tables of the application."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("surveys", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Release",
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
                ("description", models.JSONField(default=dict)),
                ("people_digest", models.CharField(blank=True, db_index=True, default="", max_length=64)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("result", models.JSONField(default=dict)),
                ("files", models.BinaryField(null=True)),
                ("report", models.BinaryField(null=True)),
                ("ledger", models.BinaryField(null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("questions_each", models.PositiveIntegerField(default=0)),
                (
                    "job",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="release",
                        to="surveys.job",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="ReleaseTable",
            fields=[
                (
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="table",
                        serialize=False,
                        to="anonymisation.release",
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="ReleaseQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("text", models.TextField()),
                (
                    "asker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="anonymisation.release",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="ReleasePart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("size", models.PositiveIntegerField()),
                ("sealed", models.BinaryField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="anonymisation.releasetable",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("table", "number"), name="release_part_once")]
            },
        ),
        migrations.CreateModel(
            name="ReleaseColumn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("sealed", models.BinaryField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="columns",
                        to="anonymisation.releasetable",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="release_column_once")
                ]
            },
        ),
    ]
