"""Series of surveys, and reasons for publishing what a check refused."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

TABLE = "surveys_publishoverride"
REFUSAL = "a reason for publishing is immutable"
VERBS = ("UPDATE", "DELETE")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0015_run_bounds")]

    operations = [
        migrations.CreateModel(
            name="Wave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("series", models.CharField(db_index=True, max_length=50)),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wave",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="PublishOverride",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField()),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                ("findings", models.JSONField()),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="override",
                        to="surveys.version",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        RunSQLByVendor(
            forwards={
                "sqlite": [
                    f"CREATE TRIGGER {TABLE}_no_{verb.lower()} BEFORE {verb} ON {TABLE} "
                    f"FOR EACH ROW BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
                    for verb in VERBS
                ],
                "postgresql": [
                    f"CREATE TRIGGER {TABLE}_no_{verb.lower()} BEFORE {verb} ON {TABLE} "
                    f"FOR EACH ROW EXECUTE FUNCTION surveys_refuse('{REFUSAL}')"
                    for verb in VERBS
                ],
            },
            backwards={
                "sqlite": [f"DROP TRIGGER {TABLE}_no_{verb.lower()}" for verb in VERBS],
                "postgresql": [f"DROP TRIGGER {TABLE}_no_{verb.lower()} ON {TABLE}" for verb in VERBS],
            },
        ),
    ]
