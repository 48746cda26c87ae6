"""Keys of the mixer and of its spare."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class MixerKey(models.Model):
    """The public half of a key that rows are sealed under. The private half is a file of the mixer.

    New rows are sealed under the ``current`` key of their design or, if it has none, under the current key
    that all designs share, as long as the mixer vouches that it can open them. A key is listed until its file
    is destroyed. No one can open a row that names an unlisted key.
    """

    # Identifies the key: half of the SHA-256 of the public key.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # The version that waiting rows of the key's design name; null for the shared key. No foreign key, because
    # the key stays until its file is destroyed, even if the survey is deleted first.
    version_id = models.BigIntegerField(null=True)
    # The random name of the mixer that created it.
    mixer = models.CharField(max_length=32)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Position of PostgreSQL's log at which no row named the key any longer.
    unnamed_at = models.CharField(max_length=32, blank=True, default="")

    objects: ClassVar[models.Manager[MixerKey]]

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["version_id"], condition=models.Q(current=True), name="surveys_mixerkey_one_of_design"
            ),
            models.UniqueConstraint(
                fields=["current"],
                condition=models.Q(current=True, version_id=None),
                name="surveys_mixerkey_one_shared",
            ),
        )

    def __str__(self) -> str:
        return f"mixer key {bytes(self.name).hex()[:8]}"


class SpareKey(models.Model):
    """Public half of a key of the spare mixer. Copies of the mixer's private keys are sealed under it.

    The private half is a file of the spare, on another machine. The mixer makes copies under the ``current``
    key as long as the spare vouches that it can open them.
    """

    # Identifies the key, like `MixerKey.name`.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # The random name of the spare, and the name of its host.
    mixer = models.CharField(max_length=32)
    host = models.CharField(max_length=255)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Position of PostgreSQL's log at which no copy was under the key any longer.
    unnamed_at = models.CharField(max_length=32, blank=True, default="")

    objects: ClassVar[models.Manager[SpareKey]]

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["current"], condition=models.Q(current=True), name="surveys_sparekey_one"
            ),
        )

    def __str__(self) -> str:
        return f"spare key {bytes(self.name).hex()[:8]}"


class KeyCopy(models.Model):
    """The private half of a mixer's key, sealed under a key of the spare. No backup contains it."""

    # Names of the key and of the key of the spare. No foreign keys, as with waiting rows.
    name = models.BinaryField(primary_key=True, max_length=16)
    spare = models.BinaryField(max_length=16)
    box = models.BinaryField()

    objects: ClassVar[models.Manager[KeyCopy]]

    class Meta:
        verbose_name_plural = "key copies"

    def __str__(self) -> str:
        return "a sealed copy of a key"
