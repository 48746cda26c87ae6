"""Waiting rows are sealed under the mixer's key; those that wait in the clear are sealed, and erased once.

The rows get new names, and stand in their order. On SQLite the pages of the table that goes are overwritten
(secure_delete), and the next migration empties the log; on PostgreSQL its files go.
"""

import hashlib
import os
import secrets
from datetime import timedelta

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.management.base import CommandError
from django.db import migrations, models
from django.utils import timezone

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
        (secrets.token_bytes(16), version, name_of(key), sealed(packed, under=key, design_id=design))
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
    key = X25519PrivateKey.generate()
    MixerKey.objects.create(
        name=name_of(key.public_key()),
        public=key.public_key().public_bytes_raw(),
        mixer=kept_in_folder(key, settings.SOTTOVOCE_MIXER_KEYS / beat.says["token"]),
        current=True,
        vouched_until=now + timedelta(minutes=10),
    )
    return key.public_key()


def name_of(public):
    """Name a public key as `surveys.intake.boxes` does."""
    return hashlib.sha256(public.public_bytes_raw()).digest()[:16]


def sealed(row, *, under, design_id):
    """Seal a row under a public key, so that `surveys.intake.boxes` opens it."""
    ephemeral = X25519PrivateKey.generate()
    sent = ephemeral.public_key().public_bytes_raw()
    info = b"sotto inbox 1" + sent + under.public_bytes_raw()
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(ephemeral.exchange(under))
    bound_to = name_of(under) + bytes.fromhex(design_id)
    return sent + ChaCha20Poly1305(derived).encrypt(bytes(12), row, bound_to)


def kept_in_folder(key, folder):
    """Write a key where `surveys.intake.keys` reads it; return the name of the folder's mixer."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    mixer = folder / "mixer"
    if not mixer.exists():
        on_the_disk(mixer, secrets.token_hex(16).encode("ascii"))
    on_the_disk(folder / name_of(key.public_key()).hex(), key.private_bytes_raw())
    for directory in (folder, folder.parent, folder.parent.parent):
        flush(directory)
    return mixer.read_text(encoding="ascii")


def on_the_disk(path, content):
    """Write a new file, for its owner only."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush(directory):
    """Have the names in a folder on the disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unseal(apps, editor):
    """Make the table as it was, where no row waits: a migration opens no box."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM surveys_inbox")
        (waiting,) = cursor.fetchone()
    if waiting:
        raise CommandError(
            f"{waiting} rows wait in boxes, which the older program cannot read. Close the surveys at once"
            " and let the sweeper come round, or restore the backup from before the upgrade."
        )
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
