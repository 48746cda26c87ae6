"""The last run of each paper's experiment: made-up people only, and nothing of anybody."""

from __future__ import annotations

from typing import Final

from django.db import models

from surveys.models import Job

JOB_KIND: Final = "paper"
"""Of the job that runs an experiment."""


class Experiment(models.Model):
    """The job that an experiment was given last, and its last result.

    Notes
    -----
    A run that fails or is cancelled leaves the result before it as it is.
    """

    paper = models.CharField(max_length=40, unique=True)
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="experiment")
    job_parameters = models.JSONField(default=dict)
    # Of the result: its parameters, its tables, when it was stored, and by which version of the program.
    parameters = models.JSONField(default=dict)
    # JSON as text: PostgreSQL would give the columns of a table in another order.
    tables = models.TextField(default="{}")
    finished_at = models.DateTimeField(null=True)
    version = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"experiment {self.paper}"
