"""Delete releases and their records, and check that records are deleted in time.

The sweeper loads this module, so it imports nothing that reads tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from anonymisation.models import Release, ReleaseTable
from anonymisation.releases.release_events import release_log
from privacy.counted_nouns import counted
from surveys.jobs import lease
from surveys.models import Job
from surveys.server.clock import clock_doubt
from surveys.server.doctor.diagnosis import Check, CheckContext, Diagnosis, failure, ok, warning


def release_erase(release: Release, *, by: User) -> bool:
    """Delete a release with its records and files; return whether all of it is gone.

    The ledger of a survey's published release is kept, because it is needed to check later releases. The
    digest of the people of a published upload is kept too.
    """
    with transaction.atomic():
        current = Release.objects.select_for_update().get(pk=release.pk)
        if current.job is not None and not current.job.is_over:
            lease.cancel(current.job.pk, now=timezone.now())
        whole = current.ledger is None and not (current.finished_at and current.people_digest)
        release_log(current, by=by, action="release_erase", detail={"ledger_stays": not whole})
        if whole:
            _delete(current)
        else:
            current.files = current.report = current.opened_at = None
            current.save(update_fields=["files", "report", "opened_at"])
            # Delete the questions with the answers, because the names of the askers are no longer needed.
            current.questions.all().delete()
    return whole


def releases_step(*, now: datetime | None = None) -> None:
    """Delete expired tables with their unfinished releases; a step of the sweeper."""
    moment = timezone.now() if now is None else now
    over = ReleaseTable.objects.filter(ends_at__lte=moment).values_list("release_id", flat=True)
    for release in Release.objects.filter(pk__in=list(over)):
        with transaction.atomic():
            if release.job_id is not None:
                lease.cancel(release.job_id, now=moment)
            if release.finished_at is None:
                _delete(release)
            else:
                ReleaseTable.objects.filter(release=release).delete()


def _delete(release: Release) -> None:
    job = release.job_id
    release.delete()
    if job is not None:
        Job.objects.filter(pk=job).delete()


LONGEST_DELAY: Final = timedelta(hours=1)
"""Delay before the check warns. The sweeper deletes within seconds, unless it is being restarted."""


def records_expire_in_time(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that uploaded tables are deleted within a day."""
    promise = "uploaded records are kept for a day at most"
    tables = ReleaseTable.objects.order_by("ends_at")
    late = tables.filter(ends_at__lte=context.now - LONGEST_DELAY).count()
    if late and (doubt := clock_doubt(now=context.now)):
        yield warning(promise, doubt, "Check the clocks (timedatectl). The sweeper then continues by itself.")
    elif late:
        remedy = "Start sottovoce sweep, and check its log for the reason."
        yield failure(promise, f"{counted(late, 'table')} should have been deleted", remedy)
    elif table := tables.first():
        yield ok(
            promise, f"{tables.count()} stored; the next is deleted on {table.ends_at:%Y-%m-%d %H:%M} UTC"
        )
    else:
        yield ok(promise, "no records are stored")


CHECKS: Final[tuple[Check, ...]] = (records_expire_in_time,)
"""Checks that the doctor runs."""
