"""Runs without an audit get a job that makes it: their workers died at it, or they are older than audits."""

from django.db import migrations
from django.utils import timezone


def ask(apps, schema_editor):
    """Ask for the audits that were never made, or were lost with their workers."""
    Job, Run = apps.get_model("surveys", "Job"), apps.get_model("surveys", "Run")
    now = timezone.now()
    for run in Run.objects.filter(job__state="finished").only("pk", "summary").order_by("pk").iterator():
        if "audit" not in run.summary:
            job = Job.objects.create(kind="audit", created_at=now, send_due_at=now)
            Run.objects.filter(pk=run.pk).update(audit_job=job)


def forget(apps, schema_editor):
    """Remove jobs of a kind that earlier code does not know."""
    apps.get_model("surveys", "Run").objects.update(audit_job=None)
    apps.get_model("surveys", "Job").objects.filter(kind="audit").delete()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0021_audits_are_jobs")]

    operations = [migrations.RunPython(ask, forget)]
