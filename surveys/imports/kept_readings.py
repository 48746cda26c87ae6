"""Keep what lines of a pasted text mean: a reading asks for each line several times, and is repeated."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

_Found = TypeVar("_Found")
_MOST: Final = 2_000
LONGEST: Final = 1_000
"""Characters of a line whose reading is kept; others are read each time, so that little memory is used."""
_FORGET: Final[list[Callable[[], None]]] = []


def kept(read: Callable[[str], _Found]) -> Callable[[str], _Found]:
    """Return a function that keeps what another one returns for the last lines.

    Parameters
    ----------
    read : callable
        What it returns must not change, and depend on the line alone, not on a language that is set.

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
    """Empty the memory of all functions that keep readings, so that the next text is read anew."""
    for forget in _FORGET:
        forget()
