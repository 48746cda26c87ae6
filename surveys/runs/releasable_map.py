"""The releasable part of a map: its pieces, its named regions, and which of them are suppressed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils import timezone
from django.utils.translation import gettext as _

from privacy.arrays import Array, Whole
from privacy.scales.planar_density_errors import blocks_of
from privacy.scales.planar_pieces import Pieces, pieces_of
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import Region
from surveys.errors.error import SurveyError
from surveys.formats.density_map import tile_side
from surveys.runs.complementary_suppression import PublishedTotals, complementary_suppression
from surveys.runs.interim_or_final import is_exempt
from surveys.runs.map_tiles import Tiles, is_exact_map, store_tiles, stored_tiles
from surveys.runs.places import Density, RegionFigure, place_mean, place_regions, regions_of, windows_of
from surveys.runs.run_figures import of_run
from surveys.runs.scale_question import ScaleQuestion
from surveys.runs.withheld import withheld_of


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
