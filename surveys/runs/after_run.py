"""The work that follows a run, in the same worker process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from surveys.runs.audit_job import audit_dispatch
from surveys.runs.density_cache import store_large_densities

AFTER_RUN: Final[tuple[Callable[[int], object], ...]] = (
    audit_dispatch,
    store_large_densities,
)
"""Services to call with the key of a finished job, in this order."""
