"""Check that clocks agree."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.utils import timezone

from surveys.models import AuditEvent
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok


def clocks_agree(context: CheckContext) -> Iterator[Diagnosis]:
    """Compare the database's clock with this machine's, which decides leases, openings and closings."""
    promise = "the clock is right"
    remedy = "Set the clock by NTP on every machine that runs Sottovoce."
    now = timezone.now()
    newest = AuditEvent.objects.order_by("-at").first()
    # SQLite has no clock of its own, so check that no event of this machine lies in the future.
    if newest is not None and connection.vendor == "sqlite" and newest.at > now:
        yield failure(promise, f"the audit log has an event of {newest.at}, but it is {now} now", remedy)
    elif context.facts.clock:
        yield failure(promise, context.facts.clock, remedy)
    else:
        yield ok(promise, "it agrees with those of the database, the sweeper and the workers")


CLOCK_CHECKS = (clocks_agree,)
