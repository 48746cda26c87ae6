"""Deposits as models of this application; their tables were made among those of `surveys`, and stay.

What Django keeps by a model's name, such as permissions, comes along.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

NAMES = ("deposit", "depositquestion", "deposittable")


def rename(apps, schema_editor, before, after):
    types = apps.get_model("contenttypes", "ContentType").objects
    for model in NAMES:
        if not types.filter(app_label=after, model=model).exists():
            types.filter(app_label=before, model=model).update(app_label=after)


def take(apps, schema_editor):
    rename(apps, schema_editor, "surveys", "releases")


def give_back(apps, schema_editor):
    rename(apps, schema_editor, "releases", "surveys")


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("surveys", "0058_releases_are_an_application"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
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
                        ("opened_at", models.DateTimeField(blank=True, null=True)),
                        ("questions_each", models.PositiveIntegerField(default=0)),
                        (
                            "job",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="deposit",
                                to="surveys.job",
                            ),
                        ),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deposits",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "survey",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deposits",
                                to="surveys.survey",
                            ),
                        ),
                    ],
                    options={"db_table": "surveys_deposit", "ordering": ("-pk",)},
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
                                to="releases.deposit",
                            ),
                        ),
                        ("sealed", models.BinaryField()),
                        ("ends_at", models.DateTimeField(db_index=True)),
                    ],
                    options={"db_table": "surveys_deposittable"},
                ),
                migrations.CreateModel(
                    name="DepositQuestion",
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
                            "deposit",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="questions",
                                to="releases.deposit",
                            ),
                        ),
                    ],
                    options={"db_table": "surveys_depositquestion", "ordering": ("-pk",)},
                ),
            ]
        ),
        migrations.RunPython(take, give_back),
    ]
