"""Services of the experiments: asked for, run by a worker, cancelled; and how far one is."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.jobs.provenance import installed_version
from surveys.models import Job
from surveys.models.audit_event import audit_event_record
from surveys.runs.progress import queued_texts
from trials.models import JOB_KIND, Experiment
from trials.pages.experiments import GROUPING
from trials.pages.location_experiment import LOCATION
from trials.pages.paper import Paper, Parameters, Tables
from trials.pages.reproduction import RELEASE

__all__ = ["PAPERS", "experiment_cancel", "experiment_request", "experiment_run", "progress_of"]

PAPERS: Final = {paper.name: paper for paper in (GROUPING, LOCATION, RELEASE)}
"""By name, in the order of the list."""


def experiment_request(paper: Paper, parameters: Parameters, *, by: User, now: datetime) -> Job:
    """Have a worker run an experiment; its result takes the place of the last one.

    Raises
    ------
    SurveyError
        ``experiment.running``: it is at work already.
    """
    with transaction.atomic():
        Experiment.objects.get_or_create(paper=paper.name)
        experiment = (
            Experiment.objects.select_for_update(of=("self",)).select_related("job").get(paper=paper.name)
        )
        before = experiment.job
        if before is not None and not before.is_over:
            raise SurveyError("experiment.running", paper.name)
        experiment.job = lease.enqueue(kind=JOB_KIND, requested_by=by, now=now)
        experiment.job_parameters = dict(parameters)
        experiment.save(update_fields=["job", "job_parameters"])
        if before is not None:
            before.delete()
        _record(paper.name, by=by, action="experiment_request", detail=experiment.job_parameters)
    return experiment.job


def experiment_cancel(experiment: Experiment, *, by: User, now: datetime) -> bool:
    """Cancel the job at work; return whether there was one. The last result stays."""
    with transaction.atomic():
        cancelled = experiment.job_id is not None and lease.cancel(experiment.job_id, now=now)
        if cancelled:
            _record(experiment.paper, by=by, action="experiment_cancel", detail={})
    return cancelled


def experiment_run(job_id: int, report: lease.Report) -> Callable[[], None]:
    """Run the experiment of a job, and return what stores its tables: the work of a worker."""
    experiment = Experiment.objects.get(job=job_id)
    parameters = experiment.job_parameters
    return partial(_store, experiment.pk, parameters, PAPERS[experiment.paper].run(parameters, report))


def progress_of(job: Job) -> dict[str, Any]:
    """Return the progress of a job, in the form of every waiting page."""
    if job.state == Job.State.QUEUED:
        headline, detail = queued_texts(job, timezone.now())
    else:
        headline, detail = _("Disguising made-up people, and finding them again"), ""
        if job.attempts > 1:
            detail = _("Attempt %(attempt)s: an earlier worker was lost, nothing else was.") % {
                "attempt": job.attempts
            }
    percent = round(100 * job.done / job.total) if job.total else None
    return {"headline": headline, "detail": detail, "percent": percent, "expected": ""}


def _store(experiment_id: int, parameters: Parameters, tables: Tables) -> None:
    Experiment.objects.filter(pk=experiment_id).update(
        parameters=parameters,
        tables=json.dumps(tables),
        finished_at=timezone.now(),
        version=installed_version(),
    )


def _record(paper: str, *, by: User, action: str, detail: dict[str, Any]) -> None:
    audit_event_record(
        actor=by.get_username(), action=action, target=f"experiment {paper}", detail=dict(detail)
    )
