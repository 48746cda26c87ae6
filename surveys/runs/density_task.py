"""The task that computes large maps."""

from __future__ import annotations

from celery import shared_task

from surveys.jobs.dispatch import Task


@shared_task(name=Task.KEEP_MAP.value)
def keep_map(run_id: int, number: int) -> None:
    """Compute the large map of a place question with its errors, for a report that waits for it."""
    from surveys.runs.density_cache import store_density

    store_density(run_id, number)
