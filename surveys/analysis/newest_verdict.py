"""Rules by the verdict that counts: the newest."""

from __future__ import annotations

from typing import Final

from django.db.models import OuterRef, QuerySet, Subquery

from surveys.models import RuleRow, Verdict

NONE: Final = "none"
"""The filter for rules that nobody gave a verdict."""


def with_verdict(rules: QuerySet[RuleRow], opinion: str) -> QuerySet[RuleRow]:
    """Return those of the rules whose newest verdict is this one; "none" for those without any."""
    if opinion == NONE:
        return rules.filter(verdicts__isnull=True)
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("opinion")[:1]
    return rules.annotate(newest_opinion=Subquery(newest)).filter(newest_opinion=opinion)
