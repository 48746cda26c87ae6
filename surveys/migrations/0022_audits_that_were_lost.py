"""Runs without an audit get a job that makes it, one for the same rows: workers died, or runs are older."""

from django.db import migrations
from django.utils import timezone


def ask(apps, schema_editor):
    """Ask for the audits that were never made, or were lost with their workers."""
    Job, Run = apps.get_model("surveys", "Job"), apps.get_model("surveys", "Run")
    now = timezone.now()
    shared = {}
    finished = Run.objects.filter(job__state="finished").only("summary", "version", "snapshot_digest")
    for run in finished.order_by("pk").iterator():
        if "audit" not in run.summary:
            rows = (run.version_id, run.snapshot_digest)
            if rows not in shared:
                shared[rows] = Job.objects.create(kind="audit", created_at=now, send_due_at=now)
            Run.objects.filter(pk=run.pk).update(audit_job=shared[rows])


def forget(apps, schema_editor):
    """Remove jobs of a kind that earlier code does not know."""
    apps.get_model("surveys", "Run").objects.update(audit_job=None)
    apps.get_model("surveys", "Job").objects.filter(kind="audit").delete()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0021_audits_are_jobs")]

    operations = [migrations.RunPython(ask, forget)]
