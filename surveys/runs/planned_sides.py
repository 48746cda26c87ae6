"""The planned pair as the sides of a rule."""

from __future__ import annotations

from surveys.models import Run
from surveys.questionnaire.packed_items import pack_items
from surveys.runs.planned_pair import planned_pair


def planned_sides(run: Run) -> tuple[str, ...]:
    """Return the planned pair as the packed sides of a rule; empty if no pair was planned."""
    return tuple(pack_items([run.design.item(key).index]) for key in planned_pair(run))
