"""Request and cancel runs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from mining.family import rule_family
from mining.thresholds import Thresholds
from surveys.errors.error import SurveyError
from surveys.jobs import lease, queue
from surveys.jobs.provenance import code_version
from surveys.models import Job, Run, Survey, Version
from surveys.models.audit_event import audit_event_record
from surveys.models.run import LISTS_ALL
from surveys.policy import LEAST_PROTECTED
from surveys.runs.disclosure import disclosure
from surveys.runs.snapshot import snapshot_of

COMMAND_LINE = "command line"


def run_request(
    *,
    version: Version,
    thresholds: Thresholds,
    by: User | None,
    now: datetime,
    announce: bool = True,
    engine: str = "auto",
    chapter: int | None = None,
    lists_all: bool = False,
    repeats: bool = True,
) -> Run:
    """Create a run on the answers that may be mined now, and queue its job.

    Parameters
    ----------
    version : Version
        Any version with the design to be mined.
    thresholds : Thresholds
        Thresholds of the run.
    by : User or None
        The requester; None for the command line.
    now : datetime
        The current time.
    announce : bool
        Whether to notify a worker; false if the caller does the work itself.
    engine : str
        One of `mining.columns.engines.ENGINES`.
    chapter : int, optional
        Number of a closed chapter, whose answers alone are mined; by default all answers.
    lists_all : bool
        Whether to list any number of itemsets. By default the run ends with a question if there are more than
        `surveys.policy.MOST_ITEMSETS_UNASKED`: see `surveys.runs.itemset_question`.
    repeats : bool
        Whether to create a run that gives the same result as an earlier one. If not, the earlier one is
        returned: a form can be sent twice, by a second press or from a page to which a person went back.

    Raises
    ------
    PrivacyError
        An allowed side names an item that the design does not have.
    SurveyError
        ``no_answers``, or ``too_few``: too few protected answers for any result; ``chapters.unknown``.
    """
    design = version.to_design()
    thresholds.sides.check(design)
    family = rule_family(design, thresholds.sides, thresholds.max_size, ordered=False)
    with transaction.atomic():
        snapshot = snapshot_of(version, chapter=chapter)
        if not disclosure(n=snapshot.n, practice=version.survey.practice).results:
            raise SurveyError("too_few", LEAST_PROTECTED, least=LEAST_PROTECTED)
        parameters = thresholds.to_json() | ({LISTS_ALL: True} if lists_all else {})
        if not repeats and (earlier := _same_run(version, snapshot.digest, parameters)):
            return earlier
        job = queue.enqueue(kind=Job.Kind.MINE, requested_by=by, now=now, announce=announce)
        run = Run.objects.create(
            survey=version.survey,
            version=version,
            job=job,
            design_id=version.design_id,
            parameters=parameters,
            first_batch=snapshot.first,
            last_batch=snapshot.last,
            batches=snapshot.batches,
            snapshot_digest=snapshot.digest,
            n=snapshot.n,
            # Blank until the run ends, unless the requester chose an engine.
            engine="" if engine == "auto" else engine,
        )
        audit_event_record(
            actor=by.get_username() if by else COMMAND_LINE,
            action="run_request",
            target=f"{version.survey.slug} run {run.pk}",
            detail={
                "parameters": run.parameters,
                "snapshot": snapshot.digest,
                # The run's tests are corrected for this number, so it is fixed before any row is read.
                "family": family.total,
            }
            | ({} if chapter is None else {"chapter": chapter}),
        )
    return run


def _same_run(version: Version, digest: str, parameters: dict[str, Any]) -> Run | None:
    """Return a run of the same answers with the same settings; None if each failed or is of another program.

    Two presses may arrive together: the second one waits for the first.
    """
    Survey.objects.select_for_update().get(pk=version.survey_id)
    under_way = Q(job__state__in=(Job.State.QUEUED, Job.State.RUNNING))
    same = Run.objects.filter(version=version, snapshot_digest=digest).filter(
        under_way | Q(job__state=Job.State.FINISHED, code_version=code_version())
    )
    return next((run for run in same.select_related("job") if run.parameters == parameters), None)


def run_cancel(*, run: Run, by: User, now: datetime) -> bool:
    """Cancel a run; return False if it is already over."""
    with transaction.atomic():
        is_cancelled = lease.cancel(run.job_id, now=now)
        if is_cancelled:
            audit_event_record(
                actor=by.get_username(), action="run_cancel", target=f"{run.survey.slug} run {run.pk}"
            )
    return is_cancelled
