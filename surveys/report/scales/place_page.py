"""The page of a place question, and its picture to be saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.channels.area import DEGREE, Area
from privacy.channels.planar_alike import Alike, alike, tells_nothing
from privacy.channels.planar_window import Windows
from privacy.estimation.density_regions import Pieces
from privacy.estimation.map_parts import map_parts
from surveys.analysis.scales.density_cache import density_of
from surveys.analysis.scales.place_estimates import (
    place_mean,
)
from surveys.analysis.scales.place_suppression import NamedRegion, ReleasableMap, releasable_map, windows_of
from surveys.analysis.scales.question import Asked
from surveys.analysis.scales.wording import (
    ended_text,
    estimated,
    ground_text,
    share_text,
)
from surveys.charts.density_map import density_svg, step_bounds, tile_side
from surveys.formats.figures import Figure

__all__ = [
    "PlacePage",
    "middle_in",
    "place_page",
    "place_picture",
]

MOST_LINES: Final = 50
"""Cells in the page's table; the file has them all."""


@dataclass(frozen=True, kw_only=True)
class RegionLine:
    """One region in the table; the figure is None where it is hidden."""

    name: str
    figure: Figure | None
    summed: bool


@dataclass(frozen=True, kw_only=True)
class PieceLine:
    """One of the darkest pieces of the map in its table twin."""

    latitude: str
    longitude: str
    cells: str
    share: str


@dataclass(frozen=True, kw_only=True)
class MeanLine:
    """The mean place."""

    latitude: str
    longitude: str
    error_east: str
    error_north: str
    off: str


@dataclass(frozen=True, kw_only=True)
class PlacePage:
    """What the page of a place shows below its head, which is a `ScaleReport`."""

    drawing: SafeString
    smooth: bool
    pieces: tuple[PieceLine, ...]
    seen: int
    merged: int
    largest: int
    hidden: int
    cells: str
    cell_size: str
    cells_to_a_tile: int
    windows: bool
    replicates: int
    least: int
    regions: tuple[RegionLine, ...]
    hidden_regions: bool
    parts: int
    no_parts: bool
    alike: str
    says_nothing: bool
    several_levels: bool
    mean: MeanLine | None
    ended: str


def place_page(asked: Asked, *, smooth: bool) -> PlacePage:
    """Return what the page shows; `smooth` smooths the reconstruction of the map."""
    windows = windows_of(asked)
    found = density_of(asked, smooth=smooth)
    side = tile_side(windows.area)
    released = releasable_map(asked, found)
    pieces = released.pieces
    width, height = windows.area.cell_metres
    parts, silent = len(map_parts(windows)), tells_nothing(windows)
    return PlacePage(
        drawing=_picture(asked, released, paper=False),
        smooth=smooth,
        pieces=tuple(_piece_lines(asked, windows, pieces)),
        seen=int((~pieces.hidden).sum()),
        merged=int((pieces.side > side).sum()),
        largest=int(pieces.side.max()),
        hidden=int(pieces.hidden.sum()),
        cells=f"{windows.area.columns} × {windows.area.rows}",
        cell_size=f"{ground_text(width)} × {ground_text(height)}",
        cells_to_a_tile=side,
        windows=any(level.window > 1 for level in windows.levels),
        replicates=found.spread.replicates,
        least=asked.least_people,
        regions=tuple(_region_line(asked, named) for named in released.regions),
        hidden_regions=any(named.hidden for named in released.regions),
        parts=parts,
        no_parts=not (parts or silent or windows.exact_outside or len(windows.levels) > 1),
        alike=_alike_text(windows),
        says_nothing=silent,
        several_levels=len(windows.levels) > 1,
        mean=_mean_line(asked, windows),
        ended=ended_text(found.fit),
    )


def place_picture(asked: Asked, *, smooth: bool) -> SafeString:
    """Draw the map with a background, to be saved."""
    return _picture(asked, releasable_map(asked, density_of(asked, smooth=smooth)), paper=True)


def _picture(asked: Asked, released: ReleasableMap, *, paper: bool) -> SafeString:
    windows, pieces = windows_of(asked), released.pieces
    steps = [
        _("up to %(share)s") % {"share": share_text(high)} for _low, high in step_bounds(pieces, windows.area)
    ]
    # A map that is sensitive everywhere needs no marks on it.
    sensitive = [box for level in windows.levels for box in level.rectangles] if windows.exact_outside else []
    return density_svg(
        pieces,
        windows.area,
        title=asked.text,
        steps=steps,
        hidden=_("not shown") if asked.least_people else "",
        sensitive=sensitive,
        sensitive_word=_("sensitive places"),
        outline=asked.wording.get("outline") or (),
        paper=paper,
    )


def middle_in(area: Area, column: int, row: int, side: int) -> tuple[float, float]:
    """Return longitude and latitude of the middle of a square of cells, of what of it lies on the map."""
    across = column + (min(column + side, area.columns) - column) / 2
    up = row + (min(row + side, area.rows) - row) / 2
    return (
        (area.west + across * (area.east - area.west) / area.columns) / DEGREE,
        (area.south + up * (area.north - area.south) / area.rows) / DEGREE,
    )


def _piece_lines(asked: Asked, windows: Windows, pieces: Pieces) -> Iterator[PieceLine]:
    area = windows.area
    per_cell = pieces.share / pieces.cells((area.rows, area.columns))
    for place in np.argsort(np.where(pieces.hidden, np.inf, -per_cell), kind="stable")[:MOST_LINES].tolist():
        if pieces.hidden[place]:
            return
        column, row, side = (int(given[place]) for given in (pieces.column, pieces.row, pieces.side))
        longitude, latitude = middle_in(area, column, row, side)
        wide, high = min(side, area.columns - column), min(side, area.rows - row)
        share = float(pieces.share[place])
        yield PieceLine(
            latitude=_degrees(latitude),
            longitude=_degrees(longitude),
            cells=f"{wide}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{high}",
            share=share_text(share),
        )


def _region_line(asked: Asked, named: NamedRegion) -> RegionLine:
    figure = named.figure
    if named.hidden:
        return RegionLine(name=named.name, figure=None, summed=False)
    if figure.share is None:
        return RegionLine(name=named.name, figure=Figure(value=share_text(figure.summed)), summed=True)
    share = estimated(figure.share.value, figure.share.standard_error)
    return RegionLine(name=named.name, figure=share, summed=False)


@lru_cache(maxsize=64)
def _alike(windows: Windows) -> Alike:
    return alike(windows)


def _alike_text(windows: Windows) -> str:
    """How wide and how high the largest part of a map is that is sent alike; empty where there is none."""
    found = _alike(windows)
    return "" if found.is_none else f"{ground_text(found.across)} × {ground_text(found.up)}"


def _mean_line(asked: Asked, windows: Windows) -> MeanLine | None:
    found = place_mean(windows, asked.sent)
    if found is None:
        return None
    return MeanLine(
        latitude=_degrees(found.latitude),
        longitude=_degrees(found.longitude),
        error_east=ground_text(found.reach[0]),
        error_north=ground_text(found.reach[1]),
        off=""
        if found.off_east == found.off_north == 0
        else _("%(east)s to the east or west, %(north)s to the north or south")
        % {"east": ground_text(found.off_east), "north": ground_text(found.off_north)},
    )


def _degrees(value: float) -> str:
    return f"{value:.5f}".replace("-", "−")
