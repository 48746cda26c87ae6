"""Surveys belong to people, and people have roles.

Nobody loses what they could read: members of the staff, who saw and changed everything before, become
researchers and reviewers, and superusers administrators. A survey goes to whoever made it in the browser, if
that account is still there; all others belong to nobody, and an administrator hands them over.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from surveys.migrations._by_vendor import RunSQLByVendor

RESEARCHER, REVIEWER, ADMINISTRATOR = "researcher", "reviewer", "administrator"
SURVEY = "a survey cannot go back: not to an earlier state, not to or from practice, not to a later end"

# Going back, Django makes SQLite's table anew, and the trigger is gone with the old one. As of 0007.
TRIGGER = f"""
    CREATE TRIGGER surveys_survey_no_update BEFORE UPDATE ON surveys_survey FOR EACH ROW WHEN (
    OLD.state <> 'draft' AND (
        NEW.slug <> OLD.slug OR NEW.practice <> OLD.practice OR NEW.state = 'draft'
        OR (OLD.state = 'open' AND NEW.state = 'planned')
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.settled AND NOT NEW.settled)
        OR (OLD.accepts_until IS NOT NULL
            AND (NEW.accepts_until IS NULL OR NEW.accepts_until > OLD.accepts_until))))
    BEGIN SELECT RAISE(ABORT, '{SURVEY}'); END
"""
DROP = {"sqlite": ["DROP TRIGGER IF EXISTS surveys_survey_no_update"], "postgresql": []}
CREATE = {"sqlite": [TRIGGER], "postgresql": []}


def give_roles(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    User = apps.get_model("auth", "User")
    groups = {
        name: Group.objects.get_or_create(name=name)[0] for name in (RESEARCHER, REVIEWER, ADMINISTRATOR)
    }
    for user in User.objects.filter(Q(is_staff=True) | Q(is_superuser=True)):
        if user.is_superuser:
            user.groups.add(groups[ADMINISTRATOR])
        else:
            user.groups.add(groups[RESEARCHER], groups[REVIEWER])


def give_surveys(apps, schema_editor):
    User = apps.get_model("auth", "User")
    Survey = apps.get_model("surveys", "Survey")
    AuditEvent = apps.get_model("surveys", "AuditEvent")
    users = {user.username: user for user in User.objects.filter(is_staff=True)}
    for survey in Survey.objects.filter(owner=None):
        made = AuditEvent.objects.filter(
            action__in=("draft_create", "survey_import"), target=survey.slug
        ).order_by("pk")
        maker = made.last()
        if maker is not None and maker.action == "draft_create" and maker.actor in users:
            Survey.objects.filter(pk=survey.pk).update(owner=users[maker.actor])


def take_roles(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=(RESEARCHER, REVIEWER, ADMINISTRATOR)).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0008_inference"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        RunSQLByVendor(forwards=DROP, backwards=CREATE),
        migrations.AddField(
            "survey",
            "owner",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="surveys",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        RunSQLByVendor(forwards=CREATE, backwards=DROP),
        migrations.RunPython(give_roles, take_roles),
        migrations.RunPython(give_surveys, migrations.RunPython.noop),
    ]
