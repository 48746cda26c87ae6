"""Disguised answers as they are stored: receipts, waiting rows and batches."""

from __future__ import annotations

from typing import Any, Final

from django.db import models

from surveys.models.survey import Survey
from surveys.models.version import Version
from surveys.models.written_once import ImmutableRow

# First bytes of rows that are not direct: the first bit of a row is its group bit.
_NOT_DIRECT: Final = bytes(range(0x80))


class Receipt(models.Model):
    """Proof that a submission arrived, once.

    ``key`` is the client's 128 random bits or, for an answer by invitation, the SHA-256 of its code, stored
    when the code is created. ``digest`` is the SHA-256 of the exact request. The request contains 32 random
    bytes that are not stored, so a guessed row cannot be tested against the digest. A null digest means an
    unused invitation. ``fresh`` means that the submission arrived after the last mix.
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
    """A disguised row that waits to be mixed, in a box that only its mixer can open.

    It has a random name that is used nowhere else, and records the key that its box is sealed under.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    # The first version of the survey with the row's design, because rows of versions that differ only in
    # wording are mixed together. No index, because the table is nearly empty most of the time.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+", db_index=False)
    # No foreign key, because a row outlives a lost key so that it can be counted.
    sealed_under = models.BinaryField(max_length=16)
    box = models.BinaryField()

    class Meta:
        verbose_name_plural = "inbox"

    def __str__(self) -> str:
        return "a waiting row"


class Batch(ImmutableRow):
    """Shuffled, disguised rows of one design, the source of all results.

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


def direct_rows(body: bytes, n: int) -> int:
    """Count the direct rows among `n` packed rows.

    >>> direct_rows(bytes([0x80, 1, 0x00, 0x80, 0xC0, 0]), 3)
    2
    """
    return len(body[:: max(1, len(body) // n)].translate(None, _NOT_DIRECT))
