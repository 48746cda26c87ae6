"""The ledger of disclosure: entries of runs, and cut points."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

REFUSED = {
    "surveys_ledgerentry": "an entry of the ledger is immutable: figures may have been read by it",
    "surveys_chapter": "a chapter is closed once, at the time that was stated",
    "surveys_cutpoints": "cut points are immutable: other ones would show the people between two of them",
}


def triggers(table, verb, said):
    """Return the statements that create a trigger, by vendor."""
    name = f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} FOR EACH ROW"
    if table == "surveys_chapter" and verb == "UPDATE":
        changed = "NEW.ends_at <> OLD.ends_at OR NEW.survey_id <> OLD.survey_id"
        name += f" WHEN (OLD.last_batch IS NOT NULL OR {changed})"
    return {
        "sqlite": f"{name} BEGIN SELECT RAISE(ABORT, '{said}'); END",
        "postgresql": f"{name} EXECUTE FUNCTION surveys_refuse('{said}')",
    }


TRIGGERS = [triggers(table, verb, said) for table, said in REFUSED.items() for verb in ("UPDATE", "DELETE")]


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0003_version_promises"),
    ]

    operations = [
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("run_number", models.BigIntegerField(unique=True)),
                ("design_id", models.CharField(max_length=64)),
                ("snapshot_digest", models.CharField(max_length=64)),
                ("n", models.PositiveBigIntegerField()),
                ("final", models.BooleanField()),
                ("decision", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("run_number",),
            },
        ),
        migrations.CreateModel(
            name="CutPoints",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("design_id", models.CharField(max_length=64)),
                ("question", models.PositiveIntegerField()),
                ("snapshot_digest", models.CharField(max_length=64)),
                ("cuts", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cut_points",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("survey", "design_id", "question", "snapshot_digest"), name="cut_points_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Chapter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ends_at", models.DateTimeField()),
                ("last_batch", models.BigIntegerField(null=True)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chapters",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("ends_at",),
                "constraints": [
                    models.UniqueConstraint(fields=("survey", "ends_at"), name="chapter_time_once")
                ],
            },
        ),
        RunSQLByVendor(
            {vendor: [statements[vendor] for statements in TRIGGERS] for vendor in ("sqlite", "postgresql")},
            {"sqlite": [], "postgresql": []},
        ),
    ]
