"""Surveys, their immutable versions, and the log of what the staff did."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor


def sqlite_refuses(table: str, verb: str, sentence: str, when: str = "") -> str:
    condition = f"WHEN {when} " if when else ""
    return (
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} FOR EACH ROW {condition}"
        f"BEGIN SELECT RAISE(ABORT, '{sentence}'); END"
    )


def postgresql_refuses(table: str, verb: str, sentence: str, when: str = "") -> str:
    condition = f"WHEN ({when}) " if when else ""
    return (
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} FOR EACH ROW {condition}"
        f"EXECUTE FUNCTION surveys_refuse('{sentence}')"
    )


POSTGRESQL_REFUSE = """
CREATE FUNCTION surveys_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$$
"""

# A survey goes from draft to open to closed. Practice can never become real, nor the other way round;
# acceptance can end earlier than announced, never later; what is settled stays settled.
BACKWARDS = {
    "sqlite": """
        OLD.state <> 'draft' AND (
            NEW.slug <> OLD.slug OR NEW.practice <> OLD.practice OR NEW.state = 'draft'
            OR (OLD.state = 'closed' AND NEW.state <> 'closed')
            OR (OLD.settled AND NOT NEW.settled)
            OR (OLD.accepts_until IS NOT NULL
                AND (NEW.accepts_until IS NULL OR NEW.accepts_until > OLD.accepts_until)))
    """,
}
BACKWARDS["postgresql"] = BACKWARDS["sqlite"]

VERSION = "a published version is immutable: publish a new one"
EVENT = "the audit log is only added to"
SURVEY = "a survey cannot go back: not to an earlier state, not to or from practice, not to a later end"


def triggers(refuses, vendor):
    return [
        refuses("surveys_version", "UPDATE", VERSION),
        refuses("surveys_version", "DELETE", VERSION),
        refuses("surveys_auditevent", "UPDATE", EVENT),
        refuses("surveys_auditevent", "DELETE", EVENT),
        refuses("surveys_survey", "UPDATE", SURVEY, when=BACKWARDS[vendor]),
    ]


NAMES = [
    ("surveys_version_no_update", "surveys_version"),
    ("surveys_version_no_delete", "surveys_version"),
    ("surveys_auditevent_no_update", "surveys_auditevent"),
    ("surveys_auditevent_no_delete", "surveys_auditevent"),
    ("surveys_survey_no_update", "surveys_survey"),
]


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_beat")]

    operations = [
        migrations.CreateModel(
            name="Survey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(unique=True)),
                ("title", models.JSONField()),
                ("practice", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "draft"), ("open", "open"), ("closed", "closed")],
                        default="draft",
                        max_length=8,
                    ),
                ),
                ("definition", models.JSONField()),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("accepts_until", models.DateTimeField(blank=True, null=True)),
                ("settled", models.BooleanField(default=False)),
                ("known_truth", models.JSONField(blank=True, null=True)),
            ],
            options={"ordering": ("slug",)},
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("design", models.JSONField()),
                ("design_id", models.CharField(max_length=64)),
                ("wording", models.JSONField()),
                ("wording_id", models.CharField(max_length=64)),
                ("published_at", models.DateTimeField()),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={"ordering": ("survey", "number")},
        ),
        migrations.AddIndex(
            model_name="version",
            index=models.Index(fields=["design_id"], name="version_by_design"),
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("actor", models.CharField(max_length=150)),
                ("action", models.CharField(max_length=60)),
                ("target", models.CharField(max_length=200)),
                ("detail", models.JSONField(default=dict)),
            ],
            options={"ordering": ("-at", "-pk")},
        ),
        RunSQLByVendor(
            forwards={
                "sqlite": triggers(sqlite_refuses, "sqlite"),
                "postgresql": [POSTGRESQL_REFUSE, *triggers(postgresql_refuses, "postgresql")],
            },
            backwards={
                "sqlite": [f"DROP TRIGGER {name}" for name, _ in NAMES],
                "postgresql": [
                    *(f"DROP TRIGGER {name} ON {table}" for name, table in NAMES),
                    "DROP FUNCTION surveys_refuse()",
                ],
            },
        ),
    ]
