"""Request and cancel runs: the report's two writes."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from mining.family import rule_family
from mining.thresholds import Thresholds
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import Job, Run, Version
from surveys.models.staff import audit_event_record
from surveys.policy import LEAST_PROTECTED
from surveys.rows.disclosure import groups_of
from surveys.rows.snapshot import snapshot_of

COMMAND_LINE = "command line"


def run_request(
    *,
    version: Version,
    thresholds: Thresholds,
    by: User | None,
    now: datetime,
    last_batch: int | None = None,
    announce: bool = True,
    engine: str = "auto",
) -> Run:
    """Create a run of the answers that may be mined now, and queue its job.

    Parameters
    ----------
    version : Version
        Any version with the design to be mined.
    thresholds : Thresholds
        Thresholds of the run.
    by : User or None
        Who requests it; None for the command line.
    now : datetime
        The current time.
    last_batch : int or None
        Read no batch after this one, to repeat an earlier run; None for all available ones.
    announce : bool
        Whether to notify a worker; false if the caller does the work itself.
    engine : str
        One of `mining.columns.counting.ENGINES`.

    Raises
    ------
    PrivacyError
        An allowed side names an item that the design does not have.
    SurveyError
        ``no_answers``, or ``too_few``: too few protected answers for any result.
    """
    design = version.to_design()
    thresholds.sides.check(design)
    family = rule_family(design, thresholds.sides, thresholds.max_size, ordered=False)
    with transaction.atomic():
        snapshot = snapshot_of(version, last_batch=last_batch)
        if not groups_of(version).disclosure.results:
            raise SurveyError("too_few", LEAST_PROTECTED, least=LEAST_PROTECTED)
        job = lease.enqueue(kind=Job.Kind.MINE, requested_by=by, now=now, announce=announce)
        run = Run.objects.create(
            survey=version.survey,
            version=version,
            job=job,
            design_id=version.design_id,
            parameters=thresholds.to_json(),
            first_batch=snapshot.first,
            last_batch=snapshot.last,
            batches=snapshot.batches,
            snapshot_digest=snapshot.digest,
            n=snapshot.n,
            # Blank until the run ends, unless one was requested.
            engine="" if engine == "auto" else engine,
        )
        audit_event_record(
            actor=by.get_username() if by else COMMAND_LINE,
            action="run_request",
            target=f"{version.survey.slug} run {run.pk}",
            detail={
                "parameters": run.parameters,
                "snapshot": snapshot.digest,
                # Fixed before a row is read: the tests of the run are corrected for this number.
                "family": family.total,
            },
        )
    return run


def run_cancel(*, run: Run, by: User, now: datetime) -> bool:
    """Cancel a run that is not over; return whether there was anything to cancel."""
    with transaction.atomic():
        cancelled = lease.cancel(run.job_id, now=now)
        if cancelled:
            audit_event_record(
                actor=by.get_username(), action="run_cancel", target=f"{run.survey.slug} run {run.pk}"
            )
    return cancelled
