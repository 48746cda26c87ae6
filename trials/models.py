"""The last run of each paper's experiment: made-up people only, and nothing of anybody."""

from __future__ import annotations

from typing import Final

from django.db import models

from surveys.models import Job

JOB_KIND: Final = "paper"
"""Of the job that runs an experiment."""


class Experiment(models.Model):
    """What was asked of an experiment last, the job that does it, and the last result.

    Notes
    -----
    A run that fails or is cancelled leaves the result before it as it is.
    """

    paper = models.CharField(max_length=40, unique=True)
    asked = models.JSONField(default=dict)
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="experiment")
    # Of the result: its parameters, its tables, when it was stored, and by which version of the program.
    parameters = models.JSONField(default=dict)
    tables = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True)
    version = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"experiment {self.paper}"
