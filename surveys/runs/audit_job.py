"""The audit of a run's rows: a separate job after the report, so that rules do not wait for it.

It occupies a worker like any other job, so runs requested meanwhile can wait behind it.

An audit depends on rows, wording and waves, not on thresholds. So runs on the same rows share an audit: one
stored earlier, or the job that makes one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from mining.progress import Progress
from surveys.jobs import lease
from surveys.jobs.provenance import code_version
from surveys.jobs.workers import bounded, megabytes_held, site_bounds
from surveys.models import Job, Run
from surveys.runs.audit import audit_record, waves_of

_UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


def audit_ask(run: Run, *, now: datetime) -> None:
    """Reuse the audit of the same rows or request one, in the transaction that ends the run.

    The job is not announced yet: the worker that made the report announces it, and if that worker dies first
    the sweeper does.
    """
    earlier = _earlier(run)
    if earlier is not None:
        _save([run], earlier)
        return
    at_work = Job.objects.filter(
        audited__in=_same_rows(run).filter(version=run.version_id), state__in=_UNFINISHED
    )
    # Locked: the job cannot end between this query and the end of this transaction, so it stores for this run
    # too.
    shared = Job.objects.select_for_update().filter(
        pk__in=list(at_work.values_list("pk", flat=True)), state__in=_UNFINISHED
    )
    run.audit_job = shared.order_by("pk").first() or lease.enqueue(
        kind=Job.Kind.AUDIT, requested_by=run.job.requested_by, now=now, announce=False
    )
    run.save(update_fields=["audit_job"])


def audit_dispatch(job_id: int) -> None:
    """Announce the audit of a job's run, if it is still to be made."""
    audit = _audit_job(job_id)
    if audit is not None:
        lease.dispatch_job(audit)


def audit_store(job_id: int) -> None:
    """Make the audit of a job's run in this process, unless it exists or another process makes it."""
    audit = _audit_job(job_id)
    if audit is not None:
        lease.perform(audit, audit_rows_of_job)


def audit_rows_of_job(job_id: int, report: lease.Report) -> Callable[[], None]:
    """Audit the rows of runs that wait for this job, within the installation's limits, unless it was done.

    Returns
    -------
    callable
        Stores the audit; to be called in the transaction that ends the job.

    Raises
    ------
    PrivacyError
        The rows are not those of the run, or the work exceeds the run's limits.
    """
    run = Run.objects.select_related("survey", "version", "job").filter(audit_job=job_id).order_by("pk")[0]
    made = _earlier(run) or _made(run, report)

    def store() -> None:
        _save(list(Run.objects.select_for_update().filter(audit_job=job_id)), made)

    return store


def _made(run: Run, report: lease.Report) -> dict[str, Any]:
    def report_progress(progress: Progress) -> None:
        report(progress.stage, progress.done, progress.total)

    progress = bounded(
        report_progress, site_bounds(), clock=time.monotonic, memory=megabytes_held, thresholds=False
    )
    return {"audit": audit_record(run, progress), "audit_basis": _basis(run)}


def _save(runs: list[Run], record: dict[str, Any]) -> None:
    for run in runs:
        run.summary = {**run.summary, **record}
        run.save(update_fields=["summary"])


def _audit_job(job_id: int) -> int | None:
    """Return the job that makes the audit of a job's run, unless that job is over."""
    waiting = Run.objects.filter(job=job_id, audit_job__state__in=_UNFINISHED)
    return waiting.values_list("audit_job", flat=True).first()


def _basis(run: Run) -> dict[str, Any]:
    """Return the parameters of an audit, other than the rows."""
    return {"version": run.version_id, "waves": waves_of(run.version), "code": code_version()}


def _earlier(run: Run) -> dict[str, Any] | None:
    """Return the audit stored by another run on the same rows; None if there is none."""
    stored = _same_rows(run).filter(summary__has_key="audit_basis").order_by("-pk")
    for summary in stored.values_list("summary", flat=True)[:1]:
        if summary["audit_basis"] == _basis(run):
            return {name: summary[name] for name in ("audit", "audit_basis")}
    return None


def _same_rows(run: Run) -> QuerySet[Run]:
    return Run.objects.filter(survey=run.survey_id, snapshot_digest=run.snapshot_digest)
