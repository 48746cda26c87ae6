"""Mine disguised rows: counts, itemsets and rules, with progress reports and cancellation of long runs.

Pure code: no files, no clock, no global randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

AT_A_TIME: Final = 4096
"""Itemsets or rules per progress report; they take a few tenths of a second."""

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Progress of a run.

    Attributes
    ----------
    stage : str
        Current work: ``"candidates"``, ``"counting"`` (itemsets of one length),
        ``"rules"``, ``"tests"``, ``"flips"``, ``"groups"`` or, in an audit, ``"patterns"`` (distinct rows).
    done, total : int
        Finished steps and all steps of this stage; ``0 <= done <= total``.
    """

    stage: str
    done: int
    total: int


ProgressListener = Callable[[Progress], None]
"""Called between two steps. If it raises, the run ends with that exception and stores nothing."""


def ignore_progress(progress: Progress) -> None:
    """Ignore progress.

    Parameters
    ----------
    progress : Progress
        The ignored progress.
    """


def chunks(
    things: Sequence[Thing], *, stage: str, progress: ProgressListener, size: int | None = None
) -> Iterator[Sequence[Thing]]:
    """Yield items in chunks and report progress after each; without items, yield one empty chunk.

    Parameters
    ----------
    things : sequence
        Items to process, in order.
    stage : str
        Stage to report.
    progress : callable
        Called after each chunk.
    size : int, optional
        Items per chunk; `AT_A_TIME` by default.

    Examples
    --------
    >>> reports = []
    >>> list(chunks("abcde", stage="rules", progress=reports.append, size=3))
    ['abc', 'de']
    >>> [(step.done, step.total) for step in reports]
    [(3, 5), (5, 5)]
    """
    size = size or AT_A_TIME
    for start in range(0, max(1, len(things)), size):
        some = things[start : start + size]
        yield some
        progress(Progress(stage=stage, done=start + len(some), total=len(things)))
