"""Working drafts with a revision, and surveys that open and close at stated times."""

from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

SURVEY = "a survey cannot go back: not to an earlier state, not to or from practice, not to a later end"

# As before, and a survey that was open is never planned again.
BACKWARDS = """
    OLD.state <> 'draft' AND (
        NEW.slug <> OLD.slug OR NEW.practice <> OLD.practice OR NEW.state = 'draft'
        {planned}
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.settled AND NOT NEW.settled)
        OR (OLD.accepts_until IS NOT NULL
            AND (NEW.accepts_until IS NULL OR NEW.accepts_until > OLD.accepts_until)))
"""
BEFORE = BACKWARDS.format(planned="")
NOW = BACKWARDS.format(planned="OR (OLD.state = 'open' AND NEW.state = 'planned')")


def trigger(vendor, when):
    name = (
        f"CREATE TRIGGER surveys_survey_no_update BEFORE UPDATE ON surveys_survey FOR EACH ROW WHEN ({when})"
    )
    if vendor == "sqlite":
        return f"{name} BEGIN SELECT RAISE(ABORT, '{SURVEY}'); END"
    return f"{name} EXECUTE FUNCTION surveys_refuse('{SURVEY}')"


DROP = {
    # SQLite: a field with a default makes the table anew, and with it the trigger is gone.
    "sqlite": ["DROP TRIGGER IF EXISTS surveys_survey_no_update"],
    "postgresql": ["DROP TRIGGER surveys_survey_no_update ON surveys_survey"],
}


def create(when):
    return {vendor: [trigger(vendor, when)] for vendor in ("sqlite", "postgresql")}


class Migration(migrations.Migration):
    dependencies = [("surveys", "0005_errors_of_the_groups")]

    operations = [
        RunSQLByVendor(forwards=DROP, backwards=create(BEFORE)),
        migrations.AddField("survey", "revision", models.PositiveIntegerField(default=0)),
        migrations.AddField("survey", "saved_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("survey", "saved_by", models.CharField(blank=True, max_length=150)),
        migrations.AddField("survey", "time_zone", models.CharField(default="UTC", max_length=64)),
        migrations.AddField("survey", "opens_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("survey", "closes_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField(
            "survey",
            "state",
            models.CharField(
                choices=[
                    ("draft", "draft"),
                    ("planned", "planned"),
                    ("open", "open"),
                    ("closed", "closed"),
                ],
                default="draft",
                max_length=8,
            ),
        ),
        RunSQLByVendor(forwards=create(NOW), backwards=DROP),
    ]
