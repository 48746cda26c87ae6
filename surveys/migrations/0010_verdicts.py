"""Verdicts on rules: a history that is only added to."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

VERDICT = "a verdict is immutable: give another one"
VERBS = ("UPDATE", "DELETE")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0009_people")]

    operations = [
        migrations.CreateModel(
            name="Verdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "opinion",
                    models.CharField(
                        choices=[
                            ("reviewed", "reviewed"),
                            ("accepted", "accepted"),
                            ("rejected", "rejected"),
                        ],
                        max_length=8,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                ("given_to", models.PositiveIntegerField(default=1)),
                (
                    "rule",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="surveys.rulerow",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.AddIndex(
            model_name="verdict", index=models.Index(fields=["rule", "id"], name="verdict_by_rule")
        ),
        RunSQLByVendor(
            forwards={
                "sqlite": [
                    f"CREATE TRIGGER surveys_verdict_no_{verb.lower()} BEFORE {verb} ON surveys_verdict "
                    f"FOR EACH ROW BEGIN SELECT RAISE(ABORT, '{VERDICT}'); END"
                    for verb in VERBS
                ],
                "postgresql": [
                    f"CREATE TRIGGER surveys_verdict_no_{verb.lower()} BEFORE {verb} ON surveys_verdict "
                    f"FOR EACH ROW EXECUTE FUNCTION surveys_refuse('{VERDICT}')"
                    for verb in VERBS
                ],
            },
            backwards={
                "sqlite": [f"DROP TRIGGER surveys_verdict_no_{verb.lower()}" for verb in VERBS],
                "postgresql": [
                    f"DROP TRIGGER surveys_verdict_no_{verb.lower()} ON surveys_verdict" for verb in VERBS
                ],
            },
        ),
    ]
