"""Saved revisions of a draft, and how many are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import models

from surveys.models.stored_json import StoredJSON

MOST_REVISIONS: Final = 100
"""Newest revisions kept of one draft, besides the one with the text that the draft was read from."""
ONE_REVISION: Final = timedelta(minutes=1)
"""What one person types within this time counts as one revision."""


class DraftRevision(models.Model):
    """A saved revision of a draft.

    Notes
    -----
    What one person types in the builder within a minute counts as one revision, unless it removes a question.
    Each other save is a revision of its own, so the draft that it replaces can be restored.
    ``pasted`` is the text that the draft was made from, if any, so that it can be restored; ``choices`` are
    those of its import report (`surveys.authoring.former_choices`).
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="draft_revisions")
    # The draft's number after its last save: see `Survey.revision`.
    revision = models.PositiveIntegerField()
    definition = StoredJSON(kind="draft")
    pasted = models.TextField(blank=True)
    choices = StoredJSON(kind="import", null=True, blank=True)
    begun_at = models.DateTimeField()
    saved_at = models.DateTimeField()
    # A user name, stored as text so that it outlives the account.
    saved_by = models.CharField(max_length=150)

    class Meta:
        ordering = ("-revision",)
        constraints = (models.UniqueConstraint(fields=("survey", "revision"), name="draft_revision_once"),)

    def __str__(self) -> str:
        return f"revision {self.revision} of {self.survey_id}"
