"""The times at which a survey that stays open is cut into chapters."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Chapter(models.Model):
    """A time at which a survey is cut into chapters, as its published schedule states it.

    ``last_batch`` is the number of the survey's newest batch when the chapter was closed, or 0; null before.
    The database refuses to change a closed chapter, or any time.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.PROTECT, related_name="chapters")
    ends_at = models.DateTimeField()
    last_batch = models.BigIntegerField(null=True)

    objects: ClassVar[models.Manager[Chapter]]

    class Meta:
        ordering = ("ends_at",)
        constraints = (models.UniqueConstraint(fields=("survey", "ends_at"), name="chapter_time_once"),)

    def __str__(self) -> str:
        return f"chapter of {self.survey_id} until {self.ends_at:%Y-%m-%d}"
