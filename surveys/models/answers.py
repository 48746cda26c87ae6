"""Disguised answers: receipts, the inbox, the keys of its boxes, the batches of rows, and their counts.

The row of an answer does not record when it came or from whom. A receipt says that a submission arrived and
is not linked to an answer. The inbox holds disguised rows, in boxes, until they are shuffled into a batch. A
batch is the source of truth, and its rows have neither number nor date. On SQLite, receipts and inbox are
WITHOUT ROWID tables, because a hidden row number would record the order of arrival.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import models

from surveys.models.staff import ImmutableRow
from surveys.models.survey import Survey, Version

# The group bit is the first bit of a row: first bytes of rows that are not direct ones.
_NOT_DIRECT: Final = bytes(range(0x80))


class Receipt(models.Model):
    """Proof that a submission arrived, once.

    ``key`` is the client's 128 random bits or, for an answer by invitation, the SHA-256 of its code, written
    when the code is made. ``digest`` is the SHA-256 of the exact request, which holds 32 random bytes that
    are stored nowhere, so a guessed row cannot be tested against it. A null digest is an unused invitation.
    ``fresh`` says that it arrived since the last mix.
    """

    pk = models.CompositePrimaryKey("survey_id", "key")
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="receipts", db_index=False)
    key = models.BinaryField(max_length=32)
    digest = models.BinaryField(max_length=32, null=True)
    fresh = models.BooleanField(default=False)

    class Meta:
        indexes = (
            models.Index(fields=["survey"], condition=models.Q(fresh=True), name="surveys_receipt_fresh"),
        )

    def __str__(self) -> str:
        return f"receipt {bytes(self.key).hex()[:8]}"


class Inbox(models.Model):
    """A disguised row waiting to be mixed, in a box that only its mixer can open.

    It has a random name that is used nowhere else, and records which key its box is sealed under.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    # The first version of the survey with the row's design: rows of versions that differ in wording mix
    # together. No index: the table is nearly empty most of the time.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+", db_index=False)
    # No foreign key: a row outlives a lost key, and is counted.
    sealed_under = models.BinaryField(max_length=16)
    box = models.BinaryField()

    class Meta:
        verbose_name_plural = "inbox"

    def __str__(self) -> str:
        return "a waiting row"


class MixerKey(models.Model):
    """The public half of a key that rows are sealed under. The private half is a file of the mixer.

    New rows are sealed under the ``current`` key of their design or, if no rows of the design wait, under the
    current key that all designs share, for as long as its mixer vouches that it can open them. A key is
    listed until its file is destroyed; a row that names an unlisted key cannot be opened by anyone.
    """

    # Identifies the key: half of the SHA-256 of the public key.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # The version that waiting rows of the key's design name; null for the shared key. No foreign key: the row
    # stays until the key's file is destroyed, even if the survey is deleted before.
    version_id = models.BigIntegerField(null=True)
    # The random name of the mixer that made it.
    mixer = models.CharField(max_length=32)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Position of PostgreSQL's log when no row named the key any more.
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


class Batch(ImmutableRow):
    """Shuffled disguised rows of one design: the source of all results.

    ``packed`` holds ``n`` rows of the design's constant length, one after another; ``digest`` is its SHA-256.
    ``n_direct``, the number of direct rows, is counted when the batch is written.
    """

    # The first version of the survey with the rows' design.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="batches")
    n = models.PositiveIntegerField()
    n_direct = models.PositiveIntegerField()
    packed = models.BinaryField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"batch {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Count the direct rows, and insert the batch."""
        self.n_direct = direct_rows(bytes(self.packed), self.n)
        super().save(*args, **kwargs)


class DrawingKey(ImmutableRow):
    """Key for disguising answers that arrived undisguised: one random key for the whole installation.

    It is used for nothing else, so changing another key never draws rows again. It is stored with the
    answers: someone who can read it can read them as they were sent. ``mark`` is part of the name that
    results are kept under. Up to batch ``by_digest_to`` the random words come from a batch's digest alone, as
    in an earlier release; two later batches with equal rows share no words.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    key = models.BinaryField(max_length=32)
    mark = models.CharField(max_length=8, blank=True, default="")
    by_digest_to = models.PositiveBigIntegerField()

    objects: ClassVar[models.Manager[DrawingKey]]

    class Meta:
        constraints = (models.CheckConstraint(condition=models.Q(id=1), name="surveys_drawingkey_one"),)

    def __str__(self) -> str:
        return f"drawing key {self.mark}".strip()


def direct_rows(packed: bytes, n: int) -> int:
    """Count the direct rows among `n` packed rows.

    >>> direct_rows(bytes([0x80, 1, 0x00, 0x80, 0xC0, 0]), 3)
    2
    """
    return len(packed[:: max(1, len(packed) // n)].translate(None, _NOT_DIRECT))
