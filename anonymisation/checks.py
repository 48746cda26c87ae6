"""The doctor's check of this application: uploaded records are deleted in time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from anonymisation.models import ReleaseTable
from surveys.server.health import Check, CheckContext, Diagnosis, failure, ok, warning
from surveys.server.machine import doubt_noted

LONGEST_DELAY: Final = timedelta(hours=1)
"""The sweeper deletes within seconds; while it is restarted nobody need be alarmed."""


def records_go_on_their_day(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that tables to be published are deleted within a day."""
    promise = "uploaded records are kept for a day at most"
    tables = ReleaseTable.objects.order_by("ends_at")
    late = tables.filter(ends_at__lte=context.now - LONGEST_DELAY).count()
    if late and (doubt := doubt_noted(now=context.now)):
        yield warning(promise, doubt, "Check the clocks (timedatectl). The sweeper then continues by itself.")
    elif late:
        remedy = "Start sottovoce sweep, and check its log for the reason."
        yield failure(promise, f"{late} tables should have been deleted", remedy)
    elif table := tables.first():
        yield ok(
            promise, f"{tables.count()} stored; the next is deleted on {table.ends_at:%Y-%m-%d %H:%M} UTC"
        )
    else:
        yield ok(promise, "no records are stored")


CHECKS: Final[tuple[Check, ...]] = (records_go_on_their_day,)
"""As in `surveys.server.health_storage`."""
