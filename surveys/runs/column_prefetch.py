"""Write the columns of new batches before a run needs them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db.models import Max, QuerySet, Sum

from surveys.jobs.dispatch import Task, dispatch
from surveys.jobs.home_token import home_token, queue_of
from surveys.models import Batch, Job, Run, Version
from surveys.runs.column_cache import SegmentStore, cached_columns
from surveys.runs.snapshot import batches_open_to_mining

ROWS_WORTH_A_TASK: Final = 4096
"""Least number of new rows for a prefetch task. A run reads fewer itself, in a few milliseconds."""
SECONDS_BETWEEN_LOOKS: Final = 0.5
"""How often prefetching checks for waiting runs; shorter work is always finished."""
_newest_checked: dict[int, int] = {}
"""Newest batch of each version at the last check, so that no batches are counted twice."""
_newest_requested: dict[int, int] = {}
"""Newest batch of each version for which columns were last requested."""


def columns_step() -> None:
    """Dispatch the conversion of new rows to columns, if there are many; a worker's periodic step."""
    newest = Batch.objects.order_by().values_list("version").annotate(newest=Max("pk"))
    updates = {version_id: last for version_id, last in newest if _newest_checked.get(version_id) != last}
    if not updates:
        return
    queue = queue_of(home_token(settings.SOTTOVOCE_HOME))
    for version_id, last in updates.items():
        version = Version.objects.select_related("survey").get(pk=version_id)
        batches = batches_open_to_mining(version)
        last_sent = _newest_requested.get(version_id, 0)
        if _rows_of(batches.filter(pk__gt=last_sent)) >= ROWS_WORTH_A_TASK:
            if not dispatch(Task.KEEP_COLUMNS, version_id, queue=queue):
                return
            _newest_requested[version_id] = batches.values_list("pk", flat=True).last() or 0
        _newest_checked[version_id] = last


def _rows_of(batches: QuerySet[Batch]) -> int:
    """Return the number of rows in batches."""
    return batches.order_by().aggregate(rows=Sum("n"))["rows"] or 0


class RunWaits(Exception):
    """A run waits for workers or is being mined, so prefetching is postponed."""


def keep_columns_of(version_id: int) -> int:
    """Update a design's columns in this home; return the number of new batches.

    Raises
    ------
    RunWaits
        A run was requested meanwhile. Complete segments are kept.
    """
    version = Version.objects.select_related("survey").get(pk=version_id)
    batches = batches_open_to_mining(version)
    store = SegmentStore(version.to_design(), version.survey_id, batches.none())
    if _rows_of(batches.filter(pk__gt=store.newest())) < ROWS_WORTH_A_TASK:
        return 0
    return cached_columns(version.to_design(), version.survey_id, batches, checkpoint=_run_checker()).read


def _run_checker() -> Callable[[], None]:
    """Return a function that checks periodically for a waiting or running run and raises `RunWaits`."""
    looked = time.monotonic()

    def look() -> None:
        nonlocal looked
        if time.monotonic() - looked < SECONDS_BETWEEN_LOOKS:
            return
        looked = time.monotonic()
        if Run.objects.filter(job__state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists():
            raise RunWaits

    return look
