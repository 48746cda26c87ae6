"""Place questions: maps with errors, regions and the mean place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.sent_counts import SentCounts
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.printed import Measured
from privacy.scales.em import MOST_STEPS, Fit
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.planar_density_errors import Spread, blocks_of, density_errors
from privacy.scales.planar_mean import MeanPlace, mean_place
from privacy.scales.planar_parts import map_parts
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_unions import components as connected_regions
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.region_share import region_share
from surveys.errors.error import SurveyError
from surveys.runs.run_figures import of_run
from surveys.runs.scale_question import ScaleQuestion
from surveys.runs.withheld import withheld_of

_WORK: Final = 15_000_000
"""Most steps times cells. A large map stops early, and says so, rather than keep a reader waiting."""

_LEAST_STEPS: Final = 50

_AGAIN: Final = 90_000_000
"""Most steps times cells of all replicates together."""

# Fixed cost of a step, in cells.
_STEP: Final = 2_000
_FEWEST: Final = 8
_MOST: Final = 100
"""Fewest and most replicates. With 8, an error is off by a quarter; with 100, by 7%."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Density:
    """Shares of the cells with their errors; shape (rows, columns), row 0 in the south."""

    fit: Fit
    spread: Spread


@dataclass(frozen=True, kw_only=True)
class RegionFigure:
    """The share of one region.

    Attributes
    ----------
    share : Measured or None
        Unbiased, with its error; None if this map has no such score.
    total : float
        Sum of the reconstructed density over its cells, without an error.
    outside : bool
        Whether it contains cells whose places are sent undisguised.
    """

    share: Measured | None
    total: float
    outside: bool


@dataclass(frozen=True, kw_only=True)
class Regions:
    """Regions of a map for which people are counted.

    Attributes
    ----------
    declared : tuple of Region
        Items of rules, in the order of the question's options.
    sensitive : tuple of Region
        Connected sensitive areas that are not declared.
    parts : tuple of Region
        If the whole map is sensitive: a partition of it. It depends on the design alone, never on answers,
        so the intervals are valid.
    """

    declared: tuple[Region, ...]
    sensitive: tuple[Region, ...]
    parts: tuple[Region, ...] = ()


def regions_of(windows: PlanarWindowChannel) -> Regions:
    """Return a map's declared regions, and its sensitive areas or, if it is all sensitive, its parts."""
    if not windows.exact_outside:
        return Regions(declared=windows.regions, sensitive=(), parts=map_parts(windows))
    masks = [_inside(windows, region) for region in windows.regions]
    boxes = [box for level in windows.levels for box in level.rectangles]
    return Regions(
        declared=windows.regions,
        sensitive=tuple(
            part
            for part in connected_regions(boxes)
            if not any(np.array_equal(_inside(windows, part), other) for other in masks)
        ),
    )


def drawn_density(windows: PlanarWindowChannel, reports: SentCounts) -> Density:
    """Reconstruct the map without replicates: its errors are 0."""
    fit = _fit_density(windows, reports, reports.protected, reports.direct, most_steps(windows))
    nothing = tuple(np.zeros_like(table) for table in blocks_of(fit.shares))
    return Density(fit=fit, spread=Spread(by_side=nothing, replicates=0))


def place_shares(windows: PlanarWindowChannel, reports: SentCounts) -> Array:
    """Return the share of each cell, as the report reconstructs it."""
    return drawn_density(windows, reports).fit.shares


def made_density(windows: PlanarWindowChannel, reports: SentCounts, *, seed: int) -> Density:
    """Reconstruct the map and as many replicates as time allows; a seed always gives the same ones."""
    fit = drawn_density(windows, reports).fit
    # Resampled answers are noisier, so their fit needs more steps.
    steps = min(most_steps(windows), 2 * fit.steps + 100)
    work = max(1, fit.steps) * (windows.inputs + _STEP)
    spread = density_errors(
        lambda counts, direct: _fit_density(windows, reports, counts, direct, steps).shares,
        reports.protected,
        reports.direct,
        about=fit.shares,
        rng=np.random.default_rng(seed),
        replicates=max(_FEWEST, min(_MOST, _AGAIN // work)),
    )
    return Density(fit=fit, spread=spread)


def _fit_density(
    windows: PlanarWindowChannel, reports: SentCounts, counts: NDArray[Any], direct: NDArray[Any], steps: int
) -> Fit:
    groups = replace(reports, protected=counts, direct=direct).groups(windows)
    return mixed_fit(windows, groups, smooth=False, most_steps=steps)


def most_steps(windows: PlanarWindowChannel) -> int:
    """Return the most steps that a map's reconstruction may take."""
    return min(MOST_STEPS, max(_LEAST_STEPS, _WORK // windows.inputs))


def place_regions(
    windows: PlanarWindowChannel,
    reports: SentCounts,
    regions: Sequence[Region],
    shares: Array,
    *,
    forged: int = 0,
) -> Iterator[RegionFigure]:
    """Yield the share of each region; `shares` are the shares of the cells, `forged` of the rows are."""
    for region in regions:
        in_region = _inside(windows, region)
        try:
            share = region_share(windows, reports.groups(windows), region, forged=forged)
        except PrivacyError:
            share = None
        yield RegionFigure(
            share=share, total=float(shares.ravel()[in_region].sum()), outside=windows.is_exact_in(region)
        )


def place_mean(scale: ScaleQuestion) -> MeanPlace | None:
    """Return the mean place; None with several levels, because no single shift undoes the disguise."""
    windows, forged = windows_of(scale), withheld_of(scale.run).rows
    try:
        return of_run(mean_place(windows, scale.reports.groups(windows), forged=forged), scale.run)
    except PrivacyError:
        return None


def _inside(windows: PlanarWindowChannel, region: Region) -> Flags:
    return paint_cells(region, windows.area.columns, windows.area.rows).ravel()


def windows_of(scale: ScaleQuestion) -> PlanarWindowChannel:
    """Return the disguise of a place question."""
    disguise = scale.question.disguise
    if not isinstance(disguise, PlanarWindowChannel):
        raise SurveyError("kind.place", question=scale.question.key)
    return disguise
