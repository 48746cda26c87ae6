"""Request and cancel runs, and describe the progress of a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mining.family import rule_family
from mining.thresholds import Thresholds
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.jobs.lease import SHARING
from surveys.models import Job, Run, Survey, Version
from surveys.models.staff import audit_event_record
from surveys.policy import LEAST_PROTECTED
from surveys.runs.disclosure import groups_of
from surveys.runs.run_summary import duration_text
from surveys.runs.snapshot import snapshot_of

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


LOOKED_AT: Final = 5
"""Number of the newest finished runs whose duration is used."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A run that is not over yet.

    Attributes
    ----------
    headline, detail : str
        The current state, and what it means for the reader.
    percent : int or None
        Completed part of the current stage; None while it is unknown.
    expected : str
        Expected duration, estimated from earlier runs.
    """

    state: str
    headline: str
    detail: str
    percent: int | None
    expected: str


def progress_of(run: Run, *, now: datetime) -> Progress:
    """Return the progress of a run that is not over."""
    job = run.job
    if job.state == Job.State.QUEUED:
        if job.stage == SHARING:
            return _shared(run, now)
        headline, detail = queued_texts(job, now)
        return Progress(state=job.state, headline=headline, detail=detail, percent=None, expected="")
    return Progress(
        state=job.state,
        headline=_stage_text(job.stage),
        detail=_("Attempt %(attempt)s: an earlier worker stopped. No data was lost.")
        % {"attempt": job.attempts}
        if job.attempts > 1
        else "",
        percent=round(100 * job.done / job.total) if job.total else None,
        expected=_expected_text(run, now),
    )


def expected_before(survey: Survey) -> str:
    """Describe how long the survey's last runs took, for the form that requests one."""
    earlier = _earlier(survey.pk)
    if not earlier:
        return _("No run of this survey has finished yet, so we cannot estimate the duration.")
    seconds = [took for took, _n, _size in earlier]
    shortest, longest = duration_text(min(seconds)), duration_text(max(seconds))
    if len(earlier) == 1:
        measured = _("The only run so far lasted %(time)s.") % {"time": longest}
    else:
        measured = _("Measured: the last %(runs)s runs lasted %(shortest)s to %(longest)s.") % {
            "runs": len(earlier),
            "shortest": shortest,
            "longest": longest,
        }
    return measured + " " + _("Lower support or longer itemsets can take many times as long.")


def _shared(run: Run, now: datetime) -> Progress:
    """Return the progress of a job that waits for parts at other workers; readers see it as running."""
    job = run.job
    return Progress(
        state=Job.State.RUNNING,
        headline=_("Several workers are reading the disguised rows"),
        detail=_("%(done)s of %(parts)s parts have been read.")
        % {"done": min(job.done, job.total), "parts": job.total},
        percent=round(100 * min(job.done, job.total) / job.total) if job.total else None,
        expected=_expected_text(run, now),
    )


def queued_texts(job: Job, now: datetime) -> tuple[str, str]:
    """Describe the reason why a queued job waits."""
    if not job.sends:
        return (
            _("Queued. The broker has not accepted the job yet."),
            _(
                "The broker does not respond, or has just restarted. Nothing is lost: the job "
                "is stored in the database, and the sweeper sends it as soon as possible. "
                "Operators: check /ready."
            ),
        )
    unfinished = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING))
    ahead = unfinished.filter(pk__lt=job.pk).count()
    if ahead:
        waiting = ngettext("Queued behind one other job.", "Queued behind %(jobs)s other jobs.", ahead)
        return waiting % {"jobs": ahead}, _("Workers process runs and audits one after the other.")
    if (now - job.created_at).total_seconds() > 10:
        return (
            _("Queued. No worker has started the job yet."),
            _(
                "All workers are busy, or none is running. The job is announced again until a "
                "worker starts it."
            ),
        )
    return _("Queued. A worker starts it in a moment."), ""


def _stage_text(stage: str) -> str:
    texts = {
        "": _("Starting"),
        "loading": _("Reading the disguised rows"),
        "candidates": _("Extending itemsets"),
        "counting": _("Counting rows"),
        "intervals": _("Computing the intervals"),
        "rules": _("Listing rules and their measures"),
        "tests": _("Testing the rules"),
        "flips": _("Finding how many false rows would overturn each test"),
        "groups": _("Comparing and combining the groups"),
        "truth": _("Comparing with the known truth"),
        "storing": _("Storing the result"),
    }
    return texts.get(stage, stage)


def _expected_text(run: Run, now: datetime) -> str:
    """Describe the expected duration, from finished runs of the survey and the numbers of rows."""
    elapsed = (now - run.job.started_at).total_seconds() if run.job.started_at else 0.0
    running = _("Running for %(seconds)s s.") % {"seconds": round(elapsed)}
    earlier = _earlier(run.survey_id)
    if not earlier:
        return (
            running + " " + _("This is the first run on this survey, so we cannot estimate the duration yet.")
        )
    size = run.parameters["max_size"]
    alike = [(took, n) for took, n, longest in earlier if longest == size]
    took, n = alike[0] if alike else earlier[0][:2]
    expected = max(1, round(took * (run.n or 1) / (n or 1)))
    if elapsed > 2 * expected + 5:
        return running + " " + _("This is longer than earlier runs: its thresholds need more work.")
    if alike:
        suggestion = _("About %(seconds)s s, estimated from the last run with itemsets of this length.")
    else:
        suggestion = _("About %(seconds)s s, estimated from the last run on this survey.")
    return running + " " + suggestion % {"seconds": expected}


def _earlier(survey_id: int) -> list[tuple[float, int, int]]:
    """Return seconds, rows and longest itemset of the newest finished runs, newest first."""
    runs = Run.objects.filter(
        survey=survey_id, job__state=Job.State.FINISHED, duration_seconds__isnull=False
    ).order_by("-job__ended_at")
    finished = runs.values_list("duration_seconds", "n", "parameters__max_size")[:LOOKED_AT]
    return [(took or 0.0, n or 1, size) for took, n, size in finished]
