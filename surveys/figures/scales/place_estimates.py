"""Estimates of a place question: density, shares of regions, the mean place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.scale_counts import SentCounts
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.scales.area import components as connected_regions
from privacy.scales.area import painted
from privacy.scales.density_bootstrap import Spread, blocks_of, density_errors
from privacy.scales.em import MOST_STEPS, Fit
from privacy.scales.map_parts import map_parts
from privacy.scales.mean_place import MeanPlace, mean_place
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.region_share import Share, region_share
from privacy.scales.scale_groups import mixed_fit

__all__ = [
    "Density",
    "RegionFigure",
    "Regions",
    "drawn_density",
    "is_exact_in",
    "made_density",
    "most_steps",
    "place_mean",
    "place_regions",
    "regions_of",
]

_WORK: Final = 15_000_000
"""Steps times cells: a page of a large map stops early, and says so, rather than keep anybody for minutes."""

_LEAST_STEPS: Final = 50

_AGAIN: Final = 90_000_000
"""The same for all replicates together; a step costs as much as one over so many cells more:"""

_STEP: Final = 2_000
_FEWEST: Final = 8
_MOST: Final = 100
"""Replicates: with 8 an error is off by a quarter, with 100 by 7 %."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Density:
    """The shares of the cells, (rows, columns), row 0 in the south, with their errors."""

    fit: Fit
    spread: Spread


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
    """Partition of the map by which people are counted.

    Attributes
    ----------
    declared : tuple of Region
        Items of rules, in the order of the question's options.
    sensitive : tuple of Region
        Connected sensitive places that are none of those.
    parts : tuple of Region
        Of a map that is sensitive everywhere, parts that together are the map; from the design alone, never
        from answers, so that their intervals hold.
    """

    declared: tuple[Region, ...]
    sensitive: tuple[Region, ...]
    parts: tuple[Region, ...] = ()


def regions_of(windows: PlanarWindowChannel) -> Regions:
    """Return the regions of a map; of one that is sensitive everywhere only those that were declared."""
    if not windows.exact_outside:
        return Regions(declared=windows.regions, sensitive=(), parts=map_parts(windows))
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


def drawn_density(windows: PlanarWindowChannel, sent: SentCounts, *, smooth: bool) -> Density:
    """Reconstruct the map alone; its errors are 0 of 0 replicates."""
    fit = _fitted(windows, sent, sent.protected, sent.direct, most_steps(windows), smooth=smooth)
    nothing = tuple(np.zeros_like(table) for table in blocks_of(fit.shares))
    return Density(fit=fit, spread=Spread(by_side=nothing, replicates=0))


def made_density(windows: PlanarWindowChannel, sent: SentCounts, *, smooth: bool, seed: int) -> Density:
    """Reconstruct the map, and as many replicates of it as there is time for; the same again for a seed."""
    fit = drawn_density(windows, sent, smooth=smooth).fit
    # Answers that are drawn again hold more noise, and take more steps to be explained.
    steps = min(most_steps(windows), 2 * fit.steps + 100)
    work = max(1, fit.steps) * (windows.inputs + _STEP)
    spread = density_errors(
        lambda counts, direct: _fitted(windows, sent, counts, direct, steps, smooth=smooth).shares,
        sent.protected,
        sent.direct,
        about=fit.shares,
        rng=np.random.default_rng(seed),
        replicates=max(_FEWEST, min(_MOST, _AGAIN // work)),
    )
    return Density(fit=fit, spread=spread)


def _fitted(
    windows: PlanarWindowChannel,
    sent: SentCounts,
    counts: NDArray[Any],
    direct: NDArray[Any],
    steps: int,
    *,
    smooth: bool,
) -> Fit:
    groups = replace(sent, protected=counts, direct=direct).groups(windows)
    return mixed_fit(windows, groups, smooth=smooth, most_steps=steps)


def most_steps(windows: PlanarWindowChannel) -> int:
    """Return after how many steps a map's reconstruction ends at the latest."""
    return min(MOST_STEPS, max(_LEAST_STEPS, _WORK // windows.inputs))


def place_regions(
    windows: PlanarWindowChannel, sent: SentCounts, regions: Sequence[Region], shares: Array
) -> Iterator[RegionFigure]:
    """Yield the share of each region; `shares` are those of the cells."""
    for region in regions:
        inside = _inside(windows, region)
        try:
            share = region_share(windows, sent.groups(windows), region)
        except PrivacyError:
            share = None
        yield RegionFigure(
            share=share,
            summed=float(shares.ravel()[inside].sum()),
            outside=is_exact_in(windows, region),
        )


def is_exact_in(windows: PlanarWindowChannel, region: Region) -> bool:
    """Whether a region holds cells from which places are sent as they are."""
    sensitive = np.zeros(windows.inputs, dtype=bool)
    for level in windows.levels:
        sensitive |= painted(level.rectangles, windows.area.columns, windows.area.rows).ravel()
    return bool((_inside(windows, region) & ~sensitive).any())


def place_mean(windows: PlanarWindowChannel, sent: SentCounts) -> MeanPlace | None:
    """Return the mean place; None under several levels, where no single shift undoes the disguise."""
    try:
        return mean_place(windows, sent.groups(windows))
    except PrivacyError:
        return None


def _inside(windows: PlanarWindowChannel, region: Region) -> Flags:
    return painted(region, windows.area.columns, windows.area.rows).ravel()
