"""The audit log's record of a run before it read a row, and its split of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from surveys.disclosure.disclosure import shown_count
from surveys.models import AuditEvent, Run


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """The entry of the audit log that asked for a run.

    Attributes
    ----------
    event : int or None
        Its number; None where the log has none, as for runs of an older release.
    at : datetime or None
    family : int or None
        M, the rules that questionnaire, longest itemset and sides permit.
    number, runs : int
        The how manieth run of its survey this is, and how many there are.
    """

    event: int | None
    at: datetime | None
    family: int | None
    number: int
    runs: int


def recorded_of(run: Run) -> Recorded:
    """Return what the audit log says of the request for a run."""
    event = (
        AuditEvent.objects.filter(action="run_request", target=f"{run.survey.slug} run {run.pk}")
        .order_by("pk")
        .first()
    )
    runs = Run.objects.filter(survey=run.survey_id)
    return Recorded(
        event=event.pk if event else None,
        at=event.at if event else None,
        family=(event.detail or {}).get("family") if event else None,
        number=runs.filter(pk__lte=run.pk).count(),
        runs=runs.count(),
    )


@dataclass(frozen=True, kw_only=True)
class SplitSamplePart:
    """The halves of a run that found its rules in one and tested them in the other."""

    seed: str
    n_listing: str
    n_testing: str
    n_all: str
    rules_listed: int


def split_sample_part(run: Run) -> SplitSamplePart | None:
    """Return the halves of a run; None where all rows did both."""
    found = run.summary.get("halves")
    if not found:
        return None
    return SplitSamplePart(
        seed=found["seed"],
        n_listing=shown_count(found["n_listing"]),
        n_testing=shown_count(found["n_testing"]),
        n_all=shown_count(found["n_listing"] + found["n_testing"]),
        rules_listed=found["rules_listed"],
    )
