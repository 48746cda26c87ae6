"""Mining of disguised rows: counts, itemsets, rules; and the progress of a long run, with its cancellation.

Pure: no file, no clock, no global randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

AT_A_TIME: Final = 4096
"""Itemsets or rules between two reports of progress: some tenths of a second."""

Thing = TypeVar("Thing")


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Progress of a run.

    Attributes
    ----------
    stage : str
        What is being done: ``"candidates"``, ``"counting"`` (of one length of itemsets), ``"intervals"``,
        ``"rules"``, ``"tests"``, ``"flips"``, ``"groups"`` or, in an audit, ``"patterns"`` (of rows).
    done, total : int
        Steps of this stage that are finished, and all of them; ``0 <= done <= total``.
    """

    stage: str
    done: int
    total: int


ProgressListener = Callable[[Progress], None]
"""Called between two steps. It may raise: the run then ends with that exception and nothing is kept."""


def ignore_progress(progress: Progress) -> None:
    """Ignore progress.

    Parameters
    ----------
    progress : Progress
        That no one asked for.
    """


def chunks(
    things: Sequence[Thing], *, stage: str, progress: ProgressListener, size: int | None = None
) -> Iterator[Sequence[Thing]]:
    """Yield some things at a time and report progress after each chunk; of no things one that is empty.

    Parameters
    ----------
    things : sequence
        To be worked on, in order.
    stage : str
        That is reported.
    progress : callable
        Told after each chunk.
    size : int, optional
        Things of a chunk; `AT_A_TIME` where none is given.

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
