"""An address that shares one page without a log-in."""

from __future__ import annotations

from datetime import datetime

from django.db import models


class SharedPage(models.Model):
    """An address that shares one page: the results of a run, or the privacy risk of a survey.

    Notes
    -----
    The address contains a token of 128 random bits. Only its digest is stored, so reading the database
    reveals no address. The row stays after the address has ended, so that its creator sees which existed.
    """

    class Kind(models.TextChoices):
        RESULTS = "results"
        RISK = "risk"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="shared")
    # Only for results.
    run = models.ForeignKey(
        "surveys.Run", null=True, blank=True, on_delete=models.CASCADE, related_name="shared"
    )
    digest = models.CharField(max_length=64, unique=True)
    # A user name, stored as text so that it outlives the account.
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    until = models.DateTimeField()
    # Set if the address was ended early.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return f"{self.kind} of {self.survey_id} until {self.until:%Y-%m-%d}"

    def works(self, *, now: datetime) -> bool:
        """Whether the address is valid now."""
        return self.ended_at is None and now < self.until
