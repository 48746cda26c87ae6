"""Cut points of a run's rows, which the bars of a number and the tiles of a map share."""

from __future__ import annotations

from surveys.models import CutPoints, Run
from surveys.runs.interim_or_final import is_exempt


def stored_cuts(run: Run, number: int) -> CutPoints | None:
    """Return the cut points of a run's rows; of simulated respondents also those of earlier rows."""
    stored = CutPoints.objects.filter(survey=run.survey_id, design_id=run.design_id, question=number)
    of_snapshot = stored.filter(snapshot_digest=run.snapshot_digest).first()
    return stored.last() if of_snapshot is None and is_exempt(run.survey) else of_snapshot
