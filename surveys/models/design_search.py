"""A search for the best design under limits, asked for on the planner's page and made by a worker."""

from __future__ import annotations

from django.db import models

from surveys.models.run import Job


class DesignSearch(models.Model):
    """What was asked for, and what was found; of numbers only, no answer of anybody is in it."""

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="design_search")
    # The draft that it was begun from; a search for nobody's survey has none.
    survey = models.ForeignKey(
        "surveys.Survey", null=True, blank=True, on_delete=models.CASCADE, related_name="design_searches"
    )
    asked = models.JSONField()
    found = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"search {self.pk} ({self.job.state})"
