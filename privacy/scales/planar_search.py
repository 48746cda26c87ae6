"""Search for the size of least error among many: each evaluation predicts the whole map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import numpy as np

__all__ = ["best_of", "spread"]

Made = TypeVar("Made")

_TRIED: Final = 16
_LISTED: Final = 48
_FIRST: Final = 4
"""Places at the beginning that are looked at in any case: of few tiles each number is another map."""


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
        for position in places:
            if 0 <= position < len(sizes) and position not in tried:
                made = build(sizes[position])
                if made is not None:
                    tried[position] = (error(made), made)
        return min(tried, key=lambda position: tried[position][0])

    step = max(1, len(sizes) // _TRIED)
    best = look(iter([*range(_FIRST), *range(step - 1, len(sizes), step), len(sizes) - 1]))
    while step > 1:
        step = -(-step // 2)
        best = look(iter((best - step, best + step)))
        if step == 1:
            best = look(iter((best - 1, best + 1)))
            break
    return tried[best][1]


def spread(sizes: Sequence[int]) -> list[int]:
    """Return at most 48 of some ascending sizes, close in their ratios: a few hundredths more are nothing.

    Examples
    --------
    >>> spread(range(1, 5)), spread(range(1, 101))[:12]
    ([1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    """
    wanted = np.geomspace(sizes[0], sizes[-1], _LISTED)
    places = np.searchsorted(sizes, wanted - 0.5).clip(0, len(sizes) - 1)
    return [sizes[position] for position in np.unique(places).tolist()]
