"""Which batches of a version may be mined."""

from __future__ import annotations

from django.db.models import QuerySet

from surveys.models import Batch, Survey, Version


def batches_open_to_mining(version: Version) -> QuerySet[Batch]:
    """Return the batches of a version's design that a run may see, oldest first.

    While a survey can still grow its newest batch is left out: two snapshots taken at different times then
    differ by a whole batch or not at all, never by one respondent. When its last batch is made all are shown.
    Practice surveys show all, always.
    """
    survey = Survey.objects.get(pk=version.survey_id)
    batches = Batch.objects.filter(version__survey=survey, version__design_id=version.design_id).order_by(
        "pk"
    )
    if survey.practice or survey.settled:
        return batches
    # All before the newest of this moment: the query may run after still newer ones were written.
    newest = batches.values_list("pk", flat=True).last()
    return batches.filter(pk__lt=newest or 0)
