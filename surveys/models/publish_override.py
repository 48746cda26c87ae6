"""Why a survey was published though a check refused it."""

from __future__ import annotations

from django.db import models

from surveys.models.immutable import ImmutableRow
from surveys.models.version import Version


class PublishOverride(ImmutableRow):
    """A person's written reason for publishing a version that the checks refused; printed in every report."""

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="override")
    reason = models.TextField()
    # A user name, or "command line"; text, so that it outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    # The findings that were refused, as `surveys.questionnaire.checks.Finding.to_json` gives them.
    findings = models.JSONField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.version} by {self.by}"
