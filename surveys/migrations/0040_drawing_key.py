"""The key that the server disguises undisguised answers under: its own, so that no other key moves them."""

import hashlib
import secrets

from django.conf import settings
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

KEY = "the drawing key is immutable: under another one answers would be disguised twice"
VERBS = ("UPDATE", "DELETE")
# What earlier releases drew under: Django's salted HMAC has the digest of salt and secret key for its key.
SALT = b"surveys.disclosure.redisguise"


def key_make(apps, schema_editor):
    """Keep the key that disguises were drawn under; where there are no answers yet, a random one."""
    batches = apps.get_model("surveys", "Batch").objects.order_by()
    last = batches.aggregate(last=models.Max("pk"))["last"]
    if last is None:
        key = secrets.token_bytes(32)
        mark = hashlib.sha256(key).hexdigest()[:8]
    else:
        key = hashlib.sha256(SALT + settings.SECRET_KEY.encode()).digest()
        mark = ""
    apps.get_model("surveys", "DrawingKey").objects.create(id=1, key=key, mark=mark, by_digest_to=last or 0)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0039_draft_revisions")]

    operations = [
        migrations.CreateModel(
            name="DrawingKey",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("key", models.BinaryField(max_length=32)),
                ("mark", models.CharField(blank=True, default="", max_length=8)),
                ("by_digest_to", models.PositiveBigIntegerField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="surveys_drawingkey_one")
                ],
            },
        ),
        migrations.RunPython(key_make, migrations.RunPython.noop),
        RunSQLByVendor(
            forwards={
                "sqlite": [
                    f"CREATE TRIGGER surveys_drawingkey_no_{verb.lower()} BEFORE {verb} "
                    f"ON surveys_drawingkey FOR EACH ROW BEGIN SELECT RAISE(ABORT, '{KEY}'); END"
                    for verb in VERBS
                ],
                "postgresql": [
                    f"CREATE TRIGGER surveys_drawingkey_no_{verb.lower()} BEFORE {verb} "
                    f"ON surveys_drawingkey FOR EACH ROW EXECUTE FUNCTION surveys_refuse('{KEY}')"
                    for verb in VERBS
                ],
            },
            backwards={
                "sqlite": [f"DROP TRIGGER surveys_drawingkey_no_{verb.lower()}" for verb in VERBS],
                "postgresql": [
                    f"DROP TRIGGER surveys_drawingkey_no_{verb.lower()} ON surveys_drawingkey"
                    for verb in VERBS
                ],
            },
        ),
    ]
