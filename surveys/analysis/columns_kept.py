"""Columns and kept counts that follow the batches as they arrive, before anybody asks for a run.

The worker's side of `surveys.analysis.prefetch`, which the sweeper loads, and which computes nothing.
"""

from __future__ import annotations

from surveys.analysis import prefetch
from surveys.models import Version
from surveys.snapshots.column_cache import SegmentStore, cached_columns
from surveys.snapshots.snapshot import batches_open_to_mining

__all__ = ["keep_columns_of"]


def keep_columns_of(version_id: int) -> int:
    """Bring the columns of a design in this home up to date; return how many batches were new."""
    version = Version.objects.select_related("survey").get(pk=version_id)
    batches = batches_open_to_mining(version)
    shelf = SegmentStore(version.to_design(), version.survey_id, batches.none())
    if prefetch.rows_of_batches(batches.filter(pk__gt=shelf.newest())) < prefetch.ROWS_WORTH_A_TASK:
        return 0
    return cached_columns(version.to_design(), version.survey_id, batches).read
