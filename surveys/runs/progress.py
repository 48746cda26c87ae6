"""Progress of a run that is not over: its state, its stage and its expected duration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.formats.numbers import count_text
from surveys.jobs.lease import SHARING
from surveys.models import Job, Run

LOOKED_AT: Final = 5
"""Number of the newest finished runs that are used to estimate a duration."""


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
            return _parts_progress(run, now)
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


def _parts_progress(run: Run, now: datetime) -> Progress:
    """Return the progress of a job that waits for other workers' parts; readers see it as running."""
    job = run.job
    return Progress(
        state=Job.State.RUNNING,
        headline=_("Several workers are reading the disguised rows"),
        detail=_("Parts read: %(done)s of %(parts)s.")
        % {"done": count_text(min(job.done, job.total)), "parts": count_text(job.total)},
        percent=round(100 * min(job.done, job.total) / job.total) if job.total else None,
        expected=_expected_text(run, now),
    )


def queued_texts(job: Job, now: datetime) -> tuple[str, str]:
    """Describe why a queued job is waiting."""
    if not job.sends:
        return (
            _("Queued. The broker has not accepted the job yet."),
            _(
                "The broker does not respond, or has just restarted. Nothing is lost: the job is stored in "
                "the database, and the sweeper sends it as soon as possible. Operators: check /ready."
            ),
        )
    active_jobs = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING))
    ahead = active_jobs.filter(pk__lt=job.pk).count()
    if ahead:
        waiting = ngettext("Queued behind one other job.", "Queued behind %(jobs)s other jobs.", ahead)
        return waiting % {"jobs": count_text(ahead)}, _(
            "Workers process runs and audits one after the other."
        )
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
        "rules": _("Listing rules and their measures"),
        "tests": _("Testing the rules"),
        "flips": _("Finding how many false rows would overturn each test"),
        "groups": _("Comparing and combining the groups"),
        "truth": _("Comparing with the known truth"),
        "storing": _("Storing the result"),
    }
    return texts.get(stage, stage)


def _expected_text(run: Run, now: datetime) -> str:
    """Describe the expected duration, estimated from finished runs and their numbers of rows."""
    seconds = (now - run.job.started_at).total_seconds() if run.job.started_at else 0.0
    running = _("Running for %(seconds)s s.") % {"seconds": round(seconds)}
    earlier = _earlier_runs(run.survey_id)
    if not earlier:
        return (
            running + " " + _("This is the first run on this survey, so we cannot estimate the duration yet.")
        )
    size = run.parameters["max_size"]
    took, n, _longest = min(earlier, key=lambda past: past[2] != size)
    expected = max(1, round(took * (run.n or 1) / (n or 1)))
    if seconds > 2 * expected + 5:
        return running + " " + _("This is longer than earlier runs: its thresholds need more work.")
    return running + " " + _("About %(seconds)s s, estimated from earlier runs.") % {"seconds": expected}


def _earlier_runs(survey_id: int) -> list[tuple[float, int, int]]:
    """Return seconds, rows and largest itemset size of the newest finished runs, newest first."""
    runs = Run.objects.filter(
        survey=survey_id, job__state=Job.State.FINISHED, duration_seconds__isnull=False
    ).order_by("-job__ended_at")
    rows = runs.values_list("duration_seconds", "n", "parameters__max_size")[:LOOKED_AT]
    return [(took or 0.0, n or 1, size) for took, n, size in rows]
