"""A filter is an address: there are no saved views, and the log says which there were."""

from django.db import migrations
from django.utils import timezone


def record(apps, schema_editor):
    """Write one event for each view, with the address that showed it on any run of its design."""
    event = apps.get_model("surveys", "AuditEvent")
    for view in apps.get_model("surveys", "SavedView").objects.select_related("survey").order_by("pk"):
        detail = {"name": view.name, "query": view.query, "made_by": view.made_by}
        event.objects.create(
            at=timezone.now(), actor="upgrade", action="view_delete", target=view.survey.slug, detail=detail
        )


class Migration(migrations.Migration):
    dependencies = [("surveys", "0055_provider_accounts_are_allowed")]

    operations = [
        migrations.RunPython(record, migrations.RunPython.noop),
        migrations.DeleteModel("SavedView"),
    ]
