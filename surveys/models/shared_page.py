"""An address by which people without an account read one page of a survey, until it ends."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from surveys.models.run import Job, Run
from surveys.models.survey import Survey

EXAMPLE = "example"
"""Stands for a token in the address of the finished example; tokens are longer."""


class SharedPage(models.Model):
    """One address that shows one page: results of a run, a survey's risk in words, or a draft's preview.

    Notes
    -----
    The address holds a token of 128 random bits. Only its digest is kept: anyone who reads the database
    learns no address. A row stays when its address has ended, so that its maker sees which there were.
    """

    class Kind(models.TextChoices):
        RESULTS = "results"
        RISK = "risk"
        PREVIEW = "preview"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="shared")
    # Of results.
    run = models.ForeignKey(
        "surveys.Run", null=True, blank=True, on_delete=models.CASCADE, related_name="shared"
    )
    digest = models.CharField(max_length=64, unique=True)
    # A user name, as in the audit log: it outlives the account.
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    until = models.DateTimeField()
    # Where it was ended before its time was over.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return f"{self.kind} of {self.survey_id} until {self.until:%Y-%m-%d}"

    @classmethod
    def of_example(cls) -> SharedPage | None:
        """Return a page of the finished example, in no database and without an end; None where there is none.

        Its respondents are simulated and their truth is known: no run with a person in it has that.
        """
        finished = Run.objects.filter(survey__known_truth__isnull=False, job__state=Job.State.FINISHED)
        run = finished.select_related("survey", "version", "job").order_by("pk").first()
        return None if run is None else cls(kind=cls.Kind.RESULTS, survey=run.survey, run=run)

    @classmethod
    def example_is_on_its_way(cls) -> bool:
        """Return whether the finished example is being made: answered by its devices, or analysed."""
        with_truth = Survey.objects.filter(known_truth__isnull=False)
        at_work = models.Q(runs__isnull=True) | models.Q(
            runs__job__state__in=(Job.State.QUEUED, Job.State.RUNNING)
        )
        return cls.of_example() is None and with_truth.filter(at_work).exists()

    def works(self, *, now: datetime) -> bool:
        """Whether the address shows anything now."""
        return self.ended_at is None and now < self.until
