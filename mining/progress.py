"""Progress of a long run, and its cancellation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

__all__ = ["AT_A_TIME", "Progress", "ProgressListener", "portions", "unwatched"]

AT_A_TIME: Final = 4096
"""Itemsets or rules between two looks at the watch: some tenths of a second."""

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


def unwatched(progress: Progress) -> None:
    """Ignore progress."""


def portions(
    things: Sequence[Thing], *, stage: str, watch: ProgressListener, size: int | None = None
) -> Iterator[Sequence[Thing]]:
    """Yield some things at a time and tell the watch after each portion; of no things one that is empty.

    Examples
    --------
    >>> told = []
    >>> list(portions("abcde", stage="rules", watch=told.append, size=3))
    ['abc', 'de']
    >>> [(progress.done, progress.total) for progress in told]
    [(3, 5), (5, 5)]
    """
    size = size or AT_A_TIME
    for start in range(0, max(1, len(things)), size):
        some = things[start : start + size]
        yield some
        watch(Progress(stage=stage, done=start + len(some), total=len(things)))
