"""Revisions of a draft: its saves, and the text it was made from."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import models

MOST_REVISIONS: Final = 100
"""Of one draft, the newest ones; the one with the text it was made from stays beside them."""
ONE_REVISION: Final = timedelta(minutes=1)
"""So long the saves of one person are one revision."""


class DraftRevision(models.Model):
    """A draft as it was saved.

    Notes
    -----
    Saves of one person within a minute are one revision, unless the later one takes a question
    away.
    ``pasted`` is the text that the draft was read from, if it was: the way back to it.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="draft_revisions")
    # Of its last save, see `Survey.revision`.
    revision = models.PositiveIntegerField()
    definition = models.JSONField()
    pasted = models.TextField(blank=True)
    begun_at = models.DateTimeField()
    saved_at = models.DateTimeField()
    # A user name, as in the audit log: it outlives the account.
    saved_by = models.CharField(max_length=150)

    class Meta:
        ordering = ("-revision",)
        constraints = (models.UniqueConstraint(fields=("survey", "revision"), name="draft_revision_once"),)

    def __str__(self) -> str:
        return f"revision {self.revision} of {self.survey_id}"
