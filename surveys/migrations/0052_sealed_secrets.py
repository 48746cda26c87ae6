"""Secrets of apps that make codes, and keys of webhooks, sealed under the installation's secret key.

Backups from before hold them as they are.
"""

import base64
import os

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations, models


def sealed(content, about):
    """Seal as the program of this migration did: a program that changes must not change what it wrote."""
    salt = os.urandom(16)
    derived = HKDF(algorithm=SHA256(), length=32, salt=salt, info=b"sotto secret 1")
    cipher = ChaCha20Poly1305(derived.derive(str(settings.SECRET_KEY).encode()))
    return base64.b64encode(salt + cipher.encrypt(bytes(12), content, about.encode())).decode()


def seal_apps(apps, schema_editor):
    """Seal what is there; the apps go on making the codes they made."""
    for device in apps.get_model("otp_totp", "TOTPDevice").objects.all():
        device.key = sealed(bytes.fromhex(device.key), f"app {device.user_id}")
        device.save(update_fields=["key"])


def seal_hooks(apps, schema_editor):
    """Seal the keys of webhooks."""
    for hook in apps.get_model("surveys", "Webhook").objects.all():
        hook.key = sealed(base64.b64decode(hook.key), "webhook")
        hook.old_key = sealed(base64.b64decode(hook.old_key), "webhook") if hook.old_key else ""
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
        migrations.RunPython(seal_apps, migrations.RunPython.noop),
        migrations.RunPython(seal_hooks, migrations.RunPython.noop),
    ]
