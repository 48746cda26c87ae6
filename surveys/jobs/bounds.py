"""Limit the work of a run: time, memory and candidates."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from mining import Progress, ProgressListener
from surveys.errors.error import SurveyError

_STATM: Final = Path("/proc/self/statm")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits at which a run is stopped.

    Parameters
    ----------
    candidates : int
        Largest number of itemsets of one length to count.
    seconds : int
        Longest working time of one attempt, in seconds.
    megabytes : int
        Most memory that the work may use in addition to what the worker used before.
    """

    candidates: int
    seconds: int
    megabytes: int


def site_bounds() -> Bounds:
    """Return the limits that this installation sets."""
    return Bounds(
        candidates=settings.RUN_CANDIDATES, seconds=settings.RUN_SECONDS, megabytes=settings.RUN_MEGABYTES
    )


def bound_progress(
    progress: ProgressListener,
    bounds: Bounds,
    *,
    clock: Callable[[], float],
    memory: Callable[[], float],
    thresholds: bool = True,
) -> ProgressListener:
    """Return a progress listener that also stops work that exceeds its bounds.

    Parameters
    ----------
    progress : callable
        Listener to call first.
    bounds : Bounds
    clock : callable
        Returns seconds.
    memory : callable
        Returns the megabytes that the process uses.
    thresholds : bool
        Whether higher thresholds make the work cheaper; the error message then suggests them.

    Notes
    -----
    The bounds are checked between two steps. If a single step exhausts the machine's memory, the system ends
    the process, and the job reports that.
    """
    start_time, baseline = clock(), memory()

    def check(step: Progress) -> None:
        progress(step)
        if (spent := clock() - start_time) > bounds.seconds:
            raise SurveyError(
                "seconds" if thresholds else "seconds.audit", round(spent), seconds=bounds.seconds
            )
        if (growth := memory() - baseline) > bounds.megabytes:
            raise SurveyError(
                "megabytes" if thresholds else "megabytes.audit", round(growth), megabytes=bounds.megabytes
            )

    return check


def memory_megabytes() -> float:
    """Return the memory that this process uses now or, if that is unknown, the most it has used."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # Kilobytes on Linux, bytes on a Mac.
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * resource.getpagesize() / (1 << 20)
