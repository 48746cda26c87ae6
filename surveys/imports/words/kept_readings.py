"""Cache the readings of lines of a pasted text, because each line is read several times."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

_Found = TypeVar("_Found")
_MOST: Final = 2_000
LONGEST: Final = 1_000
"""Largest number of characters of a line whose reading is kept; longer ones would need much memory."""
_FORGET: Final[list[Callable[[], None]]] = []


def kept(read: Callable[[str], _Found]) -> Callable[[str], _Found]:
    """Return a function that caches the results of another one for the most recent lines.

    Parameters
    ----------
    read : callable
        Its result must be immutable and depend on the line alone, not on the active language.

    Examples
    --------
    >>> lines = []
    >>> length = kept(lambda line: lines.append(line) or len(line))
    >>> length("Never"), length("Never"), lines
    (5, 5, ['Never'])
    """
    keeping = lru_cache(maxsize=_MOST)(read)
    _FORGET.append(keeping.cache_clear)

    @wraps(read)
    def found(text: str) -> _Found:
        return keeping(text) if len(text) <= LONGEST else read(text)

    return found


def forget_readings() -> None:
    """Clear the caches of all functions that keep readings, so that the next text is read anew."""
    for forget in _FORGET:
        forget()
