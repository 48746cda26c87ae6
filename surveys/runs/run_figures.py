"""Figures of a run: the estimates of the core, with what is known about the run's rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from privacy.printed import Measured, Origin, PrintedEstimates
from surveys.models import Run
from surveys.runs.interim_or_final import standing_of

Figures = TypeVar("Figures")


def origin_of(run: Run) -> Origin:
    """Return what is known about a run's rows: they were checked, and no or some answers can join them."""
    return Origin(fit_check="fits", look="final" if standing_of(run).is_final else "interim")


def of_run(figures: Figures, run: Run) -> Figures:
    """Return figures as those of a run.

    Parameters
    ----------
    figures : Measured, dataclass, mapping, list, tuple, or anything else
        All estimates in it, at any depth, get the run's origin. Whatever contains no estimate is returned
        itself, because caches recognise some objects by identity.
    run : Run
    """
    found: Figures = _restated(figures, run)
    return found


def _restated(figures: Any, run: Run) -> Any:
    if isinstance(figures, Measured | PrintedEstimates):
        return replace(figures, **_members(figures, run), origin=origin_of(run))
    if is_dataclass(figures) and not isinstance(figures, type):
        changed = _members(figures, run)
        return replace(figures, **changed) if changed else figures
    if isinstance(figures, Mapping):
        restated = {name: _restated(each, run) for name, each in figures.items()}
        return figures if all(each is figures[name] for name, each in restated.items()) else restated
    if type(figures) in (list, tuple):
        each_restated = [_restated(each, run) for each in figures]
        is_same = all(new is old for new, old in zip(each_restated, figures, strict=True))
        return figures if is_same else type(figures)(each_restated)
    return figures


def _members(record: Any, run: Run) -> dict[str, Any]:
    """Return the members of a dataclass that contain estimates, restated."""
    found = {}
    for member in fields(record):
        value = getattr(record, member.name)
        is_record = is_dataclass(value) and not isinstance(value, Origin)
        if is_record or isinstance(value, Mapping | list | tuple):
            restated = _restated(value, run)
            if restated is not value:
                found[member.name] = restated
    return found
