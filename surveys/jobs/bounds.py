"""Bounds of a run: candidates, time and memory, as the settings say."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from mining.progress import Progress, ProgressListener
from surveys.errors.error import SurveyError

_STATM: Final = Path("/proc/self/statm")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits at which a run is stopped.

    Parameters
    ----------
    candidates : int
        Most itemsets of one length that are counted.
    seconds : int
        Longest working time of one attempt.
    megabytes : int
        Most memory that the work may take beside what the worker had before it.
    """

    candidates: int
    seconds: int
    megabytes: int


def site_bounds() -> Bounds:
    """Return the limits that this installation sets."""
    return Bounds(
        candidates=settings.RUN_CANDIDATES,
        seconds=settings.RUN_SECONDS,
        megabytes=settings.RUN_MEGABYTES,
    )


def bounded(
    progress: ProgressListener,
    bounds: Bounds,
    *,
    clock: Callable[[], float],
    memory: Callable[[], float],
    thresholds: bool = True,
) -> ProgressListener:
    """Return a progress listener that also stops the work where it costs too much.

    Parameters
    ----------
    progress : callable
        Called first.
    bounds : Bounds
    clock : callable
        Seconds.
    memory : callable
        Megabytes that the process holds.
    thresholds : bool
        Whether higher thresholds make the work cheaper, as the refusal then says.

    Notes
    -----
    The work is asked between two steps. A single step that outgrows the machine is ended by the system, and
    the job says so.
    """
    started, held = clock(), memory()

    def checked(step: Progress) -> None:
        progress(step)
        if (spent := clock() - started) > bounds.seconds:
            raise SurveyError(
                "seconds" if thresholds else "seconds.audit", round(spent), seconds=bounds.seconds
            )
        if (grown := memory() - held) > bounds.megabytes:
            raise SurveyError(
                "megabytes" if thresholds else "megabytes.audit", round(grown), megabytes=bounds.megabytes
            )

    return checked


def megabytes_held() -> float:
    """Return the memory that this process holds now; where it is unknown, the most it ever held."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # Kilobytes on Linux, bytes on a Mac.
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * resource.getpagesize() / (1 << 20)
