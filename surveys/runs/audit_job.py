"""The job that audits the rows of a run.

It follows the run's job, so that rules do not wait for it. It occupies a worker like any other job, so runs
requested meanwhile can wait behind it. An audit depends on rows, wording and waves, not on thresholds, so
runs on the same rows share one: an audit stored earlier, or the job that computes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from surveys.jobs import lease, queue
from surveys.jobs.bounds import bound_progress, memory_megabytes, site_bounds
from surveys.jobs.provenance import code_version
from surveys.models import Job, Run
from surveys.runs.audit import audit_record, waves_of

_UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


def audit_ask(run: Run, *, now: datetime) -> None:
    """Reuse the audit of the same rows or request one, in the transaction that ends the run.

    The job is not announced yet: the worker that finished the run announces it, or the sweeper if that worker
    dies first.
    """
    earlier = _earlier_audit(run)
    if earlier is not None:
        _save([run], earlier)
        return
    at_work = Job.objects.filter(
        audited__in=_same_rows(run).filter(version=run.version_id), state__in=_UNFINISHED
    )
    # Lock the job, so that it cannot end before this transaction does. It then stores its audit for this run
    # too.
    jobs = Job.objects.select_for_update().filter(
        pk__in=list(at_work.values_list("pk", flat=True)), state__in=_UNFINISHED
    )
    run.audit_job = jobs.order_by("pk").first() or queue.enqueue(
        kind=Job.Kind.AUDIT, requested_by=run.job.requested_by, now=now, announce=False
    )
    run.save(update_fields=["audit_job"])


def audit_dispatch(job_id: int) -> None:
    """Announce the audit of a job's run, if it is still waiting."""
    audit = _audit_job(job_id)
    if audit is not None:
        queue.dispatch_job(audit)


def audit_store(job_id: int) -> None:
    """Audit a job's run in this process, unless the audit exists or another process is making it."""
    audit = _audit_job(job_id)
    if audit is not None:
        lease.perform(audit, audit_rows_of_job)


def audit_rows_of_job(job_id: int, report: lease.Report) -> Callable[[], None]:
    """Audit the rows of the runs that wait for this job, unless an earlier audit can be reused.

    Returns
    -------
    callable
        Stores the audit; call it in the transaction that ends the job.

    Raises
    ------
    PrivacyError
        The rows are not those of the run, or the work exceeds the installation's limits.
    """
    run = Run.objects.select_related("survey", "version", "job").filter(audit_job=job_id).order_by("pk")[0]
    record = _earlier_audit(run) or _audit_summary(run, report)

    def store() -> None:
        _save(list(Run.objects.select_for_update().filter(audit_job=job_id)), record)

    return store


def _audit_summary(run: Run, report: lease.Report) -> dict[str, Any]:
    progress = bound_progress(
        lease.listener(report), site_bounds(), clock=time.monotonic, memory=memory_megabytes, thresholds=False
    )
    return {"audit": audit_record(run, progress), "audit_basis": _basis(run)}


def _save(runs: list[Run], record: dict[str, Any]) -> None:
    for run in runs:
        run.summary = {**run.summary, **record}
        run.save(update_fields=["summary"])


def _audit_job(job_id: int) -> int | None:
    """Return the audit job of a job's run, unless it is over."""
    waiting = Run.objects.filter(job=job_id, audit_job__state__in=_UNFINISHED)
    return waiting.values_list("audit_job", flat=True).first()


def _basis(run: Run) -> dict[str, Any]:
    """Return the parameters of an audit, other than the rows."""
    return {"version": run.version_id, "waves": waves_of(run.version), "code": code_version()}


def _earlier_audit(run: Run) -> dict[str, Any] | None:
    """Return an audit that another run on the same rows stored; None if there is none."""
    runs = _same_rows(run).filter(summary__has_key="audit_basis").order_by("-pk")
    for summary in runs.values_list("summary", flat=True)[:1]:
        if summary["audit_basis"] == _basis(run):
            return {name: summary[name] for name in ("audit", "audit_basis")}
    return None


def _same_rows(run: Run) -> QuerySet[Run]:
    return Run.objects.filter(survey=run.survey_id, snapshot_digest=run.snapshot_digest)
