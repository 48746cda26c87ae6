"""What a person says of a rule; a history that is only added to."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.immutable import ImmutableRow


class Verdict(ImmutableRow):
    """One person's verdict on one rule. Who changes their mind gives another; the newest counts."""

    class Opinion(models.TextChoices):
        REVIEWED = "reviewed", _("reviewed")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")

    rule = models.ForeignKey(
        "surveys.RuleRow", on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    opinion = models.CharField(max_length=8, choices=Opinion.choices)
    note = models.TextField(blank=True)
    # A user name; text, so that the verdict outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    # How many rules it was given to in one go: whoever reads it sees whether this one was looked at alone.
    given_to = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ("-pk",)
        # With the number behind the rule the newest verdict of each of 50,000 rules is one step away.
        indexes = (models.Index(fields=("rule", "id"), name="verdict_by_rule"),)

    def __str__(self) -> str:
        return f"{self.opinion} by {self.by}"
