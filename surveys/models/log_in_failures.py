"""Failed log-ins, counted by name and by address."""

from __future__ import annotations

from django.db import models


class LogInFailures(models.Model):
    """Number of failed log-ins for one name, one address, or both together.

    Names and addresses are stored as keyed digests, until the next attempt after `until`.
    """

    key = models.CharField(max_length=64, primary_key=True)
    # The digest of the name, so that an administrator can lift an account's lock-out; empty if only an
    # address is counted.
    name = models.CharField(max_length=64, blank=True, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)
    # After this many failures, log-ins are refused until `until`.
    most = models.PositiveSmallIntegerField()
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "log-in failures"

    def __str__(self) -> str:
        return f"{self.failures} of {self.most} until {self.until:%H:%M}"
