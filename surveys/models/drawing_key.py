"""The key for disguising answers that arrived undisguised."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from surveys.models.written_once import ImmutableRow


class DrawingKey(ImmutableRow):
    """Key for disguising answers that arrived undisguised: one random key for the whole installation.

    It has no other use, so changing another key never disguises rows again. It is stored next to the answers,
    because anyone who can read it can also read the answers as they were sent. ``mark`` identifies the key in
    the results.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    key = models.BinaryField(max_length=32)
    mark = models.CharField(max_length=8)

    objects: ClassVar[models.Manager[DrawingKey]]

    class Meta:
        constraints = (models.CheckConstraint(condition=models.Q(id=1), name="surveys_drawingkey_one"),)

    def __str__(self) -> str:
        return f"drawing key {self.mark}"
