"""Progress of a release: its state in lists, and the progress of its job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from anonymisation.models import Release, ReleaseTable
from surveys.formats.numbers import count_text
from surveys.models import Job

STAGES: Final = {
    "": gettext_lazy("A worker starts it in a moment"),
    "receiving": gettext_lazy("Reading the table"),
    "reading": gettext_lazy("Reading the records"),
    "grouping": gettext_lazy("Grouping similar records"),
    "lattice": gettext_lazy("Comparing the ways to generalise"),
    "models": gettext_lazy("Merging groups until all requirements are met"),
    "checking": gettext_lazy("Checking, and comparing with earlier releases"),
    "writing": gettext_lazy("Writing the files"),
    "attacking": gettext_lazy("Attacking the release as a test"),
}


def list_entries(releases: Iterable[Release]) -> list[dict[str, Any]]:
    """Return releases for a list, each with its state and the time when its records are deleted."""
    rows = list(releases)
    ends = dict(ReleaseTable.objects.filter(release__in=rows).values_list("release_id", "ends_at"))
    return [
        {"release": release, "state": _state(release), "ends_at": ends.get(release.pk)} for release in rows
    ]


def _state(release: Release) -> str:
    if release.finished_at is not None:
        return _("created") if release.files is not None else _("created; files deleted")
    if release.job is None:
        return _("started")
    return {
        Job.State.QUEUED: _("in progress"),
        Job.State.RUNNING: _("in progress"),
        Job.State.FAILED: _("refused: see why"),
        Job.State.CANCELLED: _("cancelled"),
    }.get(Job.State(release.job.state), _("started"))


def is_editable(release: Release) -> bool:
    """Return whether a release is neither finished nor in progress."""
    return release.finished_at is None and (release.job is None or release.job.is_over)


def progress_of(release: Release) -> dict[str, Any]:
    """Return the progress of a release's job, in the form that waiting pages use."""
    job = release.job
    if job is None:
        return {}
    ahead = (
        Job.objects.filter(Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING), pk__lt=job.pk).count()
        if job.state == Job.State.QUEUED
        else 0
    )
    return {
        "state": job.state,
        "headline": ngettext(
            "Waiting behind %(count)s other job", "Waiting behind %(count)s other jobs", ahead
        )
        % {"count": count_text(ahead)}
        if ahead
        else str(STAGES.get(job.stage, job.stage)),
        "detail": _("Attempt %(attempt)s: an earlier worker stopped. No data was lost.")
        % {"attempt": job.attempts}
        if job.attempts > 1
        else "",
        "percent": round(100 * job.done / job.total) if job.total else None,
        "expected": "",
    }
