"""Suppression on a map: pieces and regions of few people, and others from which these could be derived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _

from privacy.arrays import Array, Whole
from privacy.scales.area import painted
from privacy.scales.density_bootstrap import Pieces, pieces_of
from privacy.scales.planar_window import PlanarWindowChannel, Region
from surveys.charts.density_map import tile_side
from surveys.errors.error import SurveyError
from surveys.figures.scales.place_estimates import (
    Density,
    RegionFigure,
    place_mean,
    place_regions,
    regions_of,
)
from surveys.figures.scales.question import ScaleQuestion
from surveys.rows.secondary_suppression import PublishedTotals, complementary_suppression

__all__ = ["NamedRegion", "ReleasableMap", "named_regions", "releasable_map", "windows_of"]


@dataclass(frozen=True, kw_only=True)
class NamedRegion:
    """A region with its name and its figure; that of a hidden region is suppressed."""

    key: str
    name: str
    region: Region
    figure: RegionFigure
    hidden: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasableMap:
    """The releasable figures of a map, alike for page, picture, tables and files."""

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

    What is told beside them is that the pieces are everybody, and the mean place.
    """
    windows = windows_of(scale)
    shape = windows.area.rows, windows.area.columns
    pieces = pieces_of(
        density.fit.shares,
        density.spread,
        round(scale.sent.people),
        least=scale.least_people,
        smallest=tile_side(windows.area),
    )
    regions = tuple(named_regions(scale, density))
    shares = [_share_inside(pieces, region.region, shape) for region in regions]
    few, known = (
        [position for position, region in enumerate(regions) if region.hidden is kind]
        for kind in (True, False)
    )
    published = np.array([regions[index].figure.summed for index in known]) * scale.sent.people
    dense = [np.ones(len(pieces))]
    if place_mean(windows, scale.sent) is not None:
        dense += [line - line.mean() for line in _middles(pieces, shape)]
    suppressed = complementary_suppression(
        pieces.share * scale.sent.people,
        pieces.hidden,
        PublishedTotals(
            dense=np.array(dense),
            fixed=np.zeros((0, len(pieces))),
            loose=np.array([shares[index] for index in known]).reshape(-1, len(pieces)),
            loss=np.broadcast_to(published[:, None], (len(known), len(pieces))),
        ),
        few_totals=np.array([shares[index] for index in few]).reshape(-1, len(pieces)),
        least=scale.least_people,
    )
    gone = {index for index, hidden in zip(known, suppressed.totals.tolist(), strict=True) if hidden}
    return ReleasableMap(
        pieces=replace(pieces, hidden=suppressed.parts),
        regions=tuple(
            replace(region, hidden=region.hidden or position in gone)
            for position, region in enumerate(regions)
        ),
    )


def named_regions(scale: ScaleQuestion, density: Density) -> Iterator[NamedRegion]:
    """Yield the regions of a map: those that its researcher named, then other sensitive places.

    Hidden are those of few people; `releasable_map` hides what these follow from too.
    """
    windows = windows_of(scale)
    geometry = regions_of(windows)
    regions: Sequence[Region] = [*geometry.declared, *geometry.sensitive, *geometry.parts]
    figures = place_regions(windows, scale.sent, regions, density.fit.shares)
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
        hidden = _tells_of_few(scale, figure)
        yield NamedRegion(key=key, name=name, region=region, figure=figure, hidden=hidden)


def _tells_of_few(scale: ScaleQuestion, figure: RegionFigure) -> bool:
    """Whether a region's share rests on too few people: exact reports are in it."""
    value = figure.summed if figure.share is None else figure.share.value
    return figure.outside and value * scale.sent.people < scale.least_people


def _ends(pieces: Pieces, shape: tuple[int, int]) -> tuple[Whole, Whole]:
    """Return the row and the column behind each piece."""
    rows, columns = shape
    return np.minimum(pieces.row + pieces.side, rows), np.minimum(pieces.column + pieces.side, columns)


def _middles(pieces: Pieces, shape: tuple[int, int]) -> tuple[Array, Array]:
    rows, columns = _ends(pieces, shape)
    return (pieces.row + rows) / 2, (pieces.column + columns) / 2


def _share_inside(pieces: Pieces, region: Region, shape: tuple[int, int]) -> Array:
    """Return what share of the cells of each piece lies in a region."""
    sums = np.zeros((shape[0] + 1, shape[1] + 1))
    sums[1:, 1:] = painted(region, shape[1], shape[0]).reshape(shape).cumsum(axis=0).cumsum(axis=1)
    low, left = pieces.row, pieces.column
    high, right = _ends(pieces, shape)
    cells = sums[high, right] - sums[low, right] - sums[high, left] + sums[low, left]
    shares: Array = cells / pieces.cells(shape)
    return shares
