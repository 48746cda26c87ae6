"""Secrets of apps that make codes, and keys of webhooks, sealed under the installation's secret key.

Backups from before hold them as they are.
"""

from django.db import migrations, models

from surveys.models.log_in import app_secret_seal
from surveys.models.webhook import webhook_key_seal


def seal(apps, schema_editor):
    """Seal what is there; the apps go on making the codes they made."""
    for device in apps.get_model("otp_totp", "TOTPDevice").objects.all():
        device.key = app_secret_seal(bytes.fromhex(device.key), device.user_id)
        device.save(update_fields=["key"])
    for hook in apps.get_model("surveys", "Webhook").objects.all():
        hook.key = webhook_key_seal(hook.key)
        hook.old_key = webhook_key_seal(hook.old_key) if hook.old_key else ""
        hook.save(update_fields=["key", "old_key"])


class Migration(migrations.Migration):
    dependencies = [("otp_totp", "0003_add_timestamps"), ("surveys", "0048_quota_counts")]

    operations = [
        migrations.CreateModel(
            name="AuthenticatorApp",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.AlterField("webhook", "key", models.CharField(max_length=100)),
        migrations.AlterField("webhook", "old_key", models.CharField(blank=True, max_length=100)),
        migrations.RunPython(seal, migrations.RunPython.noop),
    ]
