"""The place of a run among the runs of its survey."""

from __future__ import annotations

from surveys.models import Run


def place_among_runs(run: Run) -> dict[str, int]:
    """Return a run's number among the runs of its survey, and their total."""
    runs = Run.objects.filter(survey=run.survey_id)
    return {"number": runs.filter(pk__lte=run.pk).count(), "runs": runs.count()}
