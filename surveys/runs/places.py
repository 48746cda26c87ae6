"""Place questions: maps with errors, regions and the mean place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.utils import timezone
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from mining.columns.sent_counts import SentCounts
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.printed import Measured
from privacy.scales.em import MOST_STEPS, Fit
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.planar_density_errors import Spread, blocks_of, density_errors
from privacy.scales.planar_mean import MeanPlace, mean_place
from privacy.scales.planar_parts import map_parts
from privacy.scales.planar_pieces import Pieces, pieces_of
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_unions import components as connected_regions
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.region_share import region_share
from surveys.errors.error import SurveyError
from surveys.formats.density_map import tile_side
from surveys.runs.complementary_suppression import PublishedTotals, complementary_suppression
from surveys.runs.interim_or_final import is_exempt
from surveys.runs.map_tiles import Tiles, is_exact_map, store_tiles, stored_tiles
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


@dataclass(frozen=True, kw_only=True)
class NamedRegion:
    """A region with its name and its figure; a hidden region's figure is suppressed."""

    key: str
    name: str
    region: Region
    figure: RegionFigure
    hidden: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasableMap:
    """The releasable figures of a map, the same for page, picture, tables and files."""

    pieces: Pieces
    regions: tuple[NamedRegion, ...]


def windows_of(scale: ScaleQuestion) -> PlanarWindowChannel:
    """Return the disguise of a place question."""
    disguise = scale.question.disguise
    if not isinstance(disguise, PlanarWindowChannel):
        raise SurveyError("kind.place", question=scale.question.key)
    return disguise


def releasable_map(scale: ScaleQuestion, density: Density) -> ReleasableMap:
    """Return the pieces and the regions of a map, and which of them are suppressed.

    Besides these, only the mean place is published. Readers also know that the pieces add up to everyone. If
    places are sent exactly outside the sensitive areas, the pieces of the first map are stored, and every
    later map of the survey has the same ones.

    Raises
    ------
    SurveyError
        ``waits.map``: a worker has not yet computed the errors that decide the pieces of such a map.
    """
    regions = tuple(named_regions(scale, density))
    if not is_exact_map(scale.run.design, scale.number) or is_exempt(scale.run.survey):
        pieces, hidden = _released(scale, density, regions)
    else:
        if not density.spread.replicates:
            raise SurveyError("waits.map")
        tiles = stored_tiles(scale.run, scale.number)
        if tiles is None:
            pieces, hidden = _released(scale, density, regions)
            tiles = store_tiles(
                scale.run,
                scale.number,
                Tiles(
                    column=pieces.column.tolist(),
                    row=pieces.row.tolist(),
                    side=pieces.side.tolist(),
                    hidden=pieces.hidden.tolist(),
                    hidden_regions=[region.key for region in hidden],
                ),
                now=timezone.now(),
            )
        pieces = _pieces_like(tiles, density)
        hidden = [region for region in regions if region.key in tiles.hidden_regions]
    keys = {region.key for region in hidden}
    return ReleasableMap(
        pieces=pieces,
        regions=tuple(replace(region, hidden=region.hidden or region.key in keys) for region in regions),
    )


def _pieces_like(tiles: Tiles, density: Density) -> Pieces:
    """Return the pieces of a map whose cut points are stored."""
    column, row, side = (np.array(values) for values in (tiles.column, tiles.row, tiles.side))
    tables = list(blocks_of(density.fit.shares))
    levels = [size.bit_length() - 1 for size in tiles.side]
    places = list(zip(levels, (row // side).tolist(), (column // side).tolist(), strict=True))
    return Pieces(
        column=column,
        row=row,
        side=side,
        share=np.array([tables[level][y, x] for level, y, x in places]),
        standard_error=np.array([density.spread.by_side[level][y, x] for level, y, x in places]),
        hidden=np.array(tiles.hidden, dtype=np.bool_),
    )


def _released(
    scale: ScaleQuestion, density: Density, regions: Sequence[NamedRegion]
) -> tuple[Pieces, list[NamedRegion]]:
    """Return the pieces of a map, with the suppressed ones marked, and the regions suppressed with them."""
    windows = windows_of(scale)
    shape = windows.area.rows, windows.area.columns
    pieces = pieces_of(
        density.fit.shares,
        density.spread,
        round(scale.reports.people),
        least=scale.least_people,
        smallest=tile_side(windows.area),
    )
    shares = [_share_inside(pieces, region.region, shape) for region in regions]
    few, enough = (
        [position for position, region in enumerate(regions) if region.hidden is kind]
        for kind in (True, False)
    )
    public = np.array([regions[index].figure.total for index in enough]) * scale.reports.people
    dense = [np.ones(len(pieces))]
    if place_mean(scale) is not None:
        dense += [line - line.mean() for line in _middles(pieces, shape)]
    suppression = complementary_suppression(
        pieces.share * scale.reports.people,
        pieces.hidden,
        PublishedTotals(
            dense=np.array(dense),
            loose=np.array([shares[index] for index in enough]).reshape(-1, len(pieces)),
            loss=public,
        ),
        few_totals=np.array([shares[index] for index in few]).reshape(-1, len(pieces)),
        least=scale.least_people,
    )
    totals = suppression.totals.tolist()
    also_hidden = [regions[index] for index, on in zip(enough, totals, strict=True) if on]
    return replace(pieces, hidden=suppression.parts), also_hidden


def named_regions(scale: ScaleQuestion, density: Density) -> Iterator[NamedRegion]:
    """Yield the regions of a map: first those that the researcher named, then its sensitive areas or parts.

    Regions with few people are hidden; `releasable_map` also hides figures from which these would follow.
    """
    windows = windows_of(scale)
    geometry = regions_of(windows)
    regions: Sequence[Region] = [*geometry.declared, *geometry.sensitive, *geometry.parts]
    forged = withheld_of(scale.run).rows
    figures = place_regions(windows, scale.reports, regions, density.fit.shares, forged=forged)
    keys = [(item.key, item.option) for item in scale.items]
    keys += [
        (f"sensitive-{position}", _("sensitive place %(place)s") % {"place": position})
        for position in range(1, len(geometry.sensitive) + 1)
    ]
    keys += [
        (f"part-{position}", _("part %(place)s of the map, from the south-west") % {"place": position})
        for position in range(1, len(geometry.parts) + 1)
    ]
    for (key, name), region, figure in zip(keys, regions, figures, strict=True):
        is_hidden = _has_few_exact(scale, figure)
        yield NamedRegion(
            key=key, name=name, region=region, figure=of_run(figure, scale.run), hidden=is_hidden
        )


def _has_few_exact(scale: ScaleQuestion, figure: RegionFigure) -> bool:
    """Whether a region with exact reports has too few people."""
    value = figure.total if figure.share is None else figure.share.value
    return figure.outside and value * scale.reports.people < scale.least_people


def _ends(pieces: Pieces, shape: tuple[int, int]) -> tuple[Whole, Whole]:
    """Return the row and the column after the end of each piece."""
    rows, columns = shape
    return np.minimum(pieces.row + pieces.side, rows), np.minimum(pieces.column + pieces.side, columns)


def _middles(pieces: Pieces, shape: tuple[int, int]) -> tuple[Array, Array]:
    rows, columns = _ends(pieces, shape)
    return (pieces.row + rows) / 2, (pieces.column + columns) / 2


def _share_inside(pieces: Pieces, region: Region, shape: tuple[int, int]) -> Array:
    """Return the share of each piece's cells that lies in a region."""
    sums = np.zeros((shape[0] + 1, shape[1] + 1))
    sums[1:, 1:] = paint_cells(region, shape[1], shape[0]).reshape(shape).cumsum(axis=0).cumsum(axis=1)
    low, left = pieces.row, pieces.column
    high, right = _ends(pieces, shape)
    cells = sums[high, right] - sums[low, right] - sums[high, left] + sums[low, left]
    shares: Array = cells / pieces.cells(shape)
    return shares
