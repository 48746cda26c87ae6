"""That a published survey is a wave of a series: the same people may answer the others, too."""

from __future__ import annotations

from django.db import models

from surveys.models.survey import Survey


class Wave(models.Model):
    """A published survey of a series, as its newest version says."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="wave")
    series = models.CharField(max_length=50, db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.survey} of {self.series}"
