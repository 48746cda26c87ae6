"""Deletion of releases and of the records they were made from, and events of the audit log.

The sweeper loads this module, so it imports nothing that reads tables.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from anonymisation.models import Deposit, DepositTable
from surveys.jobs import lease
from surveys.models import Job
from surveys.models.staff import audit_event_record


def deposit_erase(deposit: Deposit, *, by: User) -> bool:
    """Delete a deposit with its records and files; return whether all of it is gone.

    Of a survey's deposit that was made the ledger stays: without it nobody could tell whether a later one
    breaks it. Of an uploaded table that was published what recognises its people stays.
    """
    with transaction.atomic():
        held = Deposit.objects.select_for_update().get(pk=deposit.pk)
        if held.job is not None and not held.job.is_over:
            lease.cancel(held.job.pk, now=timezone.now())
        whole = held.ledger is None and not (held.finished_at and held.people_digest)
        deposit_log(held, by=by, action="deposit_erase", detail={"ledger_stays": not whole})
        if whole:
            _delete(held)
        else:
            held.files = held.report = held.opened_at = None
            held.save(update_fields=["files", "report", "opened_at"])
            # Without answers there is no need to know who asked for them.
            held.questions.all().delete()
    return whole


def deposits_step(*, now: datetime | None = None) -> None:
    """Delete tables whose day is over, with the deposits that were not made: the sweeper's step."""
    moment = timezone.now() if now is None else now
    over = DepositTable.objects.filter(ends_at__lte=moment).values_list("deposit_id", flat=True)
    for deposit in Deposit.objects.filter(pk__in=list(over)):
        with transaction.atomic():
            if deposit.job_id is not None:
                lease.cancel(deposit.job_id, now=moment)
            if deposit.finished_at is None:
                _delete(deposit)
            else:
                DepositTable.objects.filter(deposit=deposit).delete()


def _delete(deposit: Deposit) -> None:
    job = deposit.job_id
    deposit.delete()
    if job is not None:
        Job.objects.filter(pk=job).delete()


def deposit_log(deposit: Deposit, *, by: User, action: str, detail: dict[str, Any]) -> None:
    """Write an event about a deposit; the caller's transaction decides whether it happened."""
    about = (
        f"deposit {deposit.pk}" if deposit.survey is None else f"{deposit.survey.slug} deposit {deposit.pk}"
    )
    audit_event_record(actor=by.get_username(), action=action, target=about, detail=detail)
