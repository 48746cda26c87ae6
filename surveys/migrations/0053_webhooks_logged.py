"""The log says which webhooks there were; their messages and the tries of these go."""

from urllib.parse import urlsplit

from django.db import migrations
from django.utils import timezone


def record(apps, schema_editor):
    """Write one event for each webhook, with the host of its address: what follows may be a secret."""
    event, delivery, job = (
        apps.get_model("surveys", name) for name in ("AuditEvent", "WebhookDelivery", "Job")
    )
    for hook in apps.get_model("surveys", "Webhook").objects.select_related("survey").order_by("pk"):
        event.objects.create(
            at=timezone.now(),
            actor="upgrade",
            action="webhook_end",
            target=hook.survey.slug if hook.survey else "all surveys",
            detail={"webhook": hook.pk, "host": urlsplit(hook.url).hostname, "made_by": hook.made_by},
        )
    delivery.objects.all().delete()
    job.objects.filter(kind="deliver").delete()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0052_sealed_secrets")]

    operations = [migrations.RunPython(record, migrations.RunPython.noop)]
