"""Surveys that are answered by invitation; publishing settles whether one is."""

from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

BEFORE = "a survey cannot go back: not to an earlier state, not to or from practice, not to a later end"
NOW = (
    "a survey cannot go back: not to an earlier state, not to or from practice or invitations, not to a "
    "later end"
)

BACKWARDS = """
    OLD.state <> 'draft' AND (
        NEW.slug <> OLD.slug OR NEW.practice <> OLD.practice OR NEW.state = 'draft'
        {invitations}
        OR (OLD.state = 'open' AND NEW.state = 'planned')
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.settled AND NOT NEW.settled)
        OR (OLD.accepts_until IS NOT NULL
            AND (NEW.accepts_until IS NULL OR NEW.accepts_until > OLD.accepts_until)))
"""


def create(message, invitations):
    when = BACKWARDS.format(invitations=invitations)
    name = (
        f"CREATE TRIGGER surveys_survey_no_update BEFORE UPDATE ON surveys_survey FOR EACH ROW WHEN ({when})"
    )
    return {
        "sqlite": [f"{name} BEGIN SELECT RAISE(ABORT, '{message}'); END"],
        "postgresql": [f"{name} EXECUTE FUNCTION surveys_refuse('{message}')"],
    }


DROP = {
    # SQLite: a field with a default makes the table anew, and with it the trigger is gone.
    "sqlite": ["DROP TRIGGER IF EXISTS surveys_survey_no_update"],
    "postgresql": ["DROP TRIGGER surveys_survey_no_update ON surveys_survey"],
}


class Migration(migrations.Migration):
    dependencies = [("surveys", "0010_verdicts")]

    operations = [
        RunSQLByVendor(forwards=DROP, backwards=create(BEFORE, "")),
        migrations.AddField("survey", "by_invitation", models.BooleanField(default=False)),
        RunSQLByVendor(
            forwards=create(NOW, "OR NEW.by_invitation <> OLD.by_invitation"),
            backwards=DROP,
        ),
    ]
