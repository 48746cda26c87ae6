"""Log-ins of staff that failed lately, so that guessing comes to an end."""

from __future__ import annotations

from django.db import models


class LogInFailures(models.Model):
    """How often a log-in failed, for one name, one address, or both together.

    Names and addresses are kept as keyed digests, until the next attempt after `until`.
    """

    key = models.CharField(max_length=64, primary_key=True)
    # The digest of the name, so that an administrator can lift what keeps one account out; empty for an
    # address by itself.
    name = models.CharField(max_length=64, blank=True, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)
    # From so many failures on nobody gets in until `until`.
    most = models.PositiveSmallIntegerField()
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "log-in failures"

    def __str__(self) -> str:
        return f"{self.failures} of {self.most} until {self.until:%H:%M}"
