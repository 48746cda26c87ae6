"""How many answers surveys received: their receipts, and the receipts that were deleted after closing."""

from __future__ import annotations

from django.db.models import Count

from surveys.models import Receipt, Survey


def received_count(survey: Survey) -> int:
    """Return how many answers a survey received, including those whose receipts are deleted."""
    return received_counts(survey.pk).get(survey.pk, 0)


def received_counts(*survey_ids: int) -> dict[int, int]:
    """Return how many answers each survey received, by its key; surveys without answers are left out.

    Parameters
    ----------
    *survey_ids : int
        Keys of surveys; none for all.
    """
    receipts = Receipt.objects.filter(digest__isnull=False)
    deleted = Survey.objects.filter(receipts_deleted__gt=0)
    if survey_ids:
        receipts, deleted = receipts.filter(survey__in=survey_ids), deleted.filter(pk__in=survey_ids)
    counts = dict(receipts.values_list("survey").annotate(sent=Count("survey")).order_by())
    for key, number in deleted.values_list("pk", "receipts_deleted").order_by():
        counts[key] = counts.get(key, 0) + number
    return counts
