"""What each account is shown. Those that are there keep what they see: they are experts, and know the way."""

from django.conf import settings
from django.db import migrations, models


def keep_experts(apps, schema_editor):
    preferences = apps.get_model("surveys", "StaffPreference")
    staff = apps.get_model("auth", "User").objects.filter(is_staff=True, staff_preference=None)
    preferences.objects.bulk_create(
        preferences(user_id=pk, is_expert=True, has_seen_way=True)
        for pk in staff.values_list("pk", flat=True)
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("surveys", "0061_inbox_unsampled_again"),
    ]

    operations = [
        migrations.CreateModel(
            name="StaffPreference",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        related_name="staff_preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("is_expert", models.BooleanField(default=False)),
                ("has_seen_way", models.BooleanField(default=False)),
            ],
        ),
        migrations.RunPython(keep_experts, migrations.RunPython.noop),
    ]
