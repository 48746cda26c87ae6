"""Waiting rows are sealed under the mixer's key; those that wait in the clear are sealed, and erased once.

The rows get new names, and stand in their order. On SQLite the pages of the table that goes are overwritten
(secure_delete), and the next migration empties the log; on PostgreSQL its files go.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.intake.boxes import PrivateKey, seal
from surveys.intake.key_files import KeyFolder

TYPES = {"sqlite": ("BLOB", "bigint", " WITHOUT ROWID"), "postgresql": ("bytea", "bigint", "")}


def made_anew(editor, columns):
    """Make the table of waiting rows again, with these columns beside its name and its version."""
    content, number, rest = TYPES[editor.connection.vendor]
    with editor.connection.cursor() as cursor:
        cursor.execute("DROP TABLE surveys_inbox")
        cursor.execute(
            f'CREATE TABLE surveys_inbox ("key" {content} NOT NULL PRIMARY KEY, '
            f'"version_id" {number} NOT NULL '
            'REFERENCES "surveys_version" ("id") DEFERRABLE INITIALLY DEFERRED, '
            + ", ".join(f'"{column}" {content} NOT NULL' for column in columns)
            + f"){rest}"
        )


def seal_all(apps, editor):
    """Seal the rows that wait, and put them into a table that has room for a box and its key's name."""
    with editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT v.id, v.design_id, i.packed FROM surveys_inbox i "
            "JOIN surveys_version v ON v.id = i.version_id"
        )
        waiting = [(version, design, bytes(packed)) for version, design, packed in cursor.fetchall()]
    made_anew(editor, ("sealed_under", "box"))
    if not waiting:
        return
    secrets.SystemRandom().shuffle(waiting)
    key = key_offered(apps)
    rows = sorted(
        (secrets.token_bytes(16), version, key.name, seal(packed, under=key, design_id=design))
        for version, design, packed in waiting
    )
    with editor.connection.cursor() as cursor:
        cursor.executemany(
            'INSERT INTO surveys_inbox ("key", version_id, sealed_under, box) VALUES (%s, %s, %s, %s)', rows
        )


def key_offered(apps):
    """Offer a key, as `surveys.intake.keys` does."""
    Beat, MixerKey = apps.get_model("surveys", "Beat"), apps.get_model("surveys", "MixerKey")
    now = timezone.now()
    beat, _ = Beat.objects.get_or_create(
        name="database token", defaults={"at": now, "says": {"token": secrets.token_hex(12)}}
    )
    folder = KeyFolder(settings.SOTTO_MIXER_KEYS, beat.says["token"])
    folder.make()
    key = PrivateKey.drawn()
    folder.write(key)
    MixerKey.objects.create(
        name=key.public_key.name,
        public=key.public_key.public,
        mixer=folder.mixer(),
        current=True,
        vouched_until=now + timedelta(minutes=10),
    )
    return key.public_key


def unseal(apps, editor):
    """Make the table as it was, where no row waits: a migration opens no box."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM surveys_inbox")
        (waiting,) = cursor.fetchone()
    if waiting:
        raise SurveyError("sealed_rows_wait", waiting)
    made_anew(editor, ("packed",))


class Migration(migrations.Migration):
    dependencies = [("surveys", "0023_mixer_keys")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="inbox", name="packed"),
                migrations.AddField(
                    model_name="inbox",
                    name="sealed_under",
                    field=models.BinaryField(max_length=16),
                    preserve_default=False,
                ),
                migrations.AddField(
                    model_name="inbox", name="box", field=models.BinaryField(), preserve_default=False
                ),
            ],
            database_operations=[migrations.RunPython(seal_all, unseal)],
        ),
    ]
