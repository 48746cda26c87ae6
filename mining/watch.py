"""How a long run reports where it stands, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Progress", "Watch", "unwatched"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Where a run stands.

    Attributes
    ----------
    stage : str
        What is being done: ``"counting"`` (of one length of itemsets) or ``"rules"``.
    done, total : int
        Steps of this stage that are finished, and all of them; ``0 <= done <= total``.
    """

    stage: str
    done: int
    total: int


Watch = Callable[[Progress], None]
"""Called between two steps. It may raise `mining.errors.Cancelled` or `mining.errors.OverBudget`;
the run then ends with that exception and nothing is kept."""


def unwatched(progress: Progress) -> None:
    """Take notice of nothing: the watch of whoever does not want to watch."""
