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
        All estimates in it, at any depth, get the run's origin. The rest is unchanged.
    run : Run
    """
    found: Figures = _restated(figures, origin_of(run))
    return found


def _restated(figures: Any, origin: Origin) -> Any:
    if isinstance(figures, Measured | PrintedEstimates):
        nested = _members(figures, origin)
        return replace(figures, **nested, origin=origin)
    if is_dataclass(figures) and not isinstance(figures, type):
        nested = _members(figures, origin)
        return replace(figures, **nested) if nested else figures
    if isinstance(figures, Mapping):
        return {name: _restated(each, origin) for name, each in figures.items()}
    if type(figures) in (list, tuple):
        return type(figures)(_restated(each, origin) for each in figures)
    return figures


def _members(record: Any, origin: Origin) -> dict[str, Any]:
    """Return the members of a dataclass that contain estimates, restated."""
    found = {}
    for member in fields(record):
        value = getattr(record, member.name)
        is_record = is_dataclass(value) and not isinstance(value, Origin)
        if is_record or isinstance(value, Mapping | list | tuple):
            found[member.name] = _restated(value, origin)
    return found
