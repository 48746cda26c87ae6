"""The size of least error among many: each look costs a prediction of the whole map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

__all__ = ["best_of", "climb"]

Made = TypeVar("Made")

_TRIED: Final = 16


def best_of(
    build: Callable[[int], Made | None], sizes: Sequence[int], error: Callable[[Made], float]
) -> Made:
    """Return the best of some sizes, and then of those around it.

    Parameters
    ----------
    build : callable
        What a size makes; None where it makes nothing.
    sizes : sequence of int
        Ascending.
    error : callable

    Notes
    -----
    No single minimum is promised for any prior: sixteen sizes are looked at first, then ever closer ones.

    Examples
    --------
    >>> best_of(lambda size: size, range(1, 101), lambda size: (size - 37) ** 2)
    37
    """
    tried: dict[int, tuple[float, Made]] = {}

    def look(places: Iterator[int]) -> int:
        for place in places:
            if 0 <= place < len(sizes) and place not in tried:
                made = build(sizes[place])
                if made is not None:
                    tried[place] = (error(made), made)
        return min(tried, key=lambda place: tried[place][0])

    step = max(1, len(sizes) // _TRIED)
    best = look(iter([0, *range(step - 1, len(sizes), step), len(sizes) - 1]))
    while step > 1:
        step = -(-step // 2)
        best = look(iter((best - step, best + step)))
        if step == 1:
            best = look(iter((best - 1, best + 1)))
            break
    return tried[best][1]


def climb(build: Callable[[int], Made], guess: int, most: int, error: Callable[[Made], float]) -> Made:
    """Walk from a guess between 1 and `most`, one by one, as long as the error falls.

    Examples
    --------
    >>> climb(lambda size: size, 30, 100, lambda size: (size - 37) ** 2)
    37
    """
    found: dict[int, tuple[float, Made]] = {}

    def look(sizes: tuple[int, ...]) -> bool:
        new = [size for size in sizes if 1 <= size <= most and size not in found]
        for size in new:
            made = build(size)
            found[size] = (error(made), made)
        return bool(new)

    best = guess
    while look((best - 1, best, best + 1)):
        best = min(found, key=lambda size: found[size][0])
    return found[best][1]
