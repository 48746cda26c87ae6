"""Disguised answers: receipts, the inbox, the keys of its boxes, the batches of rows, and counts of them.

A row of an answer knows nothing of when it came or from whom. A receipt says that a submission arrived and
knows no answer; the inbox holds disguised rows, in boxes, until they are shuffled into a batch; a
batch is the truth and its rows have neither number nor day. On SQLite receipts and inbox are WITHOUT ROWID
tables: a hidden row number would count the order of arrival.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import models

from surveys.models.staff import ImmutableRow
from surveys.models.survey import Survey, Version

# The group bit is the first bit of a row: bytes of rows that are not direct ones.
_NOT_DIRECT: Final = bytes(range(0x80))


class Receipt(models.Model):
    """That a submission arrived, once.

    ``key`` is the client's 128 random bits or, where answers take an invitation, the SHA-256 of its code,
    written when the code is made; ``digest`` is the SHA-256 of the exact request, which holds 32 random bytes
    that are stored nowhere: a guessed row cannot be tested against it. A null digest is an invitation not yet
    spent. ``fresh`` says that it came since the last mix.
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
    """A disguised row that waits to be mixed, in a box that its mixer alone can open.

    It has a random name that it shares with nothing, and says which key its box is sealed under.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    # The first version of the survey with the row's design: rows of versions that differ in wording mix
    # together. No index: the table is nearly empty most of the time.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+", db_index=False)
    # No foreign key: a row outlives a key that is lost, and is counted.
    sealed_under = models.BinaryField(max_length=16)
    box = models.BinaryField()

    class Meta:
        verbose_name_plural = "inbox"

    def __str__(self) -> str:
        return "a waiting row"


class MixerKey(models.Model):
    """A key that rows are sealed under: its public half. The private half is a file of the mixer's.

    New rows are sealed under the ``current`` key of their design, or where nothing of the design waits under
    the current one that all designs share, for as long as its mixer vouches that it can open them. A key is
    here until its file is destroyed; a row that names a key which is not here can be opened by nobody.
    """

    # The name says which key it is: half of the SHA-256 of the public key.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # Of the design whose rows wait under it, the version that they name; none for the key that is shared. No
    # foreign key: it is here until its file is destroyed, also where the survey is deleted before.
    version_id = models.BigIntegerField(null=True)
    # The random name of the mixer that made it.
    mixer = models.CharField(max_length=32)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Where PostgreSQL's log stood when no row named the key any more.
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
    """Shuffled disguised rows of one design: the truth that everything is computed from.

    ``packed`` holds ``n`` rows of the design's constant length, one after another; ``digest`` is its SHA-256.
    ``n_direct``, how many of them are direct ones, is counted from them when the batch is written.
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
    """What answers that came undisguised are disguised under: one random key of the whole installation.

    Nothing else is drawn or signed with it, so no other key that changes lets rows be drawn twice. It stands
    beside the answers: anyone who can read it reads them as they were sent. ``mark`` is part of the name that
    results are kept under. Up to batch ``by_digest_to`` the words come of a batch's digest alone, as an
    earlier release drew them; of later ones two with equal rows share no words.
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
    """Count the direct ones among `n` packed rows.

    >>> direct_rows(bytes([0x80, 1, 0x00, 0x80, 0xC0, 0]), 3)
    2
    """
    return len(packed[:: max(1, len(packed) // n)].translate(None, _NOT_DIRECT))
