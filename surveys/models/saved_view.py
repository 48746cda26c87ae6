"""Named filters of a survey's rules."""

from __future__ import annotations

from typing import Final

from django.db import models

LONGEST_NAME: Final = 60
"""Letters: names stand side by side above a table."""


class SavedView(models.Model):
    """One view of the rule table: which rules, in which order, under a name.

    A view holds for all runs on one design of a survey: items are numbers in a design, and mean others in
    another one. All who may read the survey's reports see it.

    Notes
    -----
    ``query`` is what `surveys.analysis.rule_query.RuleQuery.address` writes, never what somebody typed.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="saved_views")
    design_id = models.CharField(max_length=64)
    name = models.CharField(max_length=LONGEST_NAME)
    query = models.TextField()
    # A user name, as in the audit log: it outlives the account.
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("name", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("survey", "design_id", "name"), name="saved_view_name_once_a_design"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.survey_id}"
