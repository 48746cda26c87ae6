"""Compute a result from a run's rows once, and keep it in memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from surveys.models import Run
from surveys.runs.run_figures import of_run
from surveys.runs.withheld import STORED

P = ParamSpec("P")
Computed = TypeVar("Computed")


class _RunKey:
    """Identity of a run's rows and of what it withholds; gives its run away once, so no cache keeps it."""

    def __init__(self, run: Run) -> None:
        withheld = json.dumps(run.summary.get(STORED), sort_keys=True)
        self.key = (run.pk, run.design_id, run.snapshot_digest, withheld)
        self._run: Run | None = run

    def take(self) -> Run:
        """Return the caller's run."""
        run, self._run = self._run, None
        if run is None:
            raise ValueError("the run was taken before")
        return run

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RunKey) and self.key == other.key


def once_per_snapshot(
    most: int,
) -> Callable[[Callable[Concatenate[Run, P], Computed]], Callable[Concatenate[Run, P], Computed]]:
    """Compute a result from a run's rows once, keeping this many results in memory.

    The digests identify the rows and how they are read, so a cached result stays valid. Only whether answers
    can still join the rows changes: each call states that of its run anew.
    """

    def once(compute: Callable[Concatenate[Run, P], Computed]) -> Callable[Concatenate[Run, P], Computed]:
        @lru_cache(maxsize=most)
        def cached(rows: _RunKey, /, *args: Any) -> Computed:
            return compute(rows.take(), *args)  # type: ignore[call-arg]  # the caller's arguments

        @wraps(compute)
        def compute_once(run: Run, /, *args: P.args, **kwargs: P.kwargs) -> Computed:
            found = cached(_RunKey(run), *args, **kwargs)  # type: ignore[arg-type]  # all arguments are hashable
            return of_run(found, run)

        return compute_once

    return once
