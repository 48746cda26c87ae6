"""The two items that a survey was planned to compare."""

from __future__ import annotations

from surveys.models import Run
from surveys.questionnaire.aim import Aim


def planned_pair(run: Run) -> tuple[str, str] | tuple[()]:
    """Return the keys of the two items that the survey was planned to compare: group and outcome."""
    aim = Aim.from_json(run.version.aim)
    keys = () if aim is None else aim.wanted_items(run.design)
    return (keys[0], keys[1]) if len(keys) == 2 else ()
