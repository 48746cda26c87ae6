"""What the disguised answers to a place question tell: density, shares of regions, the mean place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.lone_counts import SentCounts
from privacy.disguise.cells import painted
from privacy.disguise.windows import Region, Windows
from privacy.errors import ParameterError
from privacy.numbers import Fit
from privacy.numbers.expectation import MOST_STEPS
from privacy.places import (
    MeanPlace,
    Share,
    connected_regions,
    density,
    mean_place,
    region_share,
    shown_cells,
)

__all__ = [
    "RegionFigure",
    "Regions",
    "hidden_cells",
    "most_steps",
    "place_density",
    "place_mean",
    "place_regions",
    "regions_of",
]

Mask: TypeAlias = NDArray[np.bool_]

_WORK: Final = 50_000_000
"""Steps times cells: a page of a large map stops early, and says so, rather than keep anybody for minutes."""

_LEAST_STEPS: Final = 40


@dataclass(frozen=True, kw_only=True)
class RegionFigure:
    """The share of one region.

    Attributes
    ----------
    share : Share or None
        Unbiased, with its error; None where there is no such score on this map.
    summed : float
        Its cells of the reconstructed density together, without an error.
    outside : bool
        Whether it holds cells from which places are sent as they are.
    """

    share: Share | None
    summed: float
    outside: bool


@dataclass(frozen=True, kw_only=True)
class Regions:
    """Parts of the map that people are counted in.

    Attributes
    ----------
    declared : tuple of Region
        Items of rules, in the order of the question's options.
    sensitive : tuple of Region
        Connected sensitive places that are none of those.
    """

    declared: tuple[Region, ...]
    sensitive: tuple[Region, ...]


def regions_of(windows: Windows) -> Regions:
    """Return the regions of a map; of one that is sensitive everywhere only those that were declared."""
    if not windows.exact_outside:
        return Regions(declared=windows.regions, sensitive=())
    taken = [_inside(windows, region) for region in windows.regions]
    boxes = [box for level in windows.levels for box in level.rectangles]
    return Regions(
        declared=windows.regions,
        sensitive=tuple(
            part
            for part in connected_regions(boxes)
            if not any(np.array_equal(_inside(windows, part), other) for other in taken)
        ),
    )


@lru_cache(maxsize=16)
def place_density(windows: Windows, sent: SentCounts, *, smooth: bool) -> Fit:
    """Return the shares of the cells, shape (rows, columns), row 0 in the south."""
    direct = sent.direct if sent.direct.any() else None
    return density(windows, sent.protected, smooth=smooth, direct=direct, most_steps=most_steps(windows))


def most_steps(windows: Windows) -> int:
    """Return after how many steps a map's reconstruction ends at the latest."""
    return min(MOST_STEPS, max(_LEAST_STEPS, _WORK // windows.inputs))


def place_regions(
    windows: Windows, sent: SentCounts, regions: Sequence[Region], shares: NDArray[np.float64]
) -> Iterator[RegionFigure]:
    """Yield the share of each region; `shares` are those of the cells."""
    direct = sent.direct if sent.direct.any() else None
    sensitive = np.zeros(windows.inputs, dtype=bool)
    for level in windows.levels:
        sensitive |= painted(level.rectangles, windows.area.columns, windows.area.rows).ravel()
    for region in regions:
        inside = _inside(windows, region)
        try:
            share = region_share(windows, sent.protected, region, direct=direct)
        except ParameterError:
            share = None
        yield RegionFigure(
            share=share,
            summed=float(shares.ravel()[inside].sum()),
            outside=bool((inside & ~sensitive).any()),
        )


def place_mean(windows: Windows, sent: SentCounts) -> MeanPlace | None:
    """Return the mean place; None under several levels, where no single shift undoes the disguise."""
    try:
        return mean_place(windows, sent.protected, direct=sent.direct if sent.direct.any() else None)
    except ParameterError:
        return None


def hidden_cells(shares: NDArray[np.float64], n: int, least: int) -> Mask:
    """Return which cells hold too few people to be told of."""
    found: Mask = ~shown_cells(shares, n, least)
    return found


def _inside(windows: Windows, region: Region) -> Mask:
    return painted(region, windows.area.columns, windows.area.rows).ravel()
