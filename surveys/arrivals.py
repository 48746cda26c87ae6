"""Columns and kept counts that follow the batches as they arrive, before anybody asks for a run."""

from __future__ import annotations

import logging
from typing import Final

from django.db.models import Max, Sum
from kombu.exceptions import OperationalError

from surveys.column_cache import Shelf, cached_columns
from surveys.models import Batch, Version
from surveys.respond.mix import batches_open_to_mining

__all__ = ["columns_step", "keep_columns_of"]

logger = logging.getLogger(__name__)

ROWS_WORTH_A_TASK: Final = 4096
"""Fewer new rows a run reads itself, in a few milliseconds."""

_asked_for: dict[int, int] = {}
"""Newest batch of each version at the time of the last task: a task is sent once for the same batches."""


def columns_step() -> None:
    """Send a task for each design with many rows that are not columns yet: the sweeper's step."""
    # The task module imports what only workers need.
    from surveys.tasks import keep_columns

    newest = Batch.objects.order_by().values_list("version").annotate(newest=Max("pk"))
    for version_id, last in newest:
        if _asked_for.get(version_id) == last:
            continue
        version = Version.objects.select_related("survey").get(pk=version_id)
        batches = batches_open_to_mining(version)
        shelf = Shelf(version.to_design(), version.survey_id, batches.none())
        new = batches.filter(pk__gt=shelf.newest()).aggregate(rows=Sum("n"))["rows"] or 0
        if new >= ROWS_WORTH_A_TASK:
            try:
                keep_columns.apply_async((version_id,), retry=False)
            except (OperationalError, OSError) as error:
                logger.warning("the broker did not take a task for columns: %s", type(error).__name__)
                return
        _asked_for[version_id] = last


def keep_columns_of(version_id: int) -> int:
    """Bring the column cache of a design up to date; return how many batches were new."""
    version = Version.objects.select_related("survey").get(pk=version_id)
    found = cached_columns(version.to_design(), version.survey_id, batches_open_to_mining(version))
    return found.read
